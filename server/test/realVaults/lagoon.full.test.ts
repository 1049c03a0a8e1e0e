import { describe } from 'vitest';
import { playLagoon } from './lagoonStory.ts';
import { testScenario } from './testScenario.ts';

describe('Lagoon v0.5.1 (a model)', () => {
  testScenario(() => playLagoon({ nameSilo: false, closes: false }), { killed: true });
});
