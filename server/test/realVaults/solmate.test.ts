import { describe } from 'vitest';
import { compiled, FOLDER, NEEDS } from './contracts.ts';
import { OWNER, type PlainPlan, playPlainVaults } from './plainScenario.ts';
import { testScenario } from './testScenario.ts';

const PLANS: readonly PlainPlan[] = [2, 6, 18].map((decimals) => ({
  slug: `solmate-${decimals}`,
  decimals,
  asset: (chain) => chain.deploy(OWNER, compiled('MockERC20'), ['Mock', 'MOCK', decimals]),
  vault: (chain, asset) =>
    chain.deploy(OWNER, compiled('MockERC4626'), [asset.address, 'Vault', 'mvMOCK']),
}));

/** Without Multicall3: every read is a request of its own. */
describe.skipIf(FOLDER === undefined)(`solmate (${NEEDS})`, () => {
  testScenario(() => playPlainVaults({ seed: 6_800, plans: PLANS, multicall: false }));
});
