import { npmCompiled } from './contracts.ts';
import { packageCompiled } from './packageCode.ts';
import { account, OWNER, type PlainPlan } from './plainScenario.ts';

const FEES = account(0xfee5n);

/** OpenZeppelin vaults from npm, compiled here, so always available. */
export const NPM_PLANS: readonly PlainPlan[] = [
  offset({ slug: 'cents', decimals: 2, further: 0 }),
  offset({ slug: 'dollars', decimals: 6, further: 6 }),
  offset({ slug: 'ether', decimals: 18, further: 3 }),
  {
    slug: 'fees',
    decimals: 6,
    virtualShares: 1n,
    asset: async (chain) => chain.deploy(OWNER, await npmCompiled('Token'), ['FUSD', 6]),
    vault: async (chain, asset) =>
      chain.deploy(OWNER, await npmCompiled('FeeVault'), [asset.address, FEES]),
  },
];

/** solmate's own mocks from its package. */
export const SOLMATE_PLANS: readonly PlainPlan[] = [2, 6, 18].map((decimals) => ({
  slug: `solmate-${decimals}`,
  decimals,
  asset: async (chain) =>
    chain.deploy(OWNER, await packageCompiled('solmate', 'MockERC20'), ['Mock', 'MOCK', decimals]),
  vault: async (chain, asset) =>
    chain.deploy(OWNER, await packageCompiled('solmate', 'MockERC4626'), [
      asset.address,
      'Vault',
      'mvMOCK',
    ]),
}));

function offset(given: { slug: string; decimals: number; further: number }): PlainPlan {
  const { slug, decimals, further } = given;
  return {
    slug,
    decimals,
    virtualShares: 10n ** BigInt(further),
    asset: async (chain) => chain.deploy(OWNER, await npmCompiled('Token'), [slug, decimals]),
    vault: async (chain, asset) =>
      chain.deploy(OWNER, await npmCompiled('OffsetVault'), [asset.address, further]),
  };
}
