import { describe } from 'vitest';
import { compiled, FOLDER, NEEDS, npmCompiled } from './contracts.ts';
import { account, OWNER, type PlainPlan, playPlainVaults } from './plainScenario.ts';
import { testScenario } from './testScenario.ts';

const FEES = account(0xfee5n);

/** From npm, compiled here: always at hand. */
const NPM: readonly PlainPlan[] = [
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
const MOCKS: readonly PlainPlan[] = [
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

describe('OpenZeppelin from npm', () => {
  testScenario(() => playPlainVaults({ seed: 4_626, plans: NPM }));
});

describe.skipIf(FOLDER === undefined)(`OpenZeppelin's mocks (${NEEDS})`, () => {
  testScenario(() => playPlainVaults({ seed: 5_201, plans: MOCKS }));
});

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
