import { describe } from 'vitest';
import { usePackages } from './packageCode.ts';
import { SOLMATE_PLANS } from './plainPlans.ts';
import { playPlainVaults } from './plainScenario.ts';
import { testScenario } from './testScenario.ts';

/** Without Multicall3, every read is a separate request. */
describe('solmate', () => {
  usePackages('solmate');
  testScenario(() => playPlainVaults({ seed: 6_800, plans: SOLMATE_PLANS, multicall: false }));
});
