import { describe } from 'vitest';
import { FOLDER, NEEDS } from './contracts.ts';
import { playLagoon } from './lagoonStory.ts';
import { testScenario } from './testScenario.ts';

describe.skipIf(FOLDER === undefined)(`Lagoon v0.5.1 (${NEEDS})`, () => {
  testScenario(() => playLagoon({ nameSilo: false, closes: false }), { killed: true });
});
