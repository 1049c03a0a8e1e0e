import { describe } from 'vitest';
import { playCentrifuge } from './centrifugeStory.ts';
import { FOLDER, NEEDS } from './contracts.ts';
import { testScenario } from './testScenario.ts';

describe.skipIf(FOLDER === undefined)(`Centrifuge liquidity-pools v2 (${NEEDS})`, () => {
  testScenario(playCentrifuge);
});
