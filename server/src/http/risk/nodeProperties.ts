import { type TSchema, Type } from 'typebox';
import type {
  AssetFacts,
  ChainFacts,
  Label,
  PoolFacts,
  ProtocolFacts,
} from '../../domain/risk/graph.ts';
import { Flag, Fraction, List, Rate, Text, UnixTime, Usd } from '../schemas.ts';

/** An unknown fact is absent. */
type Described<Facts> = Readonly<Record<keyof Facts, TSchema>>;

const pool: Described<PoolFacts> = {
  name: Text('Name.'),
  symbol: Text("Symbols of its assets, in the source's format."),
  chain: Text('Slug of its chain.'),
  address: Text('Address; on EVM chains with its EIP-55 checksum.'),
  uniqueKey: Text('Identifier at its source, if it has no address.'),
  protocol: Text('Slug of the protocol that runs it.'),
  tvlUsd: Usd('Total value locked.'),
  apy: Rate('Yield.'),
  apyBase: Rate('The base part of the yield.'),
  apyReward: Rate('The part of the yield that is paid in reward tokens.'),
  assets: Text('How its assets move: single, correlated, or uncorrelated.'),
  concentrated: Flag('Whether liquidity is concentrated in price ranges.'),
  leveraged: Flag('Whether it borrows to increase its yield.'),
  stablecoin: Flag('Whether it holds only stablecoins.'),
  outlier: Flag('Whether its source marks the yield as an outlier.'),
  note: Text('Notes of its source.'),
  url: Text('Its page.'),
  offchainId: Text('Its id in the registry of a vault family.'),
};

const asset: Described<AssetFacts> = {
  name: Text('Name.'),
  symbol: Text('Symbol.'),
  chain: Text('Slug of its chain.'),
  address: Text('Address; on EVM chains with its EIP-55 checksum.'),
  uniqueKey: Text('Identifier at its source, if it has no address.'),
  kind: Text(
    'Kind of asset: native, fiat-backed, crypto-backed, algorithmic, liquid-staking, wrapped, vault-share, or other.',
  ),
  peg: Text('The target of its peg.'),
  priceUsd: Usd('Price.'),
  pegDeviation: Fraction('Deviation of the price from the peg.'),
  marketCapUsd: Usd('Market cap.'),
  attested: Flag('Whether an independent party attests the backing.'),
  dead: Flag('Whether it was abandoned.'),
  url: Text('Its page.'),
};

const protocol: Described<ProtocolFacts> = {
  name: Text('Name.'),
  slug: Text('Slug.'),
  symbol: Text('Symbol of its token.'),
  hasToken: Flag('Whether it has its own token.'),
  category: Text('Category, as its source reports it.'),
  chains: List(Text('A slug.'), 'Slugs of its chains.'),
  tvlUsd: Usd('Total value locked.'),
  marketCapUsd: Usd('Market cap of its token.'),
  poolsApy: Rate('Yield of its pools of at least 7 million USD, weighted by their TVL.'),
  listedAt: UnixTime('When it was first listed.'),
  audits: Type.Unknown({
    description:
      'Audits: status is reports (with their number), claimed, partial, none-recorded, or unaudited.',
  }),
  forkOf: List(Text('A name.'), 'The protocol it was forked from.'),
  oracles: List(Text('An oracle.'), 'The sources of its prices.'),
  upgrades: Type.Unknown({
    description: 'Who can upgrade it: nobody, single-key, or timelock with its delay in seconds.', // language-ok: an enum value
  }),
  incidents: Type.Array(Type.Unknown(), {
    description: 'Past incidents: at (Unix seconds), lossUsd, repaid, and what happened.',
  }),
  parent: Text('Slug of its parent protocol.'),
  rugged: Flag('Whether its team took the money.'),
  dead: Flag('Whether it was abandoned.'),
  deprecated: Flag('Whether its team calls it outdated.'),
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
  kind: Text('Kind of chain: base-layer, rollup, or other.'),
  stage: Type.Integer({ description: 'Stage of a rollup that was assessed: 0, 1, or 2.' }),
  settlesTo: Text('Slug of the chain that it settles on.'),
  tvlUsd: Usd('Total value locked.'),
  dead: Flag('Whether it was abandoned.'),
  url: Text('Its page.'),
};

/** Every property of a node, by label: sold by `schema`, and used in the description of `node`. */
export const NODE_PROPERTIES: Readonly<Record<Label, Readonly<Record<string, TSchema>>>> = {
  Pool: pool,
  Asset: asset,
  Protocol: protocol,
  Chain: chain,
};
