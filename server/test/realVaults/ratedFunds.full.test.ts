import { describe } from 'vitest';
import { playFunds } from './ratedFunds.ts';
import { testScenario } from './testScenario.ts';

describe('fund tokens and bridged shares: Ondo, Superstate, sUSDS, Midas', () => {
  testScenario(playFunds, { killed: true });
});
