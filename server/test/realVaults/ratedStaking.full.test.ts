import { describe } from 'vitest';
import { playStaking } from './ratedStaking.ts';
import { testScenario } from './testScenario.ts';

describe('liquid staking: Lido, ether.fi, Rocket Pool, wBETH', () => {
  testScenario(playStaking, { killed: true });
});
