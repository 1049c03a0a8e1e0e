import { Type } from 'typebox';
import {
  Address,
  Amount,
  Block,
  ChainId,
  DateTime,
  Decimals,
  Flag,
  List,
  Nullable,
  OneOf,
  Percent,
  Rate,
  Shape,
  Slug,
  Text,
  Usd,
} from '../schemas.ts';

const baseAmount = (what: string) => Amount(`${what}, of the family's base asset.`);
const shareAmount = (what: string) => Amount(`${what}, of the share token.`);
const rateOrNull = (what: string, unknown: string) =>
  Nullable(
    Rate(`${what}.`),
    `${what}, as a fraction: 0.045 is 4.5 %; null ${unknown}, never 0 for that.`,
  );
/** What the windowed rates mean for a family that is younger than their window. */
const YOUNGER = 'a younger family is measured over its whole life';
const UNMEASURED =
  'where nothing can be measured: no share price is known, or only that of one instant yet';
const familyApy = (window: string) =>
  rateOrNull(`Compound yearly rate from the share price over ${window}; ${YOUNGER}`, UNMEASURED);
const poolApy = (window: string) =>
  rateOrNull(
    `Compound yearly rate from the pool's own share price over ${window}; a younger pool is measured over its whole life`,
    UNMEASURED,
  );
const usd = (what: string) =>
  Nullable(
    Usd(`${what}.`),
    `${what}, in USD, not rounded; null when no price was held at that time.`,
  );
const chainId = ChainId('The chain.');
const instant = DateTime('The instant of the figures.');

const asset = Shape(
  {
    chainId,
    address: Nullable(
      Address('The token.'),
      'The token, EIP-55 checksummed; null on a chain that was never read and of which the configuration does not say it. Never that of another chain.',
    ),
    symbol: Text('From the chain where it has one, else from the configuration.'),
    name: Text('From the chain where it has one, else from the configuration.'),
    decimals: Decimals('Decimals of the token.'),
    marketDataId: Text('Identifier of the asset at a market-data provider.'),
  },
  'A token on one chain.',
);

export const assetPair = Shape(
  { base: asset, share: asset },
  'The base asset that is deposited, and the share token that stands for it.',
);

export const chainRole = OneOf(
  ['settlement', 'execution'],
  '`settlement`: users deposit and redeem here. `execution`: assets are deployed here, no user entry.',
);

export const chainVault = Address('The vault on this chain.');

const chainEntry = Shape(
  { chainId, role: chainRole, vault: chainVault, assets: assetPair },
  'A chain of the family, whether it can be read or not.',
);

/** The figures over all chains, alike in the snapshot and in the list. */
export const figures = {
  tvl: baseAmount('`idle` + `invested` + `pendingExits` over all chains'),
  idle: baseAmount('Held by the vaults themselves'),
  invested: baseAmount(
    'Value at work: that of the pools, an idle-only one too, and what a vault invests without a known pool',
  ),
  pendingExits: baseAmount("Assets leaving through a venue's own exit queue"),
  pendingRedemptionAssets: baseAmount('Assets owed to queued redemptions'),
  totalShares: shareAmount('Shares over all chains'),
  assetsPerShare: Nullable(
    Amount('Price.'),
    "Base units of the base asset for one whole share (10^shareDecimals), on the family's first settlement chain; null while none is published there.",
  ),
  tvlUsd: usd('Value of `tvl`'),
  apy: rateOrNull('The 7-day figure, the same as `apy7d`', 'where that is'),
  apy1d: familyApy('1 day'),
  apy7d: familyApy('7 days'),
  apy30d: familyApy('30 days'),
  rewardApr: Rate('Rewards streamed over `tvl`; 0 when there are none.'),
};

const chainStats = Shape(
  {
    chainId,
    block: Block('The block that the row was read at; an old one on a chain that cannot be read.'),
    idle: baseAmount('Held by the vault there'),
    invested: baseAmount('Value at work there, in pools or without a known one'),
    pendingExits: baseAmount("Assets in venues' exit queues there"),
    tvl: baseAmount('The three together'),
    shareSupply: shareAmount('Shares on this chain'),
  },
  'The family on one chain.',
);

const pool = Shape(
  {
    offchainId: Text('The id that the pool registry announces.'),
    chainId,
    name: Text('Name of the pool; its `offchainId` where none is configured.'),
    protocolName: Text('Protocol that runs it; empty where none is configured.'),
    poolUrl: Text("The pool's page; empty where none is configured."),
    description: Text('A sentence or two; empty where none is configured.'),
    value: baseAmount("Value of the family's holding"),
    allocationBps: Type.Integer({
      minimum: 0,
      maximum: 10_000,
      description:
        'Basis points of `tvl`; pools, idle, pending exits and what is invested in no known pool add up to 10000.',
    }),
    availableLiquidity: Nullable(
      Amount('Amount.'),
      'What could be taken out at once, in base units of the base asset; null when the venue does not say.',
    ),
    apy1d: poolApy('1 day'),
    apy7d: poolApy('7 days'),
    apy30d: poolApy('30 days'),
    mechanismApy: rateOrNull(
      'The yearly rate that the venue itself states, else the 7-day figure',
      'where neither is known',
    ),
    riskScore: Type.Number({
      minimum: 0,
      maximum: 100,
      description:
        "0 to 100, higher is safer: the risk graph's score of the pool, else the one that the pool registry announces; 0 when it is not scored.",
    }),
    status: OneOf(
      ['active', 'exit-only'],
      '`exit-only`: assets only leave it. A removed pool is not listed.',
    ),
    idleOnly: Flag('Holds the asset ready for exits; counts as invested.'),
  },
  'A pool that the family is invested in.',
);

const exposureEntry = Shape(
  {
    chainId,
    address: Address('The asset.'),
    symbol: Text("The asset's symbol."),
    exposureUsd: usd('Value exposed to the asset'),
    exposurePct: Percent('Part of `allocatedUsd`.'),
  },
  'An asset and how much depends on it.',
);

const exposure = Shape(
  {
    at: instant,
    allocatedUsd: usd('Value of `invested`'),
    uncollateralizedUsd: usd(
      'Value in pools that are known to lend or hold without collateral: their composition names what they hold and nothing that backs it',
    ),
    uncollateralizedPct: Percent('The same as a part of `allocatedUsd`.'),
    unclassifiedUsd: usd(
      'Value that nobody can classify: in pools without a known composition, the part of a pool that its composition leaves out, and what is invested in no known pool. It is in none of the other figures, least of all in `uncollateralizedUsd`',
    ),
    unclassifiedPct: Percent('The same as a part of `allocatedUsd`.'),
    underlying: List(
      exposureEntry,
      "Each pool's value split over the assets it holds; biggest first.",
    ),
    collateral: List(
      exposureEntry,
      "Each pool's value split over what backs its loans; biggest first.",
    ),
  },
  'What the invested value consists of, from the composition of the pools. `allocatedUsd` is what is backed by collateral, `uncollateralizedUsd` and `unclassifiedUsd` together.',
);

export const family = {
  slug: Slug('Identifies the family.'),
  name: Text('Name of the family.'),
  address: Address("The vault on the family's first settlement chain; `chains` has the others."),
  feederOf: Nullable(
    Slug('The master family.'),
    'Slug of the master family that this feeder routes deposits into; null for a standalone vault.',
  ),
};

export const snapshotSchema = Shape(
  {
    slug: family.slug,
    name: family.name,
    address: family.address,
    authority: Nullable(
      Address('The contract.'),
      "Access-control contract of the vault on the family's first settlement chain, else on the first that names one; null where none does.",
    ),
    assets: assetPair,
    feederOf: family.feederOf,
    bindingDeclarationAddress: Address(
      'Address whose pool declarations serve this family; its own unless it mirrors another.',
    ),
    chains: List(chainEntry, 'Every chain of the family.'),
    stats: Shape(
      {
        updatedAt: instant,
        importedFromLegacy: Flag(
          'Whether any tick of the 30 days behind these figures was imported from a previous backend.',
        ),
        baseAsset: Nullable(
          Address('The token.'),
          "The base asset on the family's first settlement chain; null when that was never read and the configuration does not name it.",
        ),
        baseAssetDecimals: Decimals('Decimals of the base asset.'),
        shareDecimals: Decimals('Decimals of the share token.'),
        ...figures,
        chains: List(
          chainStats,
          'The chains behind the sums. One that cannot be read keeps its last row; one that was never read has none.',
        ),
        pools: List(
          pool,
          "Biggest first. A feeder's are its master's, scaled to the feeder's `invested`: they add up to it where the master's pools are all that the master is invested in.",
        ),
      },
      'Figures over all chains of the family.',
    ),
    exposure,
  },
  'A vault family now.',
);
