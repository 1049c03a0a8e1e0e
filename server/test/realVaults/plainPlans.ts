import { compiled, npmCompiled } from './contracts.ts';
import { account, OWNER, type PlainPlan } from './plainScenario.ts';

const FEES = account(0xfee5n);

/** OpenZeppelin from npm, compiled here: always at hand. */
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

/** OpenZeppelin's own mocks, as they were compiled elsewhere. */
export const MOCK_PLANS: readonly PlainPlan[] = [
  ...[0, 6].map(
    (further): PlainPlan => ({
      slug: `mock-offset-${further}`,
      decimals: further === 0 ? 2 : 6,
      virtualShares: 10n ** BigInt(further),
      asset: (chain) =>
        chain.deploy(OWNER, compiled('MockERC20'), ['Mock', 'MOCK', further === 0 ? 2 : 6]),
      vault: (chain, asset) => chain.deploy(OWNER, compiled('OzOffset'), [asset.address, further]),
    }),
  ),
  {
    slug: 'mock-fees',
    decimals: 6,
    virtualShares: 1n,
    asset: (chain) => chain.deploy(OWNER, compiled('MockERC20'), ['Mock', 'MOCK', 6]),
    vault: (chain, asset) => chain.deploy(OWNER, compiled('OzFees'), [asset.address, FEES]),
  },
];

export const SOLMATE_PLANS: readonly PlainPlan[] = [2, 6, 18].map((decimals) => ({
  slug: `solmate-${decimals}`,
  decimals,
  asset: (chain) => chain.deploy(OWNER, compiled('MockERC20'), ['Mock', 'MOCK', decimals]),
  vault: (chain, asset) =>
    chain.deploy(OWNER, compiled('MockERC4626'), [asset.address, 'Vault', 'mvMOCK']),
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
