import { describe } from 'vitest';
import { testScenario } from './testScenario.ts';
import { playYo } from './yoScenario.ts';

describe('YO V2 (a model)', () => {
  testScenario(playYo, { killed: true });
});
