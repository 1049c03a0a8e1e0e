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
import { AsOfField } from './asOfSchema.ts';

const baseAmount = (what: string) => Amount(`${what}, in the family's base asset.`);
const shareAmount = (what: string) => Amount(`${what}, in shares.`);
const rateOrNull = (what: string, unknown: string) =>
  Nullable(
    Rate(`${what}.`),
    `${what}, as a fraction: 0.045 is 4.5%; null ${unknown}, never 0 instead.`,
  );
/** The meaning of windowed rates for a family that is younger than their window. */
const YOUNGER = 'a younger family is measured over its entire life';
const UNMEASURED = 'if it cannot be measured (fewer than two share prices are known)';
const familyApy = (window: string) =>
  rateOrNull(`Compound yearly rate from the share price over ${window}; ${YOUNGER}`, UNMEASURED);
const poolApy = (window: string) =>
  rateOrNull(
    `Compound yearly rate from the pool's own share price over ${window}; a younger pool is measured over its entire life`,
    UNMEASURED,
  );
const usd = (what: string) =>
  Nullable(
    Usd(`${what}.`),
    `${what}, in USD, not rounded; null if no price was available at that time.`,
  );
const chainId = ChainId('The chain.');
const instant = DateTime('Time of the values.');

const asset = Shape(
  {
    chainId,
    address: Nullable(
      Address('The token.'),
      'The token, with its EIP-55 checksum. On a chain that was never read, it comes from the configuration. Null if it is a currency and not a token.',
    ),
    symbol: Text('From the chain, else from the configuration.'),
    name: Text('From the chain, else from the configuration.'),
    decimals: Decimals('Decimals of the token.'),
    marketDataId: Text('Identifier of the asset at a market-data provider.'),
  },
  'A token on one chain.',
);

export const assetPair = Shape(
  { base: asset, share: asset },
  'The base asset that is deposited, and the share token that represents it.',
);

export const chainRole = OneOf(
  ['settlement', 'execution'],
  '`settlement`: users deposit and redeem here. `execution`: assets are invested here, without deposits.',
);

export const chainVault = Address('The vault on this chain.');

const chainEntry = Shape(
  { chainId, role: chainRole, vault: chainVault, assets: assetPair },
  'A chain of the family, whether it can be read or not.',
);

/** The values over all chains, the same in the snapshot and in the list. */
export const figures = {
  tvl: baseAmount('`idle` + `invested` + `pendingExits` over all chains'),
  idle: baseAmount('Base asset held by the vaults'),
  invested: baseAmount(
    'Invested value: the pools, including idle-only ones, and assets invested outside of known pools',
  ),
  pendingExits: baseAmount("Assets leaving through a venue's own exit queue"),
  pendingRedemptionAssets: baseAmount('Assets owed to queued redemptions'),
  totalShares: shareAmount('Shares over all chains'),
  assetsPerShare: Nullable(
    Amount('Price.'),
    "Base units of the base asset for one share (10^shareDecimals), on the family's first settlement chain; null if no price is published there yet.",
  ),
  tvlUsd: usd('Value of `tvl`'),
  apy: rateOrNull('The 7-day rate, the same as `apy7d`', 'if that is null'),
  apy1d: familyApy('1 day'),
  apy7d: familyApy('7 days'),
  apy30d: familyApy('30 days'),
  rewardApr: Rate('Yearly rewards relative to `tvl`; 0 if there are none.'),
};

const chainStats = Shape(
  {
    chainId,
    block: Block('The block at which the row was read; an old one on a chain that cannot be read.'),
    at: DateTime('Time of the row: `block` is the newest block at that time.'),
    idle: baseAmount('Base asset held by the vault there'),
    invested: baseAmount('Invested value there, inside and outside of known pools'),
    pendingExits: baseAmount("Assets in venues' exit queues there"),
    tvl: baseAmount('The sum of the three'),
    shareSupply: shareAmount('Shares on this chain'),
  },
  'The family on one chain.',
);

const pool = Shape(
  {
    offchainId: Text('The id from the pool registry.'),
    chainId,
    name: Text('Name of the pool; its `offchainId` if none is configured.'),
    protocolName: Text('Protocol of the pool; empty if none is configured.'),
    poolUrl: Text("URL of the pool's page; empty if none is configured."),
    description: Text('Short description; empty if none is configured.'),
    value: baseAmount("Value of the family's holding"),
    allocationBps: Type.Integer({
      minimum: 0,
      maximum: 10_000,
      description:
        'Basis points of `tvl`; pools, idle, pending exits, and assets outside of known pools add up to 10000.',
    }),
    availableLiquidity: Nullable(
      Amount('Amount.'),
      'What can be withdrawn at that time, in base units of the base asset; null if the venue does not report it, or if it was not read then.',
    ),
    apy1d: poolApy('1 day'),
    apy7d: poolApy('7 days'),
    apy30d: poolApy('30 days'),
    mechanismApy: rateOrNull(
      'The yearly rate that the venue reports, else the 7-day rate',
      'if neither is known',
    ),
    riskScore: Type.Number({
      minimum: 0,
      maximum: 100,
      description:
        "0 to 100, higher is safer: the risk graph's score of the pool, else the registry's; 0 if it has no score. As of a moment in the past, always the registry's at that block.",
    }),
    status: OneOf(
      ['active', 'exit-only'],
      '`exit-only`: only withdrawals. Removed pools are not listed.',
    ),
    idleOnly: Flag('Holds the asset ready for redemptions; counts as invested.'),
  },
  'A pool that the family is invested in.',
);

const exposureEntry = Shape(
  {
    chainId,
    address: Address('The asset.'),
    symbol: Text('Symbol of the asset.'),
    exposureUsd: usd('Value exposed to the asset'),
    exposurePct: Percent('Share of `allocatedUsd`.'),
  },
  'An asset and the exposure to it.',
);

const exposure = Shape(
  {
    at: instant,
    allocatedUsd: usd('Value of `invested`'),
    uncollateralizedUsd: usd(
      'Value that pools lend or hold without collateral: their known holdings minus the backed part',
    ),
    uncollateralizedPct: Percent('The same as a share of `allocatedUsd`.'),
    unclassifiedUsd: usd(
      'Value that cannot be classified: pools without a known composition, the part that a composition leaves out, and assets invested outside of known pools',
    ),
    unclassifiedPct: Percent('The same as a share of `allocatedUsd`.'),
    underlying: List(
      exposureEntry,
      "Each pool's value, split by the assets it holds; largest first.",
    ),
    collateral: List(
      exposureEntry,
      "Each pool's value, split by the collateral of its loans; largest first.",
    ),
  },
  'The composition of the invested value, from the composition of the pools. `collateral`, `uncollateralizedUsd`, and `unclassifiedUsd` add up to `allocatedUsd`. Pools that hold more than the vault counts are scaled down to that.',
);

export const family = {
  slug: Slug('Identifier of the family.'),
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
      "Access-control contract of the vault on the family's first settlement chain, else on the first chain that has one; null if there is none, and as of a moment in the past.",
    ),
    assets: assetPair,
    feederOf: family.feederOf,
    bindingDeclarationAddress: Address(
      'Address whose pool declarations this family uses; its own unless it mirrors another.',
    ),
    chains: List(
      chainEntry,
      'Every chain of the family. A chain that was never read and whose token addresses are not in the configuration is left out; `assay check` and a warning at startup report it.',
    ),
    stats: Shape(
      {
        updatedAt: instant,
        importedFromLegacy: Flag(
          'Whether a data point of the last 30 days was imported from a legacy backend.',
        ),
        baseAsset: Nullable(
          Address('The token.'),
          "The base asset on the family's first settlement chain; null if that was never read and is not configured.",
        ),
        baseAssetDecimals: Decimals('Decimals of the base asset.'),
        shareDecimals: Decimals('Decimals of the share token.'),
        ...figures,
        chains: List(
          chainStats,
          'The chains of the sums. A chain that cannot be read keeps its last row; a chain that was never read has none.',
        ),
        pools: List(
          pool,
          "Largest first. A feeder's pools are its master's, scaled to the feeder's `invested`: they add up to it if all of the master's investments are in pools.",
        ),
      },
      'Values over all chains of the family.',
    ),
    exposure,
    asOf: AsOfField,
  },
  'The state of a vault family.',
);
