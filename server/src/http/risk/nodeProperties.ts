import { type TSchema, Type } from 'typebox';
import type {
  AssetFacts,
  ChainFacts,
  Label,
  PoolFacts,
  ProtocolFacts,
} from '../../domain/risk/graph.ts';
import { Flag, Fraction, List, Rate, Text, UnixTime, Usd } from '../schemas.ts';

/** A fact is absent while it is not known. */
type Described<Facts> = Readonly<Record<keyof Facts, TSchema>>;

const pool: Described<PoolFacts> = {
  name: Text('Name.'),
  symbol: Text('Symbols of what it takes, as its source writes them.'),
  chain: Text('Slug of its chain.'),
  address: Text('Address; on EVM chains with its EIP-55 checksum.'),
  uniqueKey: Text('Identifier at its source, where it has no address.'),
  protocol: Text('Slug of the protocol that runs it.'),
  tvlUsd: Usd('Value locked.'),
  apy: Rate('Yield.'),
  apyBase: Rate('The part of the yield that it earns itself.'),
  apyReward: Rate('The part of the yield that is paid in reward tokens.'),
  assets: Text('How its assets move: single, correlated or uncorrelated.'),
  concentrated: Flag('Whether liquidity is concentrated in price ranges.'),
  leveraged: Flag('Whether it borrows to earn more.'),
  stablecoin: Flag('Whether it holds stablecoins only.'),
  outlier: Flag('Whether its source doubts the yield.'),
  note: Text('What its source adds.'),
  url: Text('Its page.'),
  offchainId: Text('Its id in the registry of a vault family.'),
};

const asset: Described<AssetFacts> = {
  name: Text('Name.'),
  symbol: Text('Symbol.'),
  chain: Text('Slug of its chain.'),
  address: Text('Address; on EVM chains with its EIP-55 checksum.'),
  uniqueKey: Text('Identifier at its source, where it has no address.'),
  kind: Text(
    'What it is: native, fiat-backed, crypto-backed, algorithmic, liquid-staking, wrapped, vault-share or other.',
  ),
  peg: Text('What it should be worth.'),
  priceUsd: Usd('Price.'),
  pegDeviation: Fraction('How far the price is from the peg.'),
  marketCapUsd: Usd('Market capitalisation.'),
  attested: Flag('Whether somebody independent attests the backing.'),
  dead: Flag('Whether it has been given up.'),
  url: Text('Its page.'),
};

const protocol: Described<ProtocolFacts> = {
  name: Text('Name.'),
  slug: Text('Slug.'),
  symbol: Text('Symbol of its token.'),
  hasToken: Flag('Whether it has a token of its own.'),
  category: Text('What it does, in the words of its source.'),
  chains: List(Text('A slug.'), 'Slugs of its chains.'),
  tvlUsd: Usd('Value locked.'),
  marketCapUsd: Usd('Market capitalisation of its token.'),
  poolsApy: Rate('Yield of its pools of 7 million USD or more, weighted by their TVL.'),
  listedAt: UnixTime('Since when it is known.'),
  audits: Type.Unknown({
    description:
      'Audits: status is reports (with their number), claimed, partial, none-recorded or unaudited.',
  }),
  forkOf: List(Text('A name.'), 'What it was forked from.'),
  oracles: List(Text('An oracle.'), 'Where its prices come from.'),
  upgrades: Type.Unknown({
    description: 'Who can change it: nobody, single-key, or timelock with its delay in seconds.',
  }),
  incidents: Type.Array(Type.Unknown(), {
    description: 'Past incidents: at (Unix seconds), lossUsd, repaid and what happened.',
  }),
  parent: Text('Slug of the protocol that it is a part of.'),
  rugged: Flag('Whether its makers took the money.'),
  dead: Flag('Whether it has been given up.'),
  deprecated: Flag('Whether its makers call it outdated.'),
  url: Text('Its page.'),
  hasGovernance: Flag('Whether its token holders vote.'),
  hasTreasury: Flag('Whether it has a treasury.'),
  openSource: Flag('Whether its code is public.'),
};

const chain: Described<ChainFacts> = {
  name: Text('Name.'),
  slug: Text('Slug.'),
  chainId: Type.Integer({ description: 'EIP-155 chain id.' }),
  symbol: Text('Symbol of its native token.'),
  kind: Text('What it is: base-layer, rollup or other.'),
  stage: Type.Integer({ description: 'Stage of a rollup that was assessed: 0, 1 or 2.' }),
  settlesTo: Text('Slug of the chain that it settles on.'),
  tvlUsd: Usd('Value locked.'),
  dead: Flag('Whether it has been given up.'),
  url: Text('Its page.'),
};

/** Every property that a node may have, by label: what `schema` sells and `node` is described with. */
export const NODE_PROPERTIES: Readonly<Record<Label, Readonly<Record<string, TSchema>>>> = {
  Pool: pool,
  Asset: asset,
  Protocol: protocol,
  Chain: chain,
};
