import { describe } from 'vitest';
import { playLagoon } from './lagoonStory.ts';
import { testScenario } from './testScenario.ts';

describe('Lagoon v0.5.1 (a model) that is closed, its silo named', () => {
  testScenario(() => playLagoon({ nameSilo: true, closes: true }), { killed: true });
});
