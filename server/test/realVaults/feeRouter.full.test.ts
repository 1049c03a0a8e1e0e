import { describe } from 'vitest';
import { playFeeRouter } from './feeRouter.ts';
import { testScenario } from './testScenario.ts';

describe('a router that takes a fee', () => {
  testScenario(playFeeRouter);
});
