import { describe } from 'vitest';
import { playRated } from './ratedScenario.ts';
import { testScenario } from './testScenario.ts';

describe('share tokens with a rate', () => {
  testScenario(playRated, { killed: true });
});
