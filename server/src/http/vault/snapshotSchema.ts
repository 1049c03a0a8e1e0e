import { type TSchema, Type } from 'typebox';

const ADDRESS = '^0x[0-9a-fA-F]{40}$';
const AMOUNT = '^\\d+$';

function record<P extends Record<string, TSchema>>(properties: P, description: string) {
  return Type.Object(properties, { description });
}

function orNull<S extends TSchema>(schema: S, description: string) {
  return Type.Union([schema, Type.Null()], { description });
}

const text = (description: string) => Type.String({ description });
const address = (description: string) => Type.String({ pattern: ADDRESS, description });
const amount = (description: string) => Type.String({ pattern: AMOUNT, description });
const baseUnits = (what: string) =>
  amount(`${what}, in base units of the family's base asset, as a decimal integer.`);
const rate = (what: string) =>
  Type.Number({ description: `${what}, as a fraction: 0.045 is 4.5 %.` });
const rateOrNull = (what: string, unknown: string) =>
  orNull(
    Type.Number(),
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
const percent = (what: string) => Type.Number({ description: `${what}, in percent, 0 to 100.` });
const usd = (what: string) =>
  orNull(Type.Number(), `${what}, in USD, not rounded; null when no price was held at that time.`);
const instant = (description: string) => Type.String({ format: 'date-time', description });
const chainId = Type.Integer({ minimum: 1, description: 'EIP-155 chain id.' });
const decimals = (description: string) => Type.Integer({ minimum: 0, maximum: 77, description });

const asset = record(
  {
    chainId,
    address: orNull(
      address('The token.'),
      'The token, EIP-55 checksummed; null on a chain that was never read and of which the configuration does not say it. Never that of another chain.',
    ),
    symbol: text('From the chain where it has one, else from the configuration.'),
    name: text('From the chain where it has one, else from the configuration.'),
    decimals: decimals('Decimals of the token.'),
    marketDataId: text('Identifier of the asset at a market-data provider.'),
  },
  'A token on one chain.',
);

export const assetPair = record(
  { base: asset, share: asset },
  'The base asset that is deposited, and the share token that stands for it.',
);

export const chainRole = Type.Enum(['settlement', 'execution'], {
  description:
    '`settlement`: users deposit and redeem here. `execution`: assets are deployed here, no user entry.',
});

export const chainVault = address('The vault on this chain, EIP-55 checksummed.');

const chainEntry = record(
  { chainId, role: chainRole, vault: chainVault, assets: assetPair },
  'A chain of the family, whether it can be read or not.',
);

/** The figures over all chains, alike in the snapshot and in the list. */
export const figures = {
  tvl: baseUnits('`idle` + `invested` + `pendingExits` over all chains'),
  idle: baseUnits('Base asset held by the vaults themselves'),
  invested: baseUnits(
    'Value at work: that of the pools, an idle-only one too, and what a vault invests without a known pool',
  ),
  pendingExits: baseUnits("Assets leaving through a venue's own exit queue"),
  pendingRedemptionAssets: baseUnits('Assets owed to queued redemptions'),
  totalShares: amount('Shares over all chains, in base units of the share token.'),
  assetsPerShare: orNull(
    amount('Price.'),
    "Base units of the base asset for one whole share (10^shareDecimals), on the family's first settlement chain; null while none is published there.",
  ),
  tvlUsd: usd('Value of `tvl`'),
  apy: rateOrNull('The 7-day figure, the same as `apy7d`', 'where that is'),
  apy1d: familyApy('1 day'),
  apy7d: familyApy('7 days'),
  apy30d: familyApy('30 days'),
  rewardApr: rate('Rewards streamed per year over `tvl`; 0 when there are none'),
};

const chainStats = record(
  {
    chainId,
    block: Type.String({
      pattern: AMOUNT,
      description: 'The block that the row was read at; an old one on a chain that cannot be read.',
    }),
    idle: baseUnits('Base asset held by the vault there'),
    invested: baseUnits('Value at work there, in pools or without a known one'),
    pendingExits: baseUnits("Assets in venues' exit queues there"),
    tvl: baseUnits('The three together'),
    shareSupply: amount('Shares on this chain, in base units of the share token.'),
  },
  'The family on one chain.',
);

const pool = record(
  {
    offchainId: text('The id that the pool registry announces.'),
    chainId,
    name: text('Name of the pool; its `offchainId` where none is configured.'),
    protocolName: text('Protocol that runs it; empty where none is configured.'),
    poolUrl: text("The pool's page; empty where none is configured."),
    description: text('A sentence or two; empty where none is configured.'),
    value: baseUnits("Value of the family's holding"),
    allocationBps: Type.Integer({
      minimum: 0,
      maximum: 10_000,
      description:
        'Basis points of `tvl`; pools, idle, pending exits and what is invested in no known pool add up to 10000.',
    }),
    availableLiquidity: orNull(
      amount('Amount.'),
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
    status: Type.Enum(['active', 'exit-only'], {
      description: '`exit-only`: assets only leave it. A removed pool is not listed.',
    }),
    idleOnly: Type.Boolean({ description: 'Holds the asset ready for exits; counts as invested.' }),
  },
  'A pool that the family is invested in.',
);

const exposureEntry = record(
  {
    chainId,
    address: address('The asset, EIP-55 checksummed.'),
    symbol: text("The asset's symbol."),
    exposureUsd: usd('Value exposed to the asset'),
    exposurePct: percent('Part of `allocatedUsd`'),
  },
  'An asset and how much depends on it.',
);

const exposure = record(
  {
    at: instant('The instant of the figures, UTC.'),
    allocatedUsd: usd('Value of `invested`'),
    uncollateralizedUsd: usd(
      'Value in pools that are known to lend or hold without collateral: their composition names what they hold and nothing that backs it',
    ),
    uncollateralizedPct: percent('The same as a part of `allocatedUsd`'),
    unclassifiedUsd: usd(
      'Value that nobody can classify: in pools without a known composition, the part of a pool that its composition leaves out, and what is invested in no known pool. It is in none of the other figures, least of all in `uncollateralizedUsd`',
    ),
    unclassifiedPct: percent('The same as a part of `allocatedUsd`'),
    underlying: Type.Array(exposureEntry, {
      description: "Each pool's value split over the assets it holds; biggest first.",
    }),
    collateral: Type.Array(exposureEntry, {
      description: "Each pool's value split over what backs its loans; biggest first.",
    }),
  },
  'What the invested value consists of, from the composition of the pools. `allocatedUsd` is what is backed by collateral, `uncollateralizedUsd` and `unclassifiedUsd` together.',
);

export const family = {
  slug: text('Identifies the family.'),
  name: text('Name of the family.'),
  address: address(
    "The vault on the family's first settlement chain, EIP-55 checksummed; `chains` has the others.",
  ),
  feederOf: orNull(
    Type.String(),
    'Slug of the master family that this feeder routes deposits into; null for a standalone vault.',
  ),
};

export const snapshotSchema = record(
  {
    slug: family.slug,
    name: family.name,
    address: family.address,
    authority: orNull(
      address('The contract.'),
      "Access-control contract of the vault on the family's first settlement chain, else on the first that names one; null where none does.",
    ),
    assets: assetPair,
    feederOf: family.feederOf,
    bindingDeclarationAddress: address(
      'Address whose pool declarations serve this family; its own unless it mirrors another.',
    ),
    chains: Type.Array(chainEntry, { description: 'Every chain of the family.' }),
    stats: record(
      {
        updatedAt: instant('The instant of the figures, UTC.'),
        importedFromLegacy: Type.Boolean({
          description:
            'Whether any tick of the 30 days behind these figures was imported from a previous backend.',
        }),
        baseAsset: orNull(
          address('The token.'),
          "The base asset on the family's first settlement chain; null when that was never read and the configuration does not name it.",
        ),
        baseAssetDecimals: decimals('Decimals of the base asset.'),
        shareDecimals: decimals('Decimals of the share token.'),
        ...figures,
        chains: Type.Array(chainStats, {
          description:
            'The chains behind the sums. One that cannot be read keeps its last row; one that was never read has none.',
        }),
        pools: Type.Array(pool, {
          description:
            "Biggest first. A feeder's are its master's, scaled to the feeder's `invested`: they add up to it where the master's pools are all that the master is invested in.",
        }),
      },
      'Figures over all chains of the family.',
    ),
    exposure,
  },
  'A vault family now.',
);
