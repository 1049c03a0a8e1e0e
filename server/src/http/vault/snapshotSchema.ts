import { type TSchema, Type } from 'typebox';

const ADDRESS = '^0x[0-9a-fA-F]{40}$';
const AMOUNT = '^\\d+$';

function record<P extends Record<string, TSchema>>(properties: P, description: string) {
  return Type.Object(properties, { description, additionalProperties: false });
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
/** What the windowed rates mean for a family that is younger than their window. */
const YOUNGER = 'a younger family is measured over its whole life';
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
      'The token, EIP-55 checksummed; null on a chain that was never read.',
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

const chainEntry = record(
  { chainId, role: chainRole, assets: assetPair },
  'A chain of the family, whether it can be read or not.',
);

/** The figures over all chains, alike in the snapshot and in the list. */
export const figures = {
  tvl: baseUnits('`idle` + `invested` + `pendingExits` over all chains'),
  idle: baseUnits('Base asset held by the vaults themselves'),
  invested: baseUnits('Value of the pools; an idle-only pool counts too'),
  pendingExits: baseUnits("Assets leaving through a venue's own exit queue"),
  pendingRedemptionAssets: baseUnits('Assets owed to queued redemptions'),
  totalShares: amount('Shares over all chains, in base units of the share token.'),
  assetsPerShare: orNull(
    amount('Price.'),
    "Base units of the base asset for one whole share (10^shareDecimals), on the family's first settlement chain; null while none is published there.",
  ),
  tvlUsd: usd('Value of `tvl`'),
  apy: rate('The 7-day figure, the same as `apy7d`'),
  apy1d: rate(`Compound yearly rate from the share price over 1 day; ${YOUNGER}`),
  apy7d: rate(`Compound yearly rate from the share price over 7 days; ${YOUNGER}`),
  apy30d: rate(`Compound yearly rate from the share price over 30 days; ${YOUNGER}`),
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
    invested: baseUnits('Value of its pools there'),
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
      description: 'Basis points of `tvl`; pools, idle and pending exits add up to 10000.',
    }),
    availableLiquidity: orNull(
      amount('Amount.'),
      'What could be taken out at once, in base units of the base asset; null when the venue does not say.',
    ),
    apy1d: rate("Compound yearly rate from the pool's own share price over 1 day"),
    apy7d: rate("Compound yearly rate from the pool's own share price over 7 days"),
    apy30d: rate("Compound yearly rate from the pool's own share price over 30 days"),
    mechanismApy: rate('The yearly rate that the venue itself states, else the 7-day figure'),
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
    uncollateralizedUsd: usd('Value in pools that lend or hold without collateral'),
    uncollateralizedPct: percent('The same as a part of `allocatedUsd`'),
    underlying: Type.Array(exposureEntry, {
      description: "Each pool's value split over the assets it holds; biggest first.",
    }),
    collateral: Type.Array(exposureEntry, {
      description: "Each pool's value split over what backs its loans; biggest first.",
    }),
  },
  'What the invested value consists of, from the composition of the pools.',
);

export const family = {
  slug: text('Identifies the family.'),
  name: text('Name of the family.'),
  address: address('The vault on every chain, also its share token; EIP-55 checksummed.'),
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
      'Access-control contract of the vault, one on every chain; null where the vault names none.',
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
          "The base asset on the family's first settlement chain; null when that was never read.",
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
            "Biggest first. A feeder's are its master's, scaled so that they add up to the feeder's `invested`.",
        }),
      },
      'Figures over all chains of the family.',
    ),
    exposure,
  },
  'A vault family now.',
);
