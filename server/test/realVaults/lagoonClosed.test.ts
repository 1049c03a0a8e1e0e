import { describe } from 'vitest';
import { FOLDER, NEEDS } from './contracts.ts';
import { playLagoon } from './lagoonStory.ts';
import { testScenario } from './testScenario.ts';

describe.skipIf(FOLDER === undefined)(
  `Lagoon v0.5.1 that is closed, its silo named (${NEEDS})`,
  () => {
    testScenario(() => playLagoon({ nameSilo: true, closes: true }));
  },
);
