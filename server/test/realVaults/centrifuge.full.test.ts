import { describe } from 'vitest';
import { playCentrifuge } from './centrifugeStory.ts';
import { testScenario } from './testScenario.ts';

describe('Centrifuge liquidity-pools v2 (a model)', () => {
  testScenario(playCentrifuge, { killed: true });
});
