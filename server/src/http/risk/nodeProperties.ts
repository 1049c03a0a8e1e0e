import { type TSchema, Type } from 'typebox';
import type {
  AssetFacts,
  ChainFacts,
  Label,
  PoolFacts,
  ProtocolFacts,
} from '../../domain/risk/graph.ts';

/** A fact is absent while it is not known. */
type Described<Facts> = Readonly<Record<keyof Facts, TSchema>>;

const text = (description: string) => Type.String({ description });
const usd = (description: string) => Type.Number({ description: `${description} In USD.` });
const rate = (description: string) =>
  Type.Number({ description: `${description} A fraction: 0.045 is 4.5 %.` });
const flag = (description: string) => Type.Boolean({ description });
const list = (description: string) => Type.Array(Type.String(), { description });
const seconds = (description: string) =>
  Type.Integer({ description: `${description} Unix seconds.` });

const pool: Described<PoolFacts> = {
  name: text('Name.'),
  symbol: text('Symbols of what it takes, as its source writes them.'),
  chain: text('Slug of its chain.'),
  address: text('Address; on EVM chains with its EIP-55 checksum.'),
  uniqueKey: text('Identifier at its source, where it has no address.'),
  protocol: text('Slug of the protocol that runs it.'),
  tvlUsd: usd('Value locked.'),
  apy: rate('Yield per year.'),
  apyBase: rate('The part of the yield that it earns itself.'),
  apyReward: rate('The part of the yield that is paid in reward tokens.'),
  assets: text('How its assets move: single, correlated or uncorrelated.'),
  concentrated: flag('Whether liquidity is concentrated in price ranges.'),
  leveraged: flag('Whether it borrows to earn more.'),
  stablecoin: flag('Whether it holds stablecoins only.'),
  outlier: flag('Whether its source doubts the yield.'),
  note: text('What its source adds.'),
  url: text('Its page.'),
  offchainId: text('Its id in the registry of a vault family.'),
};

const asset: Described<AssetFacts> = {
  name: text('Name.'),
  symbol: text('Symbol.'),
  chain: text('Slug of its chain.'),
  address: text('Address; on EVM chains with its EIP-55 checksum.'),
  uniqueKey: text('Identifier at its source, where it has no address.'),
  kind: text(
    'What it is: native, fiat-backed, crypto-backed, algorithmic, liquid-staking, wrapped, vault-share or other.',
  ),
  peg: text('What it should be worth.'),
  priceUsd: usd('Price.'),
  pegDeviation: rate('How far the price is from the peg.'),
  marketCapUsd: usd('Market capitalisation.'),
  attested: flag('Whether somebody independent attests the backing.'),
  dead: flag('Whether it has been given up.'),
  url: text('Its page.'),
};

const protocol: Described<ProtocolFacts> = {
  name: text('Name.'),
  slug: text('Slug.'),
  symbol: text('Symbol of its token.'),
  hasToken: flag('Whether it has a token of its own.'),
  category: text('What it does, in the words of its source.'),
  chains: list('Slugs of its chains.'),
  tvlUsd: usd('Value locked.'),
  marketCapUsd: usd('Market capitalisation of its token.'),
  poolsApy: rate('Yield per year of its pools of 7 million USD or more, weighted by their TVL.'),
  listedAt: seconds('Since when it is known.'),
  audits: Type.Unknown({
    description:
      'Audits: status is reports (with their number), claimed, partial, none-recorded or unaudited.',
  }),
  forkOf: list('What it was forked from.'),
  oracles: list('Where its prices come from.'),
  upgrades: Type.Unknown({
    description: 'Who can change it: nobody, single-key, or timelock with its delay in seconds.',
  }),
  incidents: Type.Array(Type.Unknown(), {
    description: 'Past incidents: at (Unix seconds), lossUsd, repaid and what happened.',
  }),
  parent: text('Slug of the protocol that it is a part of.'),
  rugged: flag('Whether its makers took the money.'),
  dead: flag('Whether it has been given up.'),
  deprecated: flag('Whether its makers call it outdated.'),
  url: text('Its page.'),
  hasGovernance: flag('Whether its token holders vote.'),
  hasTreasury: flag('Whether it has a treasury.'),
  openSource: flag('Whether its code is public.'),
};

const chain: Described<ChainFacts> = {
  name: text('Name.'),
  slug: text('Slug.'),
  chainId: Type.Integer({ description: 'EIP-155 chain id.' }),
  symbol: text('Symbol of its native token.'),
  kind: text('What it is: base-layer, rollup or other.'),
  stage: Type.Integer({ description: 'Stage of a rollup that was assessed: 0, 1 or 2.' }),
  settlesTo: text('Slug of the chain that it settles on.'),
  tvlUsd: usd('Value locked.'),
  dead: flag('Whether it has been given up.'),
  url: text('Its page.'),
};

/** Every property that a node may have, by label: what `schema` sells and `node` is described with. */
export const NODE_PROPERTIES: Readonly<Record<Label, Readonly<Record<string, TSchema>>>> = {
  Pool: pool,
  Asset: asset,
  Protocol: protocol,
  Chain: chain,
};
