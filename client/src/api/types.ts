// Generated from the server's routes by generate/generate.ts; run `npm test -- client/generate -u` to update it.

/** An object whose fields depend on what it describes. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A vault family with its main values. */
export interface ListedVault<Amount = string> {
  /** Identifier of the family. */
  readonly slug: string;
  /** Name of the family. */
  readonly name: string;
  /** The vault on the family's first settlement chain; `chains` has the others. EIP-55 checksummed. */
  readonly address: string;
  /** Slug of the master family that this feeder routes deposits into; null for a standalone vault. */
  readonly feederOf: string | null;
  /** The tokens on the family's first settlement chain; null if none of its chains was read yet. */
  readonly assets: AssetPair | null;
  /** Every chain of the family. */
  readonly chains: readonly ListedVaultChain[];
  /** Values over all chains, as in the snapshot; null if the family was never read, or has no data as of the requested moment. */
  readonly stats: ListedVaultStats<Amount> | null;
  /** The data point that is used for `at` or `block`. Only in responses to requests with one of them. */
  readonly asOf?: AsOf<Amount>;
}

/** The base asset that is deposited, and the share token that represents it. */
export interface AssetPair {
  /** A token on one chain. */
  readonly base: Asset;
  /** A token on one chain. */
  readonly share: Asset;
}

/** A token on one chain. */
export interface Asset {
  /** The chain. EIP-155 chain id. */
  readonly chainId: number;
  /** The token, with its EIP-55 checksum. On a chain that was never read, it comes from the configuration. Null if it is a currency and not a token. */
  readonly address: string | null;
  /** From the chain, else from the configuration. */
  readonly symbol: string;
  /** From the chain, else from the configuration. */
  readonly name: string;
  /** Decimals of the token. */
  readonly decimals: number;
  /** Identifier of the asset at a market-data provider. */
  readonly marketDataId: string;
}

/** A chain of the family. */
export interface ListedVaultChain {
  /** The chain. EIP-155 chain id. */
  readonly chainId: number;
  /** `settlement`: users deposit and redeem here. `execution`: assets are invested here, without deposits. */
  readonly role: 'settlement' | 'execution';
  /** The vault on this chain. EIP-55 checksummed. */
  readonly vault: string;
}

/** Values over all chains. */
export interface ListedVaultStats<Amount = string> {
  /** Time of the values. ISO 8601 in UTC, ending in Z. */
  readonly updatedAt: string;
  /** `idle` + `invested` + `pendingExits` over all chains, in the family's base asset. In base units: an integer in decimal digits. */
  readonly tvl: Amount;
  /** Base asset held by the vaults, in the family's base asset. In base units: an integer in decimal digits. */
  readonly idle: Amount;
  /** Invested value: the pools, including idle-only ones, and assets invested outside of known pools, in the family's base asset. In base units: an integer in decimal digits. */
  readonly invested: Amount;
  /** Assets leaving through a venue's own exit queue, in the family's base asset. In base units: an integer in decimal digits. */
  readonly pendingExits: Amount;
  /** Assets owed to queued redemptions, in the family's base asset. In base units: an integer in decimal digits. */
  readonly pendingRedemptionAssets: Amount;
  /** Shares over all chains, in shares. In base units: an integer in decimal digits. */
  readonly totalShares: Amount;
  /** Base units of the base asset for one share (10^shareDecimals), on the family's first settlement chain; null if no price is published there yet. */
  readonly assetsPerShare: Amount | null;
  /** Value of `tvl`, in USD, not rounded; null if no price was available at that time. */
  readonly tvlUsd: number | null;
  /** The 7-day rate, the same as `apy7d`, as a fraction: 0.045 is 4.5%; null if that is null, never 0 instead. */
  readonly apy: number | null;
  /** Compound yearly rate from the share price over 1 day; a younger family is measured over its entire life, as a fraction: 0.045 is 4.5%; null if it cannot be measured (fewer than two share prices are known), never 0 instead. */
  readonly apy1d: number | null;
  /** Compound yearly rate from the share price over 7 days; a younger family is measured over its entire life, as a fraction: 0.045 is 4.5%; null if it cannot be measured (fewer than two share prices are known), never 0 instead. */
  readonly apy7d: number | null;
  /** Compound yearly rate from the share price over 30 days; a younger family is measured over its entire life, as a fraction: 0.045 is 4.5%; null if it cannot be measured (fewer than two share prices are known), never 0 instead. */
  readonly apy30d: number | null;
  /** Yearly rewards relative to `tvl`; 0 if there are none. A fraction per year: 0.045 is 4.5%. */
  readonly rewardApr: number;
}

/** The data point that is used for `at` or `block`. Only in responses to requests with one of them. */
export interface AsOf<Amount = string> {
  /** Time of the data point. ISO 8601 in UTC, ending in Z. */
  readonly at: string;
  /** Whether all blocks are final and no later data can change these values. Only a change of the configuration, such as of texts, still can. */
  readonly final: boolean;
  /** The blocks of the values. A chain that was not read by then is left out. */
  readonly blocks: readonly AsOfBlock<Amount>[];
}

/** A chain and the block of its state. */
export interface AsOfBlock<Amount = string> {
  /** The chain. EIP-155 chain id. */
  readonly chainId: number;
  /** The block at which its state was read. A block number in decimal digits. */
  readonly block: Amount;
  /** Hash of the block; null if only its number is stored. */
  readonly hash: string | null;
}

/** The state of a vault family. */
export interface Vault<Amount = string> {
  /** Identifier of the family. */
  readonly slug: string;
  /** Name of the family. */
  readonly name: string;
  /** The vault on the family's first settlement chain; `chains` has the others. EIP-55 checksummed. */
  readonly address: string;
  /** Access-control contract of the vault on the family's first settlement chain, else on the first chain that has one; null if there is none, and as of a moment in the past. */
  readonly authority: string | null;
  /** The base asset that is deposited, and the share token that represents it. */
  readonly assets: AssetPair;
  /** Slug of the master family that this feeder routes deposits into; null for a standalone vault. */
  readonly feederOf: string | null;
  /** Address whose pool declarations this family uses; its own unless it mirrors another. EIP-55 checksummed. */
  readonly bindingDeclarationAddress: string;
  /** Every chain of the family. A chain that was never read and whose token addresses are not in the configuration is left out; `assay check` and a warning at startup report it. */
  readonly chains: readonly VaultChain[];
  /** Values over all chains of the family. */
  readonly stats: VaultStats<Amount>;
  /** The composition of the invested value, from the composition of the pools. `collateral`, `uncollateralizedUsd`, and `unclassifiedUsd` add up to `allocatedUsd`. Pools that hold more than the vault counts are scaled down to that. */
  readonly exposure: Exposure;
  /** The data point that is used for `at` or `block`. Only in responses to requests with one of them. */
  readonly asOf?: AsOf<Amount>;
}

/** A chain of the family, whether it can be read or not. */
export interface VaultChain {
  /** The chain. EIP-155 chain id. */
  readonly chainId: number;
  /** `settlement`: users deposit and redeem here. `execution`: assets are invested here, without deposits. */
  readonly role: 'settlement' | 'execution';
  /** The vault on this chain. EIP-55 checksummed. */
  readonly vault: string;
  /** The base asset that is deposited, and the share token that represents it. */
  readonly assets: AssetPair;
}

/** Values over all chains of the family. */
export interface VaultStats<Amount = string> {
  /** Time of the values. ISO 8601 in UTC, ending in Z. */
  readonly updatedAt: string;
  /** Whether a data point of the last 30 days was imported from a legacy backend. */
  readonly importedFromLegacy: boolean;
  /** The base asset on the family's first settlement chain; null if that was never read and is not configured. */
  readonly baseAsset: string | null;
  /** Decimals of the base asset. */
  readonly baseAssetDecimals: number;
  /** Decimals of the share token. */
  readonly shareDecimals: number;
  /** `idle` + `invested` + `pendingExits` over all chains, in the family's base asset. In base units: an integer in decimal digits. */
  readonly tvl: Amount;
  /** Base asset held by the vaults, in the family's base asset. In base units: an integer in decimal digits. */
  readonly idle: Amount;
  /** Invested value: the pools, including idle-only ones, and assets invested outside of known pools, in the family's base asset. In base units: an integer in decimal digits. */
  readonly invested: Amount;
  /** Assets leaving through a venue's own exit queue, in the family's base asset. In base units: an integer in decimal digits. */
  readonly pendingExits: Amount;
  /** Assets owed to queued redemptions, in the family's base asset. In base units: an integer in decimal digits. */
  readonly pendingRedemptionAssets: Amount;
  /** Shares over all chains, in shares. In base units: an integer in decimal digits. */
  readonly totalShares: Amount;
  /** Base units of the base asset for one share (10^shareDecimals), on the family's first settlement chain; null if no price is published there yet. */
  readonly assetsPerShare: Amount | null;
  /** Value of `tvl`, in USD, not rounded; null if no price was available at that time. */
  readonly tvlUsd: number | null;
  /** The 7-day rate, the same as `apy7d`, as a fraction: 0.045 is 4.5%; null if that is null, never 0 instead. */
  readonly apy: number | null;
  /** Compound yearly rate from the share price over 1 day; a younger family is measured over its entire life, as a fraction: 0.045 is 4.5%; null if it cannot be measured (fewer than two share prices are known), never 0 instead. */
  readonly apy1d: number | null;
  /** Compound yearly rate from the share price over 7 days; a younger family is measured over its entire life, as a fraction: 0.045 is 4.5%; null if it cannot be measured (fewer than two share prices are known), never 0 instead. */
  readonly apy7d: number | null;
  /** Compound yearly rate from the share price over 30 days; a younger family is measured over its entire life, as a fraction: 0.045 is 4.5%; null if it cannot be measured (fewer than two share prices are known), never 0 instead. */
  readonly apy30d: number | null;
  /** Yearly rewards relative to `tvl`; 0 if there are none. A fraction per year: 0.045 is 4.5%. */
  readonly rewardApr: number;
  /** The chains of the sums. A chain that cannot be read keeps its last row; a chain that was never read has none. */
  readonly chains: readonly VaultChainStats<Amount>[];
  /** Largest first. A feeder's pools are its master's, scaled to the feeder's `invested`: they add up to it if all of the master's investments are in pools. */
  readonly pools: readonly Pool<Amount>[];
}

/** The family on one chain. */
export interface VaultChainStats<Amount = string> {
  /** The chain. EIP-155 chain id. */
  readonly chainId: number;
  /** The block at which the row was read; an old one on a chain that cannot be read. A block number in decimal digits. */
  readonly block: Amount;
  /** Time of the row: `block` is the newest block at that time. ISO 8601 in UTC, ending in Z. */
  readonly at: string;
  /** Base asset held by the vault there, in the family's base asset. In base units: an integer in decimal digits. */
  readonly idle: Amount;
  /** Invested value there, inside and outside of known pools, in the family's base asset. In base units: an integer in decimal digits. */
  readonly invested: Amount;
  /** Assets in venues' exit queues there, in the family's base asset. In base units: an integer in decimal digits. */
  readonly pendingExits: Amount;
  /** The sum of the three, in the family's base asset. In base units: an integer in decimal digits. */
  readonly tvl: Amount;
  /** Shares on this chain, in shares. In base units: an integer in decimal digits. */
  readonly shareSupply: Amount;
}

/** A pool that the family is invested in. */
export interface Pool<Amount = string> {
  /** The id from the pool registry. */
  readonly offchainId: string;
  /** The chain. EIP-155 chain id. */
  readonly chainId: number;
  /** Name of the pool; its `offchainId` if none is configured. */
  readonly name: string;
  /** Protocol of the pool; empty if none is configured. */
  readonly protocolName: string;
  /** URL of the pool's page; empty if none is configured. */
  readonly poolUrl: string;
  /** Short description; empty if none is configured. */
  readonly description: string;
  /** Value of the family's holding, in the family's base asset. In base units: an integer in decimal digits. */
  readonly value: Amount;
  /** Basis points of `tvl`; pools, idle, pending exits, and assets outside of known pools add up to 10000. */
  readonly allocationBps: number;
  /** What can be withdrawn at that time, in base units of the base asset; null if the venue does not report it, or if it was not read then. */
  readonly availableLiquidity: Amount | null;
  /** Compound yearly rate from the pool's own share price over 1 day; a younger pool is measured over its entire life, as a fraction: 0.045 is 4.5%; null if it cannot be measured (fewer than two share prices are known), never 0 instead. */
  readonly apy1d: number | null;
  /** Compound yearly rate from the pool's own share price over 7 days; a younger pool is measured over its entire life, as a fraction: 0.045 is 4.5%; null if it cannot be measured (fewer than two share prices are known), never 0 instead. */
  readonly apy7d: number | null;
  /** Compound yearly rate from the pool's own share price over 30 days; a younger pool is measured over its entire life, as a fraction: 0.045 is 4.5%; null if it cannot be measured (fewer than two share prices are known), never 0 instead. */
  readonly apy30d: number | null;
  /** The yearly rate that the venue reports, else the 7-day rate, as a fraction: 0.045 is 4.5%; null if neither is known, never 0 instead. */
  readonly mechanismApy: number | null;
  /** 0 to 100, higher is safer: the risk graph's score of the pool, else the registry's; 0 if it has no score. As of a moment in the past, always the registry's at that block. */
  readonly riskScore: number;
  /** `exit-only`: only withdrawals. Removed pools are not listed. */
  readonly status: 'active' | 'exit-only';
  /** Holds the asset ready for redemptions; counts as invested. */
  readonly idleOnly: boolean;
}

/** The composition of the invested value, from the composition of the pools. `collateral`, `uncollateralizedUsd`, and `unclassifiedUsd` add up to `allocatedUsd`. Pools that hold more than the vault counts are scaled down to that. */
export interface Exposure {
  /** Time of the values. ISO 8601 in UTC, ending in Z. */
  readonly at: string;
  /** Value of `invested`, in USD, not rounded; null if no price was available at that time. */
  readonly allocatedUsd: number | null;
  /** Value that pools lend or hold without collateral: their known holdings minus the backed part, in USD, not rounded; null if no price was available at that time. */
  readonly uncollateralizedUsd: number | null;
  /** The same as a share of `allocatedUsd`. In percent, 0 to 100. */
  readonly uncollateralizedPct: number;
  /** Value that cannot be classified: pools without a known composition, the part that a composition leaves out, and assets invested outside of known pools, in USD, not rounded; null if no price was available at that time. */
  readonly unclassifiedUsd: number | null;
  /** The same as a share of `allocatedUsd`. In percent, 0 to 100. */
  readonly unclassifiedPct: number;
  /** Each pool's value, split by the assets it holds; largest first. */
  readonly underlying: readonly ExposureEntry[];
  /** Each pool's value, split by the collateral of its loans; largest first. */
  readonly collateral: readonly ExposureEntry[];
}

/** An asset and the exposure to it. */
export interface ExposureEntry {
  /** The chain. EIP-155 chain id. */
  readonly chainId: number;
  /** The asset. EIP-55 checksummed. */
  readonly address: string;
  /** Symbol of the asset. */
  readonly symbol: string;
  /** Value exposed to the asset, in USD, not rounded; null if no price was available at that time. */
  readonly exposureUsd: number | null;
  /** Share of `allocatedUsd`. In percent, 0 to 100. */
  readonly exposurePct: number;
}

/** The APY at one time. */
export interface ApyTick {
  /** Time of the data point. ISO 8601 in UTC, ending in Z. */
  readonly at: string;
  /** Compounded, from the share price over the previous 7 days. A fraction per year: 0.045 is 4.5%. */
  readonly value: number;
}

/** The value at one time. */
export interface TvlTick<Amount = string> {
  /** Time of the data point. ISO 8601 in UTC, ending in Z. */
  readonly at: string;
  /** Total value locked over all chains, in the family's base asset. In base units: an integer in decimal digits. */
  readonly value: Amount;
  /** The same value in US dollars, at the price of that time; null if no price was available then. */
  readonly usd: number | null;
}

/** The price at one time. */
export interface SharePriceTick<Amount = string> {
  /** Time of the data point. ISO 8601 in UTC, ending in Z. */
  readonly at: string;
  /** Value of one share (10^shareDecimals) on the first settlement chain, in the base asset. In base units: an integer in decimal digits. */
  readonly value: Amount;
}

/** The split of the value at one time. */
export interface SplitTick<Amount = string> {
  /** Time of the data point. ISO 8601 in UTC, ending in Z. */
  readonly at: string;
  /** Base asset held by the vaults themselves. In base units: an integer in decimal digits. */
  readonly idle: Amount;
  /** Invested value. In base units: an integer in decimal digits. */
  readonly invested: Amount;
  /** Assets leaving through a venue's own exit queue. In base units: an integer in decimal digits. */
  readonly pendingExits: Amount;
  /** Assets owed to queued redemptions. In base units: an integer in decimal digits. */
  readonly pendingRedemptionAssets: Amount;
}

/** The withdrawable assets at one time. */
export interface WithdrawableTick<Amount = string> {
  /** Time of the data point. ISO 8601 in UTC, ending in Z. */
  readonly at: string;
  /** Every chain that was read by that time, in the order of the configuration. */
  readonly chains: readonly WithdrawableTickChain<Amount>[];
}

/** A chain and what could be withdrawn there. */
export interface WithdrawableTickChain<Amount = string> {
  /** The chain. EIP-155 chain id. */
  readonly chainId: number;
  /** Base asset held by the vault itself. In base units: an integer in decimal digits. */
  readonly idleAssets: Amount;
  /** What the vault could withdraw from its pools, in base units of the base asset; null for a feeder, without pools, and for times at which it was not read. */
  readonly availableLiquidity: Amount | null;
}

/** The pools at one time. */
export interface AllocationTick<Amount = string> {
  /** Time of the data point. ISO 8601 in UTC, ending in Z. */
  readonly at: string;
  /** Every pool that was read at that time. */
  readonly pools: readonly AllocationTickPool<Amount>[];
}

/** A pool and the value in it. */
export interface AllocationTickPool<Amount = string> {
  /** The id from the pool registry. */
  readonly offchainId: string;
  /** The chain of the pool. EIP-155 chain id. */
  readonly chainId: number;
  /** Value of the family's holding, in its base asset. In base units: an integer in decimal digits. */
  readonly value: Amount;
}

/** Redemption wait times. */
export interface Exits<Amount = string> {
  /** Start of the measured period. ISO 8601 in UTC, ending in Z. */
  readonly from: string;
  /** End of the measured period. ISO 8601 in UTC, ending in Z. */
  readonly to: string;
  /** Requests that were paid or became claimable in the period. */
  readonly paid: ExitsPaid<Amount>;
  /** The queue at the end of the period. */
  readonly waiting: ExitsWaiting<Amount>;
  /** Chains of the requested families that could not be read completely: rows of them can be missing. */
  readonly incompleteChains: readonly IncompleteChain[];
}

/** Requests that were paid or became claimable in the period. */
export interface ExitsPaid<Amount = string> {
  /** Requests that were paid or became claimable, at least in part. */
  readonly requests: number;
  /** Their shares that were paid or became claimable. In base units: an integer in decimal digits. */
  readonly shares: Amount;
  /** Median wait of these shares. In seconds; null if no request was paid. */
  readonly medianSeconds: number | null;
  /** 90th percentile of the wait of these shares. In seconds; null if no request was paid. */
  readonly p90Seconds: number | null;
}

/** The queue at the end of the period. */
export interface ExitsWaiting<Amount = string> {
  /** Pending requests. */
  readonly requests: number;
  /** Pending shares. In base units: an integer in decimal digits. */
  readonly shares: Amount;
  /** When the oldest of them was made; null if there are none. */
  readonly oldest: string | null;
}

/** A chain that could not be read completely. */
export interface IncompleteChain {
  /** The vault family. */
  readonly family: string;
  /** The chain whose items may be incomplete. EIP-155 chain id. */
  readonly chainId: number;
  /** unconfigured: the server has no RPC URL for it; unreachable: its RPC endpoints do not respond, the chain is stalled, or no indexer runs; syncing: it is not indexed up to its head yet. */
  readonly reason: 'unconfigured' | 'unreachable' | 'syncing';
}

/** Exit terms of a family. */
export interface ExitTerms<Amount = string> {
  /** Slug of the vault family. */
  readonly family: string;
  /** The requested amount, before any exit fee; null if none was requested. */
  readonly assets: Amount | null;
  /** One entry per chain that was read, in the order of the configuration. */
  readonly chains: readonly ExitTermsChain<Amount>[];
  /** Chains, ascending, that could not be read: no RPC URL, a failed or late multicall, or a vault that was never indexed. They have no entry in chains. */
  readonly incompleteChains: readonly number[];
}

/** Exit terms on one chain. */
export interface ExitTermsChain<Amount = string> {
  /** The chain. EIP-155 chain id. */
  readonly chainId: number;
  /** The vault contract. EIP-55 checksummed. */
  readonly vault: string;
  /** The block that was read. */
  readonly blockNumber: number;
  /** The family's base asset on that chain; null if it is a currency and not a token. */
  readonly baseAsset: string | null;
  /** Decimals of the base asset. */
  readonly baseAssetDecimals: number;
  /** Symbol of the base asset. */
  readonly baseAssetSymbol: string;
  /** Decimals of the share token. */
  readonly shareDecimals: number;
  /** The result of redeeming `assets` now. instant: it is paid at once; partial: `instantAssets` are paid at once if they are requested on their own; queued: it waits; unavailable: it is rejected. Null without `assets`, or if the contracts do not show it. */
  readonly outcome: 'instant' | 'partial' | 'queued' | 'unavailable' | null;
  /** The part of `assets` that can be paid at once, in base units of the base asset; null if `outcome` is null. */
  readonly instantAssets: Amount | null;
  /** The part of `assets` that would wait, in base units of the base asset; null if `outcome` is null, or if it is unknown whether the rest can wait. */
  readonly queuedAssets: Amount | null;
  /** Shares that `assets` convert to, rounded down; null without `assets`, or if the vault does not convert them. */
  readonly shares: Amount | null;
  /** The maximum that can be withdrawn at once now, before any exit fee, in base units of the base asset; null if it is unknown. If the vault has no function for it, the limit that it reports for its largest holders. */
  readonly withdrawableAssets: Amount | null;
  /** A lower bound of `withdrawableAssets`, because a vault reports no limit above the balance of a holder. Null if it is unknown. */
  readonly withdrawableAtLeast: Amount | null;
  /** The time of `idleAssets` and `availableLiquidity`; null while nothing is indexed. */
  readonly indexedAt: string | null;
  /** Base asset held by the vault itself, in base units; null while nothing is indexed. */
  readonly idleAssets: Amount | null;
  /** What the vault can withdraw from its pools, in base units of the base asset; null for a feeder, without known pools, or if one of them does not state it. The vault's operator may have to move it first. */
  readonly availableLiquidity: Amount | null;
  /** The indexed queue: what is ahead of a new request. */
  readonly queue: ExitTermsChainQueue<Amount>;
  /** How long requests waited before, from the indexed history. Measured, not promised: a new request can wait longer. */
  readonly measuredWait: ExitTermsChainMeasuredWait;
  /** Periods that the vault contract reports; empty if it reports none that the server knows. */
  readonly periods: readonly ExitTermsChainPeriod[];
  /** The exit fee, in percent of the amount, for `assets` or else for 1,000 shares: what the vault previews for a redemption, compared with what the shares convert to. Null if the vault does not preview redemptions. */
  readonly exitFeePct: number | null;
  /** The exit fee of `assets`, in base units of the base asset; null without `assets`, or if the fee is unknown. */
  readonly exitFeeAssets: Amount | null;
  /** The deposit limit of an account without permissions; null if the vault does not state it. */
  readonly deposits: ExitTermsChainDeposits<Amount> | null;
  /** Whether the vault is paused; null if it does not state it. */
  readonly paused: boolean | null;
}

/** The indexed queue: what is ahead of a new request. */
export interface ExitTermsChainQueue<Amount = string> {
  /** Pending requests. */
  readonly requests: number;
  /** Their shares. In base units: an integer in decimal digits. */
  readonly shares: Amount;
  /** What the requests reserved, or the value of their shares at the request, in base units of the base asset; null if it is unknown for one of them. */
  readonly assets: Amount | null;
  /** When the oldest of them was made; null if there are none. */
  readonly oldest: string | null;
}

/** How long requests waited before, from the indexed history. Measured, not promised: a new request can wait longer. */
export interface ExitTermsChainMeasuredWait {
  /** Length of the measured period. */
  readonly days: number;
  /** Requests that were paid or became claimable in the period. */
  readonly requests: number;
  /** Median wait of their shares. In seconds; null if no request was paid in the period. */
  readonly medianSeconds: number | null;
  /** 90th percentile of the wait of their shares. In seconds; null if no request was paid in the period. */
  readonly p90Seconds: number | null;
}

/** A period that the contract states. */
export interface ExitTermsChainPeriod {
  /** cooldown: time between the request and the payment; unstake-window: time in which it can be claimed afterwards; claim-delay: minimum time before a claim; timelock: time before a change of the vault takes effect. */
  readonly name: 'cooldown' | 'unstake-window' | 'claim-delay' | 'timelock';
  /** In seconds. */
  readonly seconds: number;
}

/** The deposit limit. */
export interface ExitTermsChainDeposits<Amount = string> {
  /** Whether there is a limit. */
  readonly isLimited: boolean;
  /** The maximum that can be deposited now, in base units of the base asset; null without a limit. */
  readonly maxAssets: Amount | null;
}

/** What contributed to the return of a family. */
export interface YieldBySource<Amount = string> {
  /** First data point of the window; null without data. */
  readonly from: string | null;
  /** Last data point of the window; null without data. */
  readonly to: string | null;
  /** Data points that were used. */
  readonly dataPoints: number;
  /** Decimals of the base asset; null if the vault has not been read yet. */
  readonly baseAssetDecimals: number | null;
  /** Average value of all shares in the window, in base units of the base asset; null with fewer than two data points. */
  readonly averageValue: Amount | null;
  /** What the change of the share price added to the value of the shares; null with fewer than two data points. */
  readonly total: YieldBySourceTotal<Amount> | null;
  /** Largest contribution first, regardless of its sign. */
  readonly sources: readonly YieldBySourceSource<Amount>[];
  /** The rest of `total`: `total` less all sources, exactly; null with fewer than two data points. */
  readonly unattributed: YieldBySourceUnattributed<Amount> | null;
  /** Chains of the requested families that could not be read completely: rows of them can be missing. */
  readonly incompleteChains: readonly IncompleteChain[];
}

/** What the change of the share price added to the value of the shares. */
export interface YieldBySourceTotal<Amount = string> {
  /** In the base asset. In base units: an integer in decimal digits, with a minus sign when negative. */
  readonly assets: Amount;
  /** `assets` as a part of `averageValue`, over the window and not per year; null if that is 0. */
  readonly fraction: number | null;
}

/** One source and its contribution. */
export interface YieldBySourceSource<Amount = string> {
  /** pool: the change of the venue's share price; reward: what the venue streamed; shareFees: shares minted without a deposit, less shares burned without a payment; with `ledger.mints: received`, only shares burned in addition to a payment. */
  readonly source: 'pool' | 'reward' | 'shareFees';
  /** The chain of the pool; null for fees. */
  readonly chainId: number | null;
  /** The id from the pool registry; null for fees. */
  readonly offchainId: string | null;
  /** In the base asset. In base units: an integer in decimal digits, with a minus sign when negative. */
  readonly assets: Amount;
  /** `assets` as a part of `averageValue`, over the window and not per year; null if that is 0. */
  readonly fraction: number | null;
}

/** The rest of `total`: `total` less all sources, exactly. */
export interface YieldBySourceUnattributed<Amount = string> {
  /** In the base asset. In base units: an integer in decimal digits, with a minus sign when negative. */
  readonly assets: Amount;
  /** `assets` as a part of `averageValue`, over the window and not per year; null if that is 0. */
  readonly fraction: number | null;
}

/** The holders of a family. */
export interface Holders<Amount = string> {
  /** The time of these holdings: all chains have been indexed to it. Null before the first. */
  readonly at: string | null;
  /** Number of wallets with shares. */
  readonly holders: number;
  /** Total shares of all of them. In base units: an integer in decimal digits. */
  readonly shares: Amount;
  /** The largest holders, at most `limit`, largest first. */
  readonly largest: readonly HoldersLargest<Amount>[];
  /** Chains of the requested families that could not be read completely: rows of them can be missing. */
  readonly incompleteChains?: readonly IncompleteChain[];
  /** The data point that is used for `at` or `block`. Only in responses to requests with one of them. */
  readonly asOf?: AsOf<Amount>;
}

/** A wallet and its part. */
export interface HoldersLargest<Amount = string> {
  /** The wallet. EIP-55 checksummed. */
  readonly wallet: string;
  /** Its shares over all chains, including queued redemptions. In base units: an integer in decimal digits. */
  readonly shares: Amount;
  /** Its part of all `shares`. In percent, 0 to 100. */
  readonly sharesPct: number;
  /** @deprecated Use `sharesPct` instead. The same value. In percent, 0 to 100. */
  readonly pct: number;
}

/** One page of history. */
export interface HistoryPage<Amount = string> {
  /** Newest first, by block time, chain id, block number, and log index. */
  readonly items: readonly HistoryItem<Amount>[];
  /** Opaque; pass it unchanged as cursor to get the next page. Null on the last page. */
  readonly nextCursor: string | null;
  /** Every chain of the requested families, in any role, that could not be read completely. Indexed items of it are still returned. */
  readonly incompleteChains: readonly IncompleteChain[];
}

/** A deposit, payout, request, or cancellation. */
export interface HistoryItem<Amount = string> {
  /** Identifies the item, also in `/v1/events`: `chainId-blockNumber-logIndex`. */
  readonly id: string;
  /** deposit; withdraw: assets paid out, immediately or when a queued request is fulfilled; redeem: a queued redemption request; cancel: a cancelled request. An instant redemption is one item. */
  readonly type: 'deposit' | 'withdraw' | 'redeem' | 'cancel';
  /** The chain. EIP-155 chain id. */
  readonly chainId: number;
  /** The family's vault on that chain. EIP-55 checksummed. */
  readonly vaultAddress: string;
  /** The wallet: the owner of a deposit, the receiver of a redemption. EIP-55 checksummed. */
  readonly user: string;
  /** In base units of the base asset. Null for a redemption request that names only shares, before the first share price of its vault. */
  readonly assets: Amount | null;
  /** In shares. In base units: an integer in decimal digits. */
  readonly shares: Amount;
  /** The transaction. */
  readonly transactionHash: string;
  /** Time of its block. In Unix seconds. */
  readonly blockTimestamp: number;
  /** The block in which it happened. */
  readonly blockNumber: number;
  /** Index of its log in that block. */
  readonly logIndex: number;
}

/** One page of governance history. */
export interface GovernancePage {
  /** Newest first, by block time, chain id, block number, and log index. */
  readonly items: readonly GovernancePageItem[];
  /** Opaque; pass it unchanged as cursor to get the next page. Null on the last page. */
  readonly nextCursor: string | null;
  /** Every chain of the family whose changes could not be read completely. Indexed items of it are still returned. */
  readonly incompleteChains: readonly IncompleteChain[];
}

/** A change of the owner, roles, or limits of a contract. */
export interface GovernancePageItem {
  /** Identifies the item, also in `/v1/events`: `chainId-blockNumber-logIndex-slug`. */
  readonly id: string;
  /** owner, role, and curator: who controls the contract; cap: limits of deposits, markets, and strategies; fee: fees and their recipients; oracle: price sources and their bounds; pause: paused, resumed, or shut down; timelock: delays, and changes that wait for one; upgrade: proxies; allocation: where assets can go; access: who can deposit or redeem; other: any other event that the server reads. */
  readonly kind: 'owner' | 'role' | 'curator' | 'cap' | 'fee' | 'oracle' | 'pause' | 'timelock' | 'upgrade' | 'allocation' | 'access' | 'other';
  /** Name of the event, as in its contract. */
  readonly event: string;
  /** The contract that emitted it. EIP-55 checksummed. */
  readonly contract: string;
  /** As in the event: addresses, hex, or integers. Null if the event names nothing. */
  readonly subject: string | null;
  /** Null if the event does not have it. */
  readonly oldValue: string | null;
  /** Null if the event does not have it. */
  readonly newValue: string | null;
  /** Null if the event does not have it. */
  readonly effectiveAt: number | null;
  /** The chain. EIP-155 chain id. */
  readonly chainId: number;
  /** The transaction. */
  readonly transactionHash: string;
  /** Time of its block. In Unix seconds. */
  readonly blockTimestamp: number;
  /** The block in which it happened. */
  readonly blockNumber: number;
  /** Index of its log in that block. */
  readonly logIndex: number;
}

/** Pending redemptions of a wallet, read live from the chains. */
export interface PendingRedeems<Amount = string> {
  /** One entry for each vault in which the wallet has queued shares (or, in an ERC-7540 vault, claimable ones). */
  readonly redeems: readonly PendingRedeem<Amount>[];
  /** Chains, ascending, on which at least one read failed: no RPC URL, a failed or late multicall, or a failed read of a single vault. Vaults that could not be read have no entry in redeems; other vaults on a listed chain may have entries. */
  readonly incompleteChains: readonly number[];
}

/** A queued redemption of the wallet in one vault on one chain. */
export interface PendingRedeem<Amount = string> {
  /** Slug of the vault family. */
  readonly family: string;
  /** The chain of the redemption. EIP-155 chain id. */
  readonly chainId: number;
  /** The vault contract. EIP-55 checksummed. */
  readonly vault: string;
  /** Queued shares; 0 if they are burned at the request and only assets are owed. In base units: an integer in decimal digits. */
  readonly shares: Amount;
  /** Assets that the request reserved, in the base asset, before any exit fee. An ERC-7540 vault that fixes the amount at the request (fixed-request in /v1/status) reserves the value of the shares in the block before. Other ERC-7540 vaults reserve nothing before they fulfill a request, so this equals currentAssets. In base units: an integer in decimal digits. */
  readonly requestedAssets: Amount;
  /** What these shares convert to now, in the base asset. In base units: an integer in decimal digits. */
  readonly currentAssets: Amount;
  /** Decimals of the share token. */
  readonly shareDecimals: number;
  /** The family's base asset on that chain; null if it is a currency and not a token. */
  readonly baseAsset: string | null;
  /** Decimals of the base asset. */
  readonly baseAssetDecimals: number;
  /** Symbol of the base asset. */
  readonly baseAssetSymbol: string;
  /** For ERC-7540 vaults, and plain vaults with a known exit queue: shares of fulfilled requests that are ready to be claimed. Not included in shares. In base units: an integer in decimal digits. */
  readonly claimableShares?: Amount;
  /** Present with claimableShares: what the claim pays, including for shares that the queue no longer counts; null if the vault does not report it. */
  readonly claimableAssets?: Amount | null;
  /** Assets that other wallets requested before the last of these requests and that are still pending, in this vault on this chain, in the base asset. First in, first out, this much is paid before the wallet is paid in full (a vault may use another order). Uses the reserved amounts (for partly paid requests, the remaining part); without reservations, the value of the shares at the newest indexed price. Null if unknown: assetsAheadReason has the reason. */
  readonly assetsAhead: Amount | null;
  /** Why assetsAhead is null; null if it is known. claimable: nothing of this entry is pending. not-indexed: the index lags behind, so that the wallet's indexed requests differ from the vault's state. several-vaults: vaults over one share token, whose requests cannot be distinguished. unpriced: no share price is indexed yet. */
  readonly assetsAheadReason: 'claimable' | 'not-indexed' | 'several-vaults' | 'unpriced' | null;
  /** @deprecated Use `assetsAhead` instead. The same value. */
  readonly assetsBefore: Amount | null;
  /** @deprecated Use `assetsAheadReason` instead. The same value. */
  readonly assetsBeforeReason: 'claimable' | 'not-indexed' | 'several-vaults' | 'unpriced' | null;
}

/** Pending deposits of a wallet, read live from the chains. */
export interface PendingDeposits<Amount = string> {
  /** One entry for each vault in which the wallet has queued assets, shares to claim, or refunds of a cancelled request. */
  readonly deposits: readonly PendingDeposit<Amount>[];
  /** Chains, ascending, on which at least one read failed: no RPC URL, a failed or late multicall, or a failed read of a single vault. Vaults that could not be read have no entry in deposits; other vaults on a listed chain may have entries. */
  readonly incompleteChains: readonly number[];
}

/** Deposits of the wallet in one vault on one chain that have no shares yet. */
export interface PendingDeposit<Amount = string> {
  /** Slug of the vault family. */
  readonly family: string;
  /** The chain of the deposit. EIP-155 chain id. */
  readonly chainId: number;
  /** The vault contract. EIP-55 checksummed. */
  readonly vault: string;
  /** Queued assets, in the base asset. In base units: an integer in decimal digits. */
  readonly assets: Amount;
  /** Accepted assets whose shares are ready to be claimed, in the base asset. Not included in assets. In base units: an integer in decimal digits. */
  readonly claimableAssets: Amount;
  /** The shares that can be claimed for claimableAssets; null if the vault does not report them, for example while it is paused. Partial claims may leave shares that are worth less than a base unit of the asset. */
  readonly claimableShares: Amount | null;
  /** Decimals of the share token. */
  readonly shareDecimals: number;
  /** The base asset of that vault. EIP-55 checksummed. */
  readonly baseAsset: string;
  /** Decimals of the base asset. */
  readonly baseAssetDecimals: number;
  /** Symbol of the base asset. */
  readonly baseAssetSymbol: string;
  /** Only for vaults with delayed cancellation: refunds of cancelled requests that can be claimed, in the base asset. Not included in assets. In base units: an integer in decimal digits. */
  readonly returnableAssets?: Amount;
}

/** The cost basis, holdings, and profit or loss of a wallet. */
export interface Performance<Amount = string> {
  /** The requested wallet. EIP-55 checksummed. */
  readonly wallet: string;
  /** One entry for each family in which the wallet ever held shares. */
  readonly families: readonly PerformanceFamily<Amount>[];
  /** Over all families of this response. */
  readonly totals: PerformanceTotals;
}

/** A wallet in one vault family, over all its chains. */
export interface PerformanceFamily<Amount = string> {
  /** Slug of the vault family. */
  readonly family: string;
  /** The base asset on the family's first settlement chain; null if it is a currency and not a token. */
  readonly baseAsset: string | null;
  /** Decimals of the base asset. */
  readonly baseAssetDecimals: number;
  /** Symbol of the base asset. */
  readonly baseAssetSymbol: string;
  /** Decimals of the share token. */
  readonly shareDecimals: number;
  /** Assets received for redeemed shares minus their cost, in the base asset. In base units: an integer in decimal digits, with a minus sign when negative. */
  readonly realized: Amount;
  /** Cost of the held shares, in the base asset. In base units: an integer in decimal digits. */
  readonly costBasis: Amount;
  /** Shares over all chains of the family, including queued redemptions. In base units: an integer in decimal digits. */
  readonly sharesBalance: Amount;
  /** sharesBalance at the newest share price, rounded down once over all chains; null until the family has a share price. */
  readonly currentValue: Amount | null;
  /** currentValue minus costBasis; null if currentValue is null. */
  readonly unrealized: Amount | null;
  /** null if no recent price of the base asset is available. */
  readonly usd: PerformanceFamilyUsd | null;
  /** Present if the wallet bought shares without a Deposit event, or got shares before they had a price: they cost 0 here, so costBasis is too low, and unrealized or realized too high. Also present if it was paid for shares without a Withdraw event: realized leaves that payment out. */
  readonly costIncomplete?: true;
  /** Time of the price of all values in usd; null if usd is null. */
  readonly pricedAt: string | null;
  /** The data point that is used for `at` or `block`. Only in responses to requests with one of them. */
  readonly asOf?: AsOf<Amount>;
}

/** The same values in US dollars, all at one price. */
export interface PerformanceFamilyUsd {
  /** currentValue at the price of pricedAt. In US dollars. */
  readonly currentValueUsd: number;
  /** unrealized at the price of pricedAt; may be negative. In US dollars. */
  readonly unrealizedUsd: number;
  /** realized at the price of pricedAt; may be negative. In US dollars. */
  readonly realizedUsd: number;
}

/** Over all families of this response. */
export interface PerformanceTotals {
  /** Sum over the families with USD values. In US dollars. */
  readonly currentValueUsd: number;
  /** Sum over the families with USD values; can be negative. In US dollars. */
  readonly unrealizedUsd: number;
  /** Sum over the families with USD values; can be negative. In US dollars. */
  readonly realizedUsd: number;
  /** Families of this response without USD values; they are not included in the sums. */
  readonly unpricedFamilies: readonly string[];
}

/** One page of a wallet's movements. */
export interface MovementPage<Amount = string> {
  /** Newest first, by block time, chain id, block number, log index, and part. */
  readonly items: readonly Movement<Amount>[];
  /** Opaque; pass it unchanged as cursor to get the next page. Null on the last page. */
  readonly nextCursor: string | null;
  /** Every chain of the requested families, in any role, that could not be read completely. Indexed items of it are still returned. */
  readonly incompleteChains: readonly IncompleteChain[];
}

/** One movement of shares. */
export interface Movement<Amount = string> {
  /** Identifies the movement within its family: `chainId-blockNumber-logIndex-part`. */
  readonly id: string;
  /** Slug of the vault family. */
  readonly family: string;
  /** The chain. EIP-155 chain id. */
  readonly chainId: number;
  /** deposit; exit: assets paid for shares; received, sent: shares from or to another wallet. */
  readonly type: 'deposit' | 'exit' | 'received' | 'sent';
  /** Shares received or given up. In base units: an integer in decimal digits. */
  readonly shares: Amount;
  /** Assets paid in, paid out, or the value of received shares, in base units of the base asset. Null for sent shares, for which nothing was paid. */
  readonly assets: Amount | null;
  /** Decimals of the base asset. */
  readonly baseAssetDecimals: number;
  /** Change of the cost basis: negative if cost leaves. In base units: an integer in decimal digits, with a minus sign when negative. */
  readonly cost: Amount;
  /** For an exit: assets received minus the cost of its shares; null otherwise. */
  readonly result: Amount | null;
  /** Value of `assets` in US dollars at the price of that time; null without `assets`, or if no price was available then. */
  readonly usd: number | null;
  /** The transaction; null if several transactions of the block may have settled it, and for transfers between wallets that an older version indexed. */
  readonly transactionHash: string | null;
  /** Time of its block. In Unix seconds. */
  readonly blockTimestamp: number;
  /** The block in which it happened. */
  readonly blockNumber: number;
  /** Index of its log in that block. */
  readonly logIndex: number;
}

/** One movement of shares. */
export interface LedgerEntry<Amount = string> {
  /** Time of its block. ISO 8601 in UTC, ending in Z. */
  readonly at: string;
  /** Slug of the vault family. */
  readonly family: string;
  /** The chain. EIP-155 chain id. */
  readonly chainId: number;
  /** deposit; exit: assets paid for shares; received, sent: shares from or to another wallet. */
  readonly type: 'deposit' | 'exit' | 'received' | 'sent';
  /** Shares received or given up. In base units: an integer in decimal digits. */
  readonly shares: Amount;
  /** Assets paid in, paid out, or the value of received shares; 0 for sent shares. In base units: an integer in decimal digits. */
  readonly assets: Amount;
  /** Decimals of the base asset. */
  readonly baseAssetDecimals: number;
  /** Change of the cost basis: negative if cost leaves. In base units: an integer in decimal digits, with a minus sign when negative. */
  readonly cost: Amount;
  /** For an exit: assets received minus the cost of its shares; null otherwise. */
  readonly result: Amount | null;
  /** Value of `assets` in US dollars at the price of that time; null if no price was available then. */
  readonly usd: number | null;
  /** The transaction; null if several transactions of the block may have settled it, and for transfers between wallets that an older version indexed. */
  readonly transactionHash: string | null;
}

/** One page of lots. */
export interface LotPage<Amount = string> {
  /** The requested wallet. EIP-55 checksummed. */
  readonly wallet: string;
  /** Open lots in the order in which they were opened, or closed lots in the order in which they left; family by family. */
  readonly items: readonly Lot<Amount>[];
  /** Opaque; pass it unchanged as cursor to get the next page. Null on the last page. */
  readonly nextCursor: string | null;
  /** Chains of the requested families that could not be read completely: rows of them can be missing. */
  readonly incompleteChains: readonly IncompleteChain[];
}

/** Shares that came in together: those still held, or those that left together. */
export interface Lot<Amount = string> {
  /** Slug of the vault family. */
  readonly family: string;
  /** When the shares came in; null for shares from before the first indexed block. */
  readonly openedAt: string | null;
  /** deposit; received: from another wallet, at their value then; reward: at no cost. Null if openedAt is null. */
  readonly openedBy: 'deposit' | 'received' | 'reward' | null;
  /** Null if openedAt is null. */
  readonly openedChainId: number | null;
  /** Null for an open lot. */
  readonly closedAt: string | null;
  /** exit: assets paid for shares; fee: shares given up for no assets; sent: to another wallet. Null for an open lot. */
  readonly closedBy: 'exit' | 'fee' | 'sent' | null;
  /** Null for an open lot. */
  readonly closedChainId: number | null;
  /** From openedAt to closedAt, or until now; null if openedAt is null. */
  readonly holdingSeconds: number | null;
  /** holdingSeconds in full days of 24 hours. */
  readonly holdingDays: number | null;
  /** Shares that the lot still holds, or that left of it. In base units: an integer in decimal digits. */
  readonly shares: Amount;
  /** Decimals of the share token. */
  readonly shareDecimals: number;
  /** Cost of these shares, in the base asset. In base units: an integer in decimal digits. */
  readonly cost: Amount;
  /** Symbol of the base asset. */
  readonly baseAssetSymbol: string;
  /** Decimals of the base asset. */
  readonly baseAssetDecimals: number;
  /** The lot's part of the wallet's currentValue in the family, by shares. Null for a closed lot, and until the family has a share price. */
  readonly currentValue: Amount | null;
  /** currentValue minus cost; null if currentValue is null. */
  readonly unrealized: Amount | null;
  /** Assets received for these shares; null for an open lot and for shares sent. */
  readonly assets: Amount | null;
  /** assets minus cost; null if assets is null. */
  readonly realized: Amount | null;
}

/** A statement of a calendar year. */
export interface WalletStatement<Amount = string> {
  /** The requested wallets, as one owner. */
  readonly wallets: readonly string[];
  /** The cost method. */
  readonly method: string;
  /** The calendar year. */
  readonly year: number;
  /** The time zone of the year. */
  readonly timeZone: string;
  /** The first second of the year. ISO 8601 in UTC, ending in Z. */
  readonly from: string;
  /** The end of the year, or now if it is not over. ISO 8601 in UTC, ending in Z. */
  readonly until: string;
  /** Each family that the wallets held or moved shares of in the year. */
  readonly families: readonly StatementFamily<Amount>[];
  /** Over all families of this response. */
  readonly totals: WalletStatementTotals;
  /** Chains of the requested families that could not be read completely: movements can be missing. */
  readonly incompleteChains: readonly IncompleteChain[];
}

/** One vault family, over all its chains. */
export interface StatementFamily<Amount = string> {
  /** Slug of the vault family. */
  readonly family: string;
  /** Symbol of the base asset. */
  readonly baseAssetSymbol: string;
  /** Decimals of the base asset. */
  readonly baseAssetDecimals: number;
  /** Symbol of the share token. */
  readonly shareSymbol: string;
  /** Decimals of the share token. */
  readonly shareDecimals: number;
  /** What the wallets held. */
  readonly opening: StatementBalance<Amount>;
  /** All movements of one type. */
  readonly deposits: StatementFlow<Amount>;
  /** All movements of one type. */
  readonly exits: StatementFlow<Amount>;
  /** All movements of one type. */
  readonly transfersIn: StatementFlow<Amount>;
  /** All movements of one type. */
  readonly transfersOut: StatementFlow<Amount>;
  /** All movements of one type. */
  readonly rewards: StatementFlow<Amount>;
  /** All movements of one type. */
  readonly fees: StatementFlow<Amount>;
  /** What the wallets held. */
  readonly closing: StatementBalance<Amount>;
  /** Realized in the period: exits and fees. In base units: an integer in decimal digits, with a minus sign when negative. */
  readonly realized: Amount;
  /** Each result at the price of its time, in US dollars; null if no price was available for a part of it. */
  readonly realizedUsd: number | null;
  /** unrealized of closing minus that of opening; null if one of them is null. */
  readonly unrealizedChange: Amount | null;
  /** Whether shares were bought without a Deposit event, or moved before they had a price: they cost 0 here. Also true if shares were paid out without a Withdraw event: that redemption is missing here. */
  readonly costIncomplete: boolean;
  /** The movements of the period, oldest first. */
  readonly entries: readonly StatementEntry<Amount>[];
}

/** What the wallets held. */
export interface StatementBalance<Amount = string> {
  /** The second for which it is computed. ISO 8601 in UTC, ending in Z. */
  readonly at: string;
  /** Shares held, including queued redemptions. In base units: an integer in decimal digits. */
  readonly shares: Amount;
  /** Cost basis of the shares, in the base asset. In base units: an integer in decimal digits. */
  readonly cost: Amount;
  /** Shares at the share price of that time, in the base asset; null if there was none. */
  readonly value: Amount | null;
  /** value minus cost; null without a value. */
  readonly unrealized: Amount | null;
  /** value in US dollars; null if no price was available for a part of it. */
  readonly valueUsd: number | null;
}

/** All movements of one type. */
export interface StatementFlow<Amount = string> {
  /** Number of movements. */
  readonly count: number;
  /** Sum of the shares. In base units: an integer in decimal digits. */
  readonly shares: Amount;
  /** Assets paid in or out, or the value of received shares; 0 for all others. In base units: an integer in decimal digits. */
  readonly assets: Amount;
  /** Change of the cost basis. In base units: an integer in decimal digits, with a minus sign when negative. */
  readonly cost: Amount;
  /** Realized profit or loss; 0 except for exits and fees. In base units: an integer in decimal digits, with a minus sign when negative. */
  readonly realized: Amount;
  /** Sum of the USD values of `assets` at the time of each movement; null if no price was available for a part of it. */
  readonly usd: number | null;
}

/** One movement of shares. */
export interface StatementEntry<Amount = string> {
  /** Time of its block. ISO 8601 in UTC, ending in Z. */
  readonly at: string;
  /** The chain. EIP-155 chain id. */
  readonly chainId: number;
  /** The wallet. EIP-55 checksummed. */
  readonly wallet: string;
  /** deposit; exit: assets paid for shares; received, sent: shares from or to a wallet that is not in this statement; reward: shares that came in at no cost; fee: shares given up for no assets. */
  readonly type: 'deposit' | 'exit' | 'received' | 'sent' | 'reward' | 'fee';
  /** Shares received or given up. In base units: an integer in decimal digits. */
  readonly shares: Amount;
  /** As in the sums above. In base units: an integer in decimal digits. */
  readonly assets: Amount;
  /** Change of the cost basis. In base units: an integer in decimal digits, with a minus sign when negative. */
  readonly cost: Amount;
  /** Null except for exits and fees. */
  readonly realized: Amount | null;
  /** Null if no price was available then. */
  readonly usd: number | null;
  /** Null where it is not stored. */
  readonly transactionHash: string | null;
}

/** Over all families of this response. */
export interface WalletStatementTotals {
  /** Sum over the families. In US dollars. */
  readonly openingValueUsd: number;
  /** Sum over the families. In US dollars. */
  readonly closingValueUsd: number;
  /** Sum over the families. In US dollars. */
  readonly depositsUsd: number;
  /** Sum over the families. In US dollars. */
  readonly exitsUsd: number;
  /** Sum over the families; can be negative. In US dollars. */
  readonly realizedUsd: number;
  /** Families for which one of these values is null; they are not included in the sums. */
  readonly unpricedFamilies: readonly string[];
}

/** Alerts and their last transitions. */
export interface AlertList {
  /** Alerts that were evaluated, by name. */
  readonly alerts: readonly AlertListAlert[];
  /** When alerts fired and cleared, newest first. */
  readonly recent: readonly AlertListRecent[];
}

/** An alert of a family. */
export interface AlertListAlert {
  /** Name of the alert in the configuration. */
  readonly name: string;
  /** What the alert watches. */
  readonly kind: 'share-price-falls' | 'tvl-moves' | 'liquidity-moves' | 'large-deposit' | 'large-exit' | 'queue-above' | 'wait-above' | 'apy-outside' | 'feed-stale' | 'oracle-stale' | 'chain-behind' | 'gap' | 'grade-changed' | 'governance';
  /** The vault family. */
  readonly family: string;
  /** The chain that the alert is about; for an alert about the entire family, its first settlement chain. EIP-155 chain id. */
  readonly chainId: number;
  /** Whether the alert is active. */
  readonly state: 'firing' | 'clear';
  /** When it fired or cleared last; null if it never fired. */
  readonly since: number | null;
  /** The last measured value; null if unknown. */
  readonly value: string | null;
  /** Unit of the value: percent; base-units of the base asset; seconds; count, a number of changes. */
  readonly unit: 'percent' | 'base-units' | 'seconds' | 'count';
  /** Decimals of the base asset; null for other units, and if unknown. */
  readonly decimals: number | null;
}

/** One time that an alert fired or cleared. */
export interface AlertListRecent {
  /** Identifies the transition, also in `/v1/events`. */
  readonly id: string;
  /** Name of the alert in the configuration. */
  readonly name: string;
  /** What the alert watches. */
  readonly kind: 'share-price-falls' | 'tvl-moves' | 'liquidity-moves' | 'large-deposit' | 'large-exit' | 'queue-above' | 'wait-above' | 'apy-outside' | 'feed-stale' | 'oracle-stale' | 'chain-behind' | 'gap' | 'grade-changed' | 'governance';
  /** What happened. */
  readonly status: 'fired' | 'cleared';
  /** When it was measured. In Unix seconds. */
  readonly at: number;
  /** The measured value. */
  readonly value: string;
  /** The value at which it fires or clears. */
  readonly bound: string;
  /** Unit of the value: percent; base-units of the base asset; seconds; count, a number of changes. */
  readonly unit: 'percent' | 'base-units' | 'seconds' | 'count';
  /** The vault family. */
  readonly family: string;
  /** The chain of the block. EIP-155 chain id. */
  readonly chainId: number;
  /** The newest block before that time. */
  readonly blockNumber: number;
}

/** The grading method. */
export interface RiskMethodology {
  /** Version of the method. */
  readonly version: string;
  /** The grade of each probability; a grade that is missing is not assigned. */
  readonly cutoffs: readonly RiskMethodologyCutoff[];
  /** The factors of a node’s own hazard of a loss. */
  readonly factors: readonly RiskMethodologyFactor[];
  /** The factors of the hazard of abandonment. It can limit a grade but is not part of it. */
  readonly closure: readonly RiskMethodologyFactor[];
  /** How risk passes along edges. */
  readonly dependencies: readonly RiskMethodologyDependency[];
  /** The best grade that a node can get. */
  readonly floors: readonly RiskMethodologyFloor[];
  /** Grades from old facts, compared with later outcomes. */
  readonly backtest: RiskMethodologyBacktest;
  /** Limits of the data. */
  readonly limits: readonly string[];
  /** Rejected approaches, and why. */
  readonly tried: readonly string[];
}

/** One grade. */
export interface RiskMethodologyCutoff {
  /** Letter grade, A (safest) to F (riskiest). */
  readonly grade: 'A' | 'B' | 'C' | 'D' | 'E' | 'F';
  /** Maximum yearly probability of a loss, in percent; null: no maximum. */
  readonly upToPercent: number | null;
}

/** One factor. */
export interface RiskMethodologyFactor {
  /** Kind of node. */
  readonly of: 'Pool' | 'Asset' | 'Protocol' | 'Chain';
  /** What is measured. */
  readonly factor: string;
  /** Percent per year to start from, or the factor of the hazard. */
  readonly kind: 'anchor' | 'multiplier';
  /** Every case with its weight. */
  readonly rows: readonly RiskMethodologyFactorRow[];
}

/** One case with its weight. */
export interface RiskMethodologyFactorRow {
  /** The case. */
  readonly when: string;
  /** Its weight. */
  readonly value: number;
}

/** One type of edge. */
export interface RiskMethodologyDependency {
  /** Type of edge. */
  readonly edge: string;
  /** How much of the target’s risk the source carries. */
  readonly weight: unknown;
}

/** One floor. */
export interface RiskMethodologyFloor {
  /** Letter grade, A (safest) to F (riskiest). */
  readonly grade: 'A' | 'B' | 'C' | 'D' | 'E' | 'F';
  /** While this condition holds. */
  readonly when: string;
}

/** Grades from old facts, compared with later outcomes. */
export interface RiskMethodologyBacktest {
  /** Month of the facts. */
  readonly facts: string;
  /** First month of the outcomes. */
  readonly from: string;
  /** Last month of the outcomes. */
  readonly to: string;
  /** Months in between. */
  readonly months: number;
  /** Protocols tested. */
  readonly protocols: number;
  /** How well the ranking predicted losses. */
  readonly loss: readonly RiskMethodologyBacktestLoss[];
  /** Losses by size. */
  readonly sizes: readonly RiskMethodologyBacktestSize[];
  /** Trained on one period, tested on another. */
  readonly overTime: readonly RiskMethodologyBacktestOverTime[];
  /** Observed losses by grade, protocols above 1 million USD. */
  readonly grades: readonly RiskMethodologyBacktestGrade[];
  /** The same for all sizes. */
  readonly gradesOfAll: readonly RiskMethodologyBacktestGrade[];
  /** Each fact alone. */
  readonly singleFacts: readonly RiskMethodologyBacktestSingleFact[];
  /** Other sets of facts. */
  readonly tried: readonly RiskMethodologyBacktestTried[];
  /** How well the ranking predicted closure. */
  readonly closure: RiskMethodologyBacktestClosure;
  /** Stablecoins that were at their peg. */
  readonly stablecoins: readonly RiskMethodologyBacktestStablecoin[];
  /** AUC of the ranking of these coins. */
  readonly stablecoinAuc: RiskMethodologyBacktestStablecoinAuc;
  /** Whether dependencies improve the ranking. */
  readonly dependencies: readonly RiskMethodologyBacktestDependency[];
  /** After an incident. */
  readonly again: RiskMethodologyBacktestAgain;
}

/** One outcome. */
export interface RiskMethodologyBacktestLoss {
  /** Outcome and group of protocols. */
  readonly group: string;
  /** Number of protocols. */
  readonly protocols: number;
  /** Number of protocols with this outcome. */
  readonly happened: number;
  /** AUC, 0 to 1: of TVL, in the better direction. */
  readonly sizeAlone: number;
  /** AUC of weights fitted on other protocols than those they score. */
  readonly crossFitted: RiskMethodologyBacktestLossCrossFitted;
  /** Improvement of the second over the first. */
  readonly gain: RiskMethodologyBacktestLossGain;
}

/** AUC of weights fitted on other protocols than those they score. */
export interface RiskMethodologyBacktestLossCrossFitted {
  /** The value. */
  readonly value: number;
  /** Lower end of its 95% interval. */
  readonly low: number;
  /** Upper end of its 95% interval. */
  readonly high: number;
}

/** Improvement of the second over the first. */
export interface RiskMethodologyBacktestLossGain {
  /** The value. */
  readonly value: number;
  /** Lower end of its 95% interval. */
  readonly low: number;
  /** Upper end of its 95% interval. */
  readonly high: number;
}

/** One size. */
export interface RiskMethodologyBacktestSize {
  /** TVL. */
  readonly size: string;
  /** Protocols of that size. */
  readonly protocols: number;
  /** Number of these with a known loss of at least 1%. */
  readonly lost: number;
  /** Number that the cross-fitted weights predicted. */
  readonly expected: number;
}

/** One split in time. */
export interface RiskMethodologyBacktestOverTime {
  /** Training data. */
  readonly learned: string;
  /** Test data. */
  readonly judged: string;
  /** Number of test losses. */
  readonly happened: number;
  /** AUC. */
  readonly auc: RiskMethodologyBacktestOverTimeAuc;
}

/** AUC. */
export interface RiskMethodologyBacktestOverTimeAuc {
  /** The value. */
  readonly value: number;
  /** Lower end of its 95% interval. */
  readonly low: number;
  /** Upper end of its 95% interval. */
  readonly high: number;
}

/** A grade, its predicted rate, and the observed rate. */
export interface RiskMethodologyBacktestGrade {
  /** Letter grade, A (safest) to F (riskiest). */
  readonly grade: 'A' | 'B' | 'C' | 'D' | 'E' | 'F';
  /** Lower bound (exclusive) of the grade, in percent per year. */
  readonly from: number;
  /** Upper bound (inclusive); null: no limit. */
  readonly upTo: number | null;
  /** Number counted. */
  readonly of: number;
  /** Number of these with a known loss. */
  readonly lost: number;
  /** Observed rate in percent per year, with its exact interval. */
  readonly yearly: RiskMethodologyBacktestGradeYearly;
}

/** Observed rate in percent per year, with its exact interval. */
export interface RiskMethodologyBacktestGradeYearly {
  /** The value. */
  readonly value: number;
  /** Lower end of its 95% interval. */
  readonly low: number;
  /** Upper end of its 95% interval. */
  readonly high: number;
}

/** One fact. */
export interface RiskMethodologyBacktestSingleFact {
  /** The fact. */
  readonly fact: string;
  /** Protocols with it: number of protocols, and number with a loss. */
  readonly with: readonly number[];
  /** Protocols without it: number of protocols, and number with a loss. */
  readonly without: readonly number[];
  /** AUC, 0 to 1: of this fact alone. */
  readonly auc: number;
}

/** One set of facts. */
export interface RiskMethodologyBacktestTried {
  /** The facts. */
  readonly set: string;
  /** AUC, 0 to 1: cross-fitted. */
  readonly auc: number;
  /** Compared with size alone. */
  readonly gain: RiskMethodologyBacktestTriedGain;
}

/** Compared with size alone. */
export interface RiskMethodologyBacktestTriedGain {
  /** The value. */
  readonly value: number;
  /** Lower end of its 95% interval. */
  readonly low: number;
  /** Upper end of its 95% interval. */
  readonly high: number;
}

/** How well the ranking predicted closure. */
export interface RiskMethodologyBacktestClosure {
  /** Outcome and group of protocols. */
  readonly group: string;
  /** Number of protocols. */
  readonly protocols: number;
  /** Number of protocols with this outcome. */
  readonly happened: number;
  /** AUC, 0 to 1: of TVL, in the better direction. */
  readonly sizeAlone: number;
  /** AUC of weights fitted on other protocols than those they score. */
  readonly crossFitted: RiskMethodologyBacktestLossCrossFitted;
  /** Improvement of the second over the first. */
  readonly gain: RiskMethodologyBacktestLossGain;
}

/** One kind of stablecoin. */
export interface RiskMethodologyBacktestStablecoin {
  /** Type of backing. */
  readonly kind: string;
  /** Number counted. */
  readonly of: number;
  /** Number of these with a known loss. */
  readonly lost: number;
  /** Observed rate in percent per year, with its exact interval. */
  readonly yearly: RiskMethodologyBacktestGradeYearly;
  /** Number for which it is unknown whether they lost their peg. */
  readonly unknown: number;
  /** Mean predicted rate, in percent per year. */
  readonly claimed: number;
}

/** AUC of the ranking of these coins. */
export interface RiskMethodologyBacktestStablecoinAuc {
  /** The value. */
  readonly value: number;
  /** Lower end of its 95% interval. */
  readonly low: number;
  /** Upper end of its 95% interval. */
  readonly high: number;
}

/** One outcome. */
export interface RiskMethodologyBacktestDependency {
  /** The outcome. */
  readonly outcome: string;
  /** Number of protocols with it. */
  readonly happened: number;
  /** AUC, 0 to 1: by own hazard. */
  readonly own: number;
  /** AUC, 0 to 1: with all dependencies of a protocol. */
  readonly whole: number;
  /** Improvement of the second over the first. */
  readonly gain: RiskMethodologyBacktestLossGain;
}

/** After an incident. */
export interface RiskMethodologyBacktestAgain {
  /** Protocols with an incident. */
  readonly of: number;
  /** Number of these with a later loss. */
  readonly lost: number;
  /** Number that their other facts predicted. */
  readonly expected: number;
}

/** A page of events. */
export interface EventPage {
  /** In order, oldest first. */
  readonly events: readonly FeedEvent[];
  /** Pass it as `after` to continue. Present even if there are no events. */
  readonly cursor: string;
  /** Whether more events can be read without waiting. */
  readonly hasMore: boolean;
}

/** One change. */
export interface FeedEvent {
  /** Position of the event. Pass it as `after` to continue after it. */
  readonly cursor: string;
  /** history: an item of `/v1/history`; share-price: a share price that the vault published; pool: a pool was added, changed, or removed; tick: a data point of the series of a family, only if the operator turned it on and only with `delivery=applied`; price-outage: the USD price of a family's base asset ended (`ended` is false) or came back (true); state: the state of a chain, or of a family on a chain; grade: the risk grade of a node changed; governance: an item of `/v1/vaults/{slug}/governance`; alert: an alert fired or cleared. */
  readonly type: 'history' | 'share-price' | 'pool' | 'tick' | 'price-outage' | 'state' | 'grade' | 'governance' | 'alert';
  /** applied: the row exists, and a reorg can still remove it; retracted: the row with this `id` is gone; final: the row exists, and its block is final. */
  readonly state: 'applied' | 'retracted' | 'final';
  /** Identifies the row. All events about one row have the same `type` and `id`. */
  readonly id: string;
  /** The vault family; null for the state of a chain, and for a grade. */
  readonly family: string | null;
  /** The chain of the row; null for a tick and for a grade. */
  readonly chainId: number | null;
  /** The block of the row; null if there is no chain. For a state: the newest indexed block. */
  readonly blockNumber: number | null;
  /** Index of the log in its block; null if there is no log. Of an alert, the number of its transition. */
  readonly logIndex: number | null;
  /** Time of the block, or of the change if there is no block. In Unix seconds. */
  readonly blockTimestamp: number;
  /** The row. history: the item as in `/v1/history`; share-price: `assetsPerShare` in base units; pool: `offchainId`, `status` (active, exit-only, removed), `riskScore`, `idleOnly`; tick: `tvl`, `assetsPerShare`, `totalShares` in base units, `usd`, `apy7d`; price-outage: `feed`, `ended`; state: `state` (chain: live, syncing, unreachable, stale; family: current, syncing, halted), `gaps`: number of ranges without data; grade: `nodeId`; governance: the item as in `/v1/vaults/{slug}/governance`; alert: a transition as in `recent` of `/v1/alerts`. */
  readonly data: JsonObject;
}

/** The data model. */
export interface RiskSchema {
  /** The kinds of node. */
  readonly nodeTypes: readonly RiskSchemaNodeType[];
  /** The kinds of edges, and what each can connect: the source depends on the target. */
  readonly edgeTypes: readonly RiskSchemaEdgeType[];
  /** The grades, safest first. */
  readonly grades: readonly ('A' | 'B' | 'C' | 'D' | 'E' | 'F')[];
  /** Version of the grading method. */
  readonly methodVersion: string;
}

/** A kind of node. */
export interface RiskSchemaNodeType {
  /** Kind of node. */
  readonly label: 'Pool' | 'Asset' | 'Protocol' | 'Chain';
  /** Properties that a node with this label can have. */
  readonly properties: readonly RiskSchemaNodeTypeProperty[];
}

/** A property. */
export interface RiskSchemaNodeTypeProperty {
  /** Name of the property. */
  readonly name: string;
  /** JSON type of its value. */
  readonly type: string;
  /** What it means, and its unit. */
  readonly description: string;
}

/** A kind of edge. */
export interface RiskSchemaEdgeType {
  /** How the source depends on the target. */
  readonly type: 'LIVES_ON' | 'OPERATED_BY' | 'ACCEPTS_DEPOSITS_IN' | 'IS_COLLATERALIZED_BY' | 'ISSUED_BY' | 'SETTLES_TO' | 'ALLOCATES' | 'PRICED_BY';
  /** Kind of node. */
  readonly from: 'Pool' | 'Asset' | 'Protocol' | 'Chain';
  /** Kind of node. */
  readonly to: 'Pool' | 'Asset' | 'Protocol' | 'Chain';
}

/** A pool, a protocol, or a chain. */
export interface LockedValueHit {
  /** Node id: pool:<chain>:<address or key>, asset:<chain>:<address>, protocol:<slug>, or chain:<slug>, in lower case. */
  readonly id: string;
  /** Kind of node. */
  readonly label: 'Pool' | 'Asset' | 'Protocol' | 'Chain';
  /** Name. */
  readonly name: string;
  /** Slug of its chain; multichain for a protocol on several chains, unknown if no source has it. */
  readonly network: string;
  /** Total value locked. In USD; null when unknown. */
  readonly tvlUsd: number | null;
  /** Address, on any chain; on EVM chains with its EIP-55 checksum, on others in their own format. */
  readonly address?: string;
  /** The key in its id, if it has no address. */
  readonly uniqueKey?: string;
}

/** An asset. */
export interface AssetHit {
  /** Node id: pool:<chain>:<address or key>, asset:<chain>:<address>, protocol:<slug>, or chain:<slug>, in lower case. */
  readonly id: string;
  /** Kind of node. */
  readonly label: 'Pool' | 'Asset' | 'Protocol' | 'Chain';
  /** Name. */
  readonly name: string;
  /** Slug of its chain; multichain for a protocol on several chains, unknown if no source has it. */
  readonly network: string;
  /** Market cap, for assets. In USD; null when unknown. */
  readonly marketCapUsd: number | null;
  /** Address, on any chain; on EVM chains with its EIP-55 checksum, on others in their own format. */
  readonly address?: string;
  /** The key in its id, if it has no address. */
  readonly uniqueKey?: string;
}

/** A node with its grade. */
export interface RiskNode {
  /** Node id: pool:<chain>:<address or key>, asset:<chain>:<address>, protocol:<slug>, or chain:<slug>, in lower case. */
  readonly id: string;
  /** The only label. */
  readonly labels: readonly ('Pool' | 'Asset' | 'Protocol' | 'Chain')[];
  /** Every known fact; unknown facts are absent. GET /api/v1/agent/schema lists them by label. */
  readonly properties: JsonObject;
  /** Letter grade, A (safest) to F (riskiest). */
  readonly _riskTier: 'A' | 'B' | 'C' | 'D' | 'E' | 'F';
  /** Why it has this grade; the last row is the summary. */
  readonly riskBreakdown: readonly RiskReason[];
}

/** One reason for the grade. */
export interface RiskReason {
  /** The question. */
  readonly question: string;
  /** The known facts, in plain language. */
  readonly answer: string;
}

/** The direct dependencies of a pool. */
export interface RiskDependencies {
  /** Node id: pool:<chain>:<address or key>, asset:<chain>:<address>, protocol:<slug>, or chain:<slug>, in lower case. */
  readonly nodeId: string;
  /** Letter grade, A (safest) to F (riskiest). */
  readonly _riskTier: 'A' | 'B' | 'C' | 'D' | 'E' | 'F';
  /** Direct dependencies of the pool, one hop away. */
  readonly edges: readonly RiskEdge[];
  /** The targets of the edges. */
  readonly neighbors: readonly RiskNeighbor[];
}

/** A dependency. */
export interface RiskEdge {
  /** How the source depends on the target. */
  readonly type: 'LIVES_ON' | 'OPERATED_BY' | 'ACCEPTS_DEPOSITS_IN' | 'IS_COLLATERALIZED_BY' | 'ISSUED_BY' | 'SETTLES_TO' | 'ALLOCATES' | 'PRICED_BY';
  /** Node id: pool:<chain>:<address or key>, asset:<chain>:<address>, protocol:<slug>, or chain:<slug>, in lower case. */
  readonly sourceId: string;
  /** Node id: pool:<chain>:<address or key>, asset:<chain>:<address>, protocol:<slug>, or chain:<slug>, in lower case. */
  readonly targetId: string;
  /** Known facts about the edge itself. */
  readonly properties: JsonObject;
  /** When a known fact last changed. ISO 8601 in UTC, ending in Z. */
  readonly lastUpdatedAt: string;
}

/** The target of an edge. */
export interface RiskNeighbor {
  /** Node id: pool:<chain>:<address or key>, asset:<chain>:<address>, protocol:<slug>, or chain:<slug>, in lower case. */
  readonly id: string;
  /** The only label. */
  readonly labels: readonly ('Pool' | 'Asset' | 'Protocol' | 'Chain')[];
  /** Every known fact; unknown facts are absent. GET /api/v1/agent/schema lists them by label. */
  readonly properties: JsonObject;
  /** Letter grade, A (safest) to F (riskiest). */
  readonly _riskTier: 'A' | 'B' | 'C' | 'D' | 'E' | 'F';
  /** When a known fact last changed. ISO 8601 in UTC, ending in Z. */
  readonly lastUpdatedAt: string;
}

/** The state of the chains. */
export interface Status<Amount = string> {
  /** Every configured chain, in the order of the configuration. */
  readonly chains: readonly StatusChain<Amount>[];
  /** The database of this server. */
  readonly database: StatusDatabase;
  /** The disk of the embedded database; null with PostgreSQL. */
  readonly storage: StatusStorage | null;
  /** The version of the server. */
  readonly version: string;
}

/** One chain. */
export interface StatusChain<Amount = string> {
  /** The chain. EIP-155 chain id. */
  readonly chainId: number;
  /** Network name. */
  readonly name: string;
  /** live: indexed up to its head. syncing: historical blocks are being indexed. unreachable: its RPC endpoints do not respond, or the chain is stalled. unconfigured: it has no RPC URL. stale: out of date, because no indexer is running. */
  readonly state: 'live' | 'syncing' | 'unreachable' | 'unconfigured' | 'stale';
  /** Newest block that the RPC endpoint reports. Null if unknown. */
  readonly head: Amount | null;
  /** Newest block that a reorg can no longer replace. Null if unknown. */
  readonly finalized: Amount | null;
  /** Newest indexed block. Null if unknown. */
  readonly indexedBlock: Amount | null;
  /** Age of the newest indexed block, in seconds; null if none is indexed. */
  readonly lagSeconds: number | null;
  /** null if there is no error. */
  readonly lastError: StatusChainLastError | null;
  /** null before the chain was first read. */
  readonly updatedAt: string | null;
  /** The families of the page on this chain. A halted family does not affect the others; in incompleteChains of other routes, its chain counts as syncing. */
  readonly families: readonly StatusChainFamily<Amount>[];
  /** Every price feed that is read from this chain. */
  readonly feeds: readonly StatusChainFeed[];
}

/** The error that prevents reading the chain. */
export interface StatusChainLastError {
  /** The error. */
  readonly message: string;
  /** Since when. ISO 8601 in UTC, ending in Z. */
  readonly since: string;
}

/** A vault family on this chain. */
export interface StatusChainFamily<Amount = string> {
  /** Slug of the vault family. */
  readonly family: string;
  /** current: indexed up to the head of the chain. syncing: not yet. halted: halted by an error that affects only it, see reason; data indexed before is served. unreachable: its chain cannot be read or is stale. unconfigured: its chain has no RPC URL. */
  readonly state: 'current' | 'syncing' | 'halted' | 'unreachable' | 'unconfigured';
  /** The error and what to do; null unless it is halted. */
  readonly reason: string | null;
  /** Since when; null unless it is halted. */
  readonly since: string | null;
  /** Recorded gaps of the family on this chain, oldest first; empty if the data is complete. */
  readonly gaps: readonly StatusChainFamilyGap<Amount>[];
  /** Behaviors of this family's vault on this chain that limit its values or change their meaning; usually empty. */
  readonly notices: readonly StatusChainFamilyNotice[];
}

/** A range of blocks that no RPC URL of the chain could serve in full. */
export interface StatusChainFamilyGap<Amount = string> {
  /** state: contract state, so series lack data points in this range, and events there are valued at the last known share price. logs: the events themselves, so nothing later is indexed for the family on this chain. */
  readonly missing: 'state' | 'logs';
  /** First block of the gap. A block number in decimal digits. */
  readonly fromBlock: Amount;
  /** Last block of the gap. A block number in decimal digits. */
  readonly toBlock: Amount;
  /** Time of the block before the gap. ISO 8601 in UTC, ending in Z. */
  readonly from: string;
  /** Time of the last block of the gap. ISO 8601 in UTC, ending in Z. */
  readonly to: string;
  /** What is missing and how to fix it. */
  readonly reason: string;
}

/** A behavior of a vault that limits its values or changes their meaning. */
export interface StatusChainFamilyNotice {
  /** unseen-deposit: shares were bought without a Deposit event, so their cost counts as 0. booked-redemption: redemptions count as paid at the request, because the external queue holds neither shares nor assets. fixed-request: a redemption request fixes the assets that it pays. other-asset: deposits or redemptions in another asset count as the value of their shares. unproven-rate: no payment in the indexed events, and no holding of a wrapper, has confirmed the described rate. unpriced-shares: shares moved before they had a price, so their cost counts as 0. unseen-redemption: shares were paid out without a Withdraw event, so these redemptions are missing. */
  readonly code: 'unseen-deposit' | 'booked-redemption' | 'fixed-request' | 'other-asset' | 'unproven-rate' | 'unpriced-shares' | 'unseen-redemption';
  /** Time of the first transaction that showed it. ISO 8601 in UTC, ending in Z. */
  readonly since: string;
  /** What it means for the values. */
  readonly message: string;
}

/** A price feed that is read from this chain. */
export interface StatusChainFeed {
  /** Name of the feed. */
  readonly feed: string;
  /** current: indexed up to the head of the chain. syncing: not yet. halted: halted by an error that affects only it, see reason; data indexed before is served. unreachable: its chain cannot be read or is stale. unconfigured: its chain has no RPC URL. */
  readonly state: 'current' | 'syncing' | 'halted' | 'unreachable' | 'unconfigured';
  /** The error and what to do; null unless it is halted. */
  readonly reason: string | null;
  /** Since when; null unless it is halted. */
  readonly since: string | null;
}

/** The database of this server. */
export interface StatusDatabase {
  /** available: it accepts reads and writes. stale: the primary is unavailable, and data comes from a replica; the Age header has its age in seconds. read-only, full: it rejects writes, so data does not advance and nothing is sold. */
  readonly state: 'available' | 'stale' | 'read-only' | 'full';
  /** What happened and what to do; null while it is available. */
  readonly reason: string | null;
  /** Since when; null while it is available. */
  readonly since: string | null;
}

/** The disk of the embedded database. */
export interface StatusStorage {
  /** low: too little space is left, so nothing is indexed and paid routes return 503 until there is more; indexed data is still served. */
  readonly state: 'ok' | 'low';
  /** Free bytes; null if they cannot be read. */
  readonly freeBytes: number | null;
  /** Below this number of free bytes, writing stops (`store.minFreeBytes`). */
  readonly minFreeBytes: number;
}

/** The process responds. */
export interface Liveness {
  /** Always live. */
  readonly status: 'live';
}

/** Requests can be served. */
export interface Readiness {
  /** Always ready. */
  readonly status: 'ready';
  /** Every configured chain. */
  readonly chains: readonly ReadinessChain[];
  /** Chains whose initial backfill is not complete, and gaps that the configuration does not accept. Empty when all data is served. */
  readonly missing: readonly ReadinessMissing[];
  /** The database of this server. */
  readonly database: StatusDatabase;
  /** The disk of the embedded database; null with PostgreSQL. */
  readonly storage: StatusStorage | null;
}

/** One chain. */
export interface ReadinessChain {
  /** The chain. EIP-155 chain id. */
  readonly chainId: number;
  /** Network name. */
  readonly name: string;
  /** live: indexed up to its head. syncing: historical blocks are being indexed. unreachable: its RPC endpoints do not respond, or the chain is stalled. unconfigured: it has no RPC URL. */
  readonly state: 'live' | 'syncing' | 'unreachable' | 'unconfigured';
  /** Whether its initial backfill is complete. */
  readonly backfilled: boolean;
}

/** Data that is not served yet. */
export interface ReadinessMissing {
  /** The chain. EIP-155 chain id. */
  readonly chainId: number;
  /** The family with the gap; null if the initial backfill of the entire chain is not complete. */
  readonly family: string | null;
  /** What is missing and, for a gap, how to fix it. */
  readonly reason: string;
}

/** The paid resources. */
export interface PaidResources {
  /** Version of this document. */
  readonly version: 1;
  /** Version of the payment protocol. */
  readonly x402Version: 2;
  /** One per paid operation; empty if nothing is sold. */
  readonly resources: readonly string[];
}

/** An error, as defined by RFC 9457. */
export interface Problem {
  /** Always about:blank: the status identifies the kind of problem. */
  readonly type: string;
  /** The title of the HTTP status. */
  readonly title: string;
  /** The HTTP status. */
  readonly status: number;
  /** What went wrong, and what to do. */
  readonly detail?: string;
  /** A machine-readable reason, with 409 and some 410 and 503. */
  readonly code?: string;
  /** Only with 400: every invalid parameter. */
  readonly errors?: readonly ProblemError[];
  /** Only with 400, if an address or unique key matches several nodes: their ids, at most 20. */
  readonly candidates?: readonly string[];
  /** Only with 410 of the legacy API: the URL that replaces the requested one; null if it is unknown. */
  readonly successor?: string | null;
  /** Only with 410 and `no_data_then`: the nearest time with data; null if there is none. */
  readonly nearest?: string | null;
  /** Only with 503 of /health/ready: the state of every chain. */
  readonly chains?: readonly unknown[];
}

/** An invalid parameter. */
export interface ProblemError {
  /** The name of the parameter. */
  readonly parameter: string;
  /** Completes the sentence that starts with its name. */
  readonly reason: string;
}

export interface ListVaultsParameters {
  /** Only families on this chain, in any role. */
  readonly chainId?: number;
  /** Only families with this base asset: its address on any chain of the family (any case, but a mixed-case checksum must be valid), or its symbol in any case. */
  readonly baseAsset?: string;
  /** Returns the data as of a time: the newest data point at or before it. A date (2026-01-31, to its end) or a date-time with a zone. 410 before the first data point or in a gap. */
  readonly at?: string;
  /** The same as of a block, as CHAIN:NUMBER or CHAIN:HASH: the first data point at that block of the chain, else the newest before it. A hash that is not stored, or was removed by a reorg, returns 409. Not together with `at`. */
  readonly block?: string;
  /** Families per page. If more follow, the `Link` header has the URL of the next page (`rel="next"`). */
  readonly limit?: number;
  /** From the `Link` header of the previous page. Pass it unchanged, with the same filters. */
  readonly cursor?: string;
}

export interface GetVaultParameters {
  /** Slug of the vault family. */
  readonly slug: string;
  /** Returns the data as of a time: the newest data point at or before it. A date (2026-01-31, to its end) or a date-time with a zone. 410 before the first data point or in a gap. */
  readonly at?: string;
  /** The same as of a block, as CHAIN:NUMBER or CHAIN:HASH: the first data point at that block of the chain, else the newest before it. A hash that is not stored, or was removed by a reorg, returns 409. Not together with `at`. */
  readonly block?: string;
}

export interface GetApySeriesParameters {
  /** Slug of the vault family. */
  readonly slug: string;
  /** Start of the range, inclusive; a date means its 00:00:00Z. Default: the first data point. A date (YYYY-MM-DD), or a date-time with Z or a numeric UTC offset (+02:00 or +0200, with the plus sign encoded as %2B); up to 9 fractional digits; years 1970 to 9999. */
  readonly from?: string;
  /** End of the range, inclusive; a date means its 23:59:59.999Z. Default: the newest data point. A date (YYYY-MM-DD), or a date-time with Z or a numeric UTC offset (+02:00 or +0200, with the plus sign encoded as %2B); up to 9 fractional digits; years 1970 to 9999. */
  readonly to?: string;
  /** raw: every stored data point. hour, day: the last data point of each UTC hour or day within from…to, with its own time. */
  readonly interval?: 'raw' | 'hour' | 'day';
  /** Maximum number of data points. If the range has more, the newest are returned, still oldest first. */
  readonly limit?: number;
}

export interface GetTvlSeriesParameters {
  /** Slug of the vault family. */
  readonly slug: string;
  /** Start of the range, inclusive; a date means its 00:00:00Z. Default: the first data point. A date (YYYY-MM-DD), or a date-time with Z or a numeric UTC offset (+02:00 or +0200, with the plus sign encoded as %2B); up to 9 fractional digits; years 1970 to 9999. */
  readonly from?: string;
  /** End of the range, inclusive; a date means its 23:59:59.999Z. Default: the newest data point. A date (YYYY-MM-DD), or a date-time with Z or a numeric UTC offset (+02:00 or +0200, with the plus sign encoded as %2B); up to 9 fractional digits; years 1970 to 9999. */
  readonly to?: string;
  /** raw: every stored data point. hour, day: the last data point of each UTC hour or day within from…to, with its own time. */
  readonly interval?: 'raw' | 'hour' | 'day';
  /** Maximum number of data points. If the range has more, the newest are returned, still oldest first. */
  readonly limit?: number;
}

export interface GetSharePriceSeriesParameters {
  /** Slug of the vault family. */
  readonly slug: string;
  /** Start of the range, inclusive; a date means its 00:00:00Z. Default: the first data point. A date (YYYY-MM-DD), or a date-time with Z or a numeric UTC offset (+02:00 or +0200, with the plus sign encoded as %2B); up to 9 fractional digits; years 1970 to 9999. */
  readonly from?: string;
  /** End of the range, inclusive; a date means its 23:59:59.999Z. Default: the newest data point. A date (YYYY-MM-DD), or a date-time with Z or a numeric UTC offset (+02:00 or +0200, with the plus sign encoded as %2B); up to 9 fractional digits; years 1970 to 9999. */
  readonly to?: string;
  /** raw: every stored data point. hour, day: the last data point of each UTC hour or day within from…to, with its own time. */
  readonly interval?: 'raw' | 'hour' | 'day';
  /** Maximum number of data points. If the range has more, the newest are returned, still oldest first. */
  readonly limit?: number;
}

export interface GetSplitSeriesParameters {
  /** Slug of the vault family. */
  readonly slug: string;
  /** Start of the range, inclusive; a date means its 00:00:00Z. Default: the first data point. A date (YYYY-MM-DD), or a date-time with Z or a numeric UTC offset (+02:00 or +0200, with the plus sign encoded as %2B); up to 9 fractional digits; years 1970 to 9999. */
  readonly from?: string;
  /** End of the range, inclusive; a date means its 23:59:59.999Z. Default: the newest data point. A date (YYYY-MM-DD), or a date-time with Z or a numeric UTC offset (+02:00 or +0200, with the plus sign encoded as %2B); up to 9 fractional digits; years 1970 to 9999. */
  readonly to?: string;
  /** raw: every stored data point. hour, day: the last data point of each UTC hour or day within from…to, with its own time. */
  readonly interval?: 'raw' | 'hour' | 'day';
  /** Maximum number of data points. If the range has more, the newest are returned, still oldest first. */
  readonly limit?: number;
}

export interface GetWithdrawableSeriesParameters {
  /** Slug of the vault family. */
  readonly slug: string;
  /** Start of the range, inclusive; a date means its 00:00:00Z. Default: the first data point. A date (YYYY-MM-DD), or a date-time with Z or a numeric UTC offset (+02:00 or +0200, with the plus sign encoded as %2B); up to 9 fractional digits; years 1970 to 9999. */
  readonly from?: string;
  /** End of the range, inclusive; a date means its 23:59:59.999Z. Default: the newest data point. A date (YYYY-MM-DD), or a date-time with Z or a numeric UTC offset (+02:00 or +0200, with the plus sign encoded as %2B); up to 9 fractional digits; years 1970 to 9999. */
  readonly to?: string;
  /** raw: every stored data point. hour, day: the last data point of each UTC hour or day within from…to, with its own time. */
  readonly interval?: 'raw' | 'hour' | 'day';
  /** Maximum number of data points. If the range has more, the newest are returned, still oldest first. */
  readonly limit?: number;
}

export interface GetAllocationSeriesParameters {
  /** Slug of the vault family. */
  readonly slug: string;
  /** Start of the range, inclusive; a date means its 00:00:00Z. Default: the first data point. A date (YYYY-MM-DD), or a date-time with Z or a numeric UTC offset (+02:00 or +0200, with the plus sign encoded as %2B); up to 9 fractional digits; years 1970 to 9999. */
  readonly from?: string;
  /** End of the range, inclusive; a date means its 23:59:59.999Z. Default: the newest data point. A date (YYYY-MM-DD), or a date-time with Z or a numeric UTC offset (+02:00 or +0200, with the plus sign encoded as %2B); up to 9 fractional digits; years 1970 to 9999. */
  readonly to?: string;
  /** raw: every stored data point. hour, day: the last data point of each UTC hour or day within from…to, with its own time. */
  readonly interval?: 'raw' | 'hour' | 'day';
  /** Maximum number of data points. If the range has more, the newest are returned, still oldest first. */
  readonly limit?: number;
}

export interface GetExitsParameters {
  /** Slug of the vault family. */
  readonly slug: string;
  /** Start of the period, inclusive, in the format of the time series. At most 366 days before its end. Default: 90 days before its end. */
  readonly from?: string;
  /** End of the period, inclusive, in the format of the time series. Default, and at most: now. */
  readonly to?: string;
}

export interface GetExitTermsParameters {
  /** Slug of the vault family. */
  readonly slug: string;
  /** The amount to redeem, before any exit fee, in base units of the base asset. Without it, `outcome` is null. */
  readonly assets?: string;
}

export interface GetYieldParameters {
  /** Slug of the vault family. */
  readonly slug: string;
  /** Start of the window, in the format of the time series; the window starts at the newest data point at or before it. At most 1100 days before its end. Default: 30 days before its end. */
  readonly from?: string;
  /** End of the window, inclusive, in the format of the time series. Default, and at most: now. */
  readonly to?: string;
}

export interface GetHoldersParameters {
  /** Slug of the vault family. */
  readonly slug: string;
  /** Maximum number of wallets in `largest`. */
  readonly limit?: number;
  /** Returns the data as of a time: the newest data point at or before it. A date (2026-01-31, to its end) or a date-time with a zone. 410 before the first data point or in a gap. */
  readonly at?: string;
  /** The same as of a block, as CHAIN:NUMBER or CHAIN:HASH: the first data point at that block of the chain, else the newest before it. A hash that is not stored, or was removed by a reorg, returns 409. Not together with `at`. */
  readonly block?: string;
}

export interface GetHistoryParameters {
  /** Slug of one vault family. Default: all families. */
  readonly family?: string;
  /** Wallet address: the owner of deposits and the receiver of redemptions. Any case, but a mixed-case checksum must be valid. */
  readonly user?: string;
  /** Only the items of this transaction. If there are none, the transaction has no items, or its chain is not indexed up to it yet. */
  readonly transactionHash?: string;
  /** Only this chain. A chain without families returns an empty page. */
  readonly chainId?: number;
  /** Only this type of item. large-deposit: deposits worth at least 100,000 USD at their time; needs family. */
  readonly type?: 'deposit' | 'withdraw' | 'redeem' | 'cancel' | 'large-deposit';
  /** Only items newer than 1, 7, or 30 days, counted from the request for the first page. */
  readonly period?: '1d' | '7d' | '30d';
  /** nextCursor of the previous page, unchanged and with the same filters; only limit may differ. */
  readonly cursor?: string;
  /** Maximum number of items on the page. */
  readonly limit?: number;
}

export interface GetGovernanceParameters {
  /** Slug of the vault family. */
  readonly slug: string;
  /** Only this chain. A chain without the family returns an empty page. */
  readonly chainId?: number;
  /** nextCursor of the previous page, unchanged and with the same chainId; only limit may differ. */
  readonly cursor?: string;
  /** Maximum number of items on the page. */
  readonly limit?: number;
}

export interface GetPendingRedeemsParameters {
  /** Wallet address, in any case; a mixed-case address must have a valid EIP-55 checksum. */
  readonly walletAddress: string;
  /** Slug of one vault family. Default: all families. Unknown: 404. */
  readonly family?: string;
}

export interface GetPendingDepositsParameters {
  /** Wallet address, in any case; a mixed-case address must have a valid EIP-55 checksum. */
  readonly walletAddress: string;
  /** Slug of one vault family. Default: all families. Unknown: 404. */
  readonly family?: string;
}

export interface GetPerformanceParameters {
  /** Wallet address, in any case; a mixed-case address must have a valid EIP-55 checksum. */
  readonly walletAddress: string;
  /** Slug of one vault family. Default: all families. Unknown: 404. */
  readonly family?: string;
  /** Cost method: average (the default), or which shares leave first: fifo, the oldest; lifo, the newest; hifo, those with the highest cost per share. */
  readonly method?: 'average' | 'fifo' | 'lifo' | 'hifo';
  /** Returns the data as of a time: the newest data point at or before it. A date (2026-01-31, to its end) or a date-time with a zone. 410 before the first data point or in a gap. */
  readonly at?: string;
  /** The same as of a block, as CHAIN:NUMBER or CHAIN:HASH: the first data point at that block of the chain, else the newest before it. A hash that is not stored, or was removed by a reorg, returns 409. Not together with `at`. */
  readonly block?: string;
}

export interface GetMovementsParameters {
  /** Wallet address, in any case; a mixed-case address must have a valid EIP-55 checksum. */
  readonly walletAddress: string;
  /** Slug of one vault family. Default: all families. Unknown: 404. */
  readonly family?: string;
  /** Only this chain; cost and result still follow from all chains. A chain without families returns an empty page. */
  readonly chainId?: number;
  /** nextCursor of the previous page, unchanged and with the same filters; only limit may differ. */
  readonly cursor?: string;
  /** Maximum number of items on the page. */
  readonly limit?: number;
  /** Cost method: average (the default), or which shares leave first: fifo, the oldest; lifo, the newest; hifo, those with the highest cost per share. */
  readonly method?: 'average' | 'fifo' | 'lifo' | 'hifo';
}

export interface GetLedgerParameters {
  /** Wallet address, in any case; a mixed-case address must have a valid EIP-55 checksum. */
  readonly walletAddress: string;
  /** Slug of one vault family. Default: all families. Unknown: 404. */
  readonly family?: string;
  /** Cost method: average (the default), or which shares leave first: fifo, the oldest; lifo, the newest; hifo, those with the highest cost per share. */
  readonly method?: 'average' | 'fifo' | 'lifo' | 'hifo';
}

export interface GetLotsParameters {
  /** Wallet address, in any case; a mixed-case address must have a valid EIP-55 checksum. */
  readonly walletAddress: string;
  /** Slug of one vault family. Default: all families. Unknown: 404. */
  readonly family?: string;
  /** Cost method: average (the default), or which shares leave first: fifo, the oldest; lifo, the newest; hifo, those with the highest cost per share. */
  readonly method?: 'average' | 'fifo' | 'lifo' | 'hifo';
  /** open (the default): shares that the wallet holds; closed: shares that left. */
  readonly state?: 'open' | 'closed';
  /** nextCursor of the previous page, unchanged and with the same parameters; only limit may differ. */
  readonly cursor?: string;
  /** Maximum number of lots on the page. */
  readonly limit?: number;
}

export interface GetStatementParameters {
  /** Wallet address, in any case; a mixed-case address must have a valid EIP-55 checksum. */
  readonly walletAddress: string;
  /** Slug of one vault family. Default: all families. Unknown: 404. */
  readonly family?: string;
  /** Calendar year in the time zone. Default: the current one. A year that has not begun is an error. */
  readonly year?: number;
  /** Time zone of the IANA database. Default: UTC. */
  readonly timeZone?: string;
  /** Cost method: average (the default), or which shares leave first: fifo, the oldest; lifo, the newest; hifo, those with the highest cost per share. */
  readonly method?: 'average' | 'fifo' | 'lifo' | 'hifo';
  /** Additional wallets of the same owner, separated by commas, at most 20 in total. Transfers between them net to zero. */
  readonly wallets?: string;
}

export interface GetAlertsParameters {
  /** Slug of one vault family. Default: all families. */
  readonly family?: string;
}

export type RiskMethodologyParameters = object;

export interface GetEventsParameters {
  /** A `cursor` of this server. It stays valid when filters change. `latest` returns the cursor of the newest event and no events. Default: the oldest stored event. */
  readonly after?: string;
  /** Maximum number of events. */
  readonly limit?: number;
  /** Seconds to wait for the first event if there is none. Default: `0`. */
  readonly wait?: number;
  /** Comma-separated types of events: history, share-price, pool, tick, price-outage, state, grade, governance, alert. Default: all. */
  readonly types?: string;
  /** Slug of one vault family. Default: all families. */
  readonly family?: string;
  /** Only events about this wallet. Any case, but a mixed-case checksum must be valid. */
  readonly user?: string;
  /** One chain only. Default: all chains. */
  readonly chainId?: number;
  /** applied: report rows at once, and retract those that a reorg removes. final: report rows only when their block is final. Default: `applied`. */
  readonly delivery?: 'applied' | 'final';
}

export type AgentSchemaParameters = object;

export interface AgentSearchParameters {
  /** Address, name, or symbol: 1 to 128 characters after trimming, without * and %. */
  readonly q: string;
  /** Only nodes of this kind. */
  readonly label?: 'Pool' | 'Asset' | 'Protocol' | 'Chain';
  /** Maximum number of results, 1 to 10. Default: 10. */
  readonly limit?: number;
  /** Filter by TVL: >, >=, <, <=, or =, and a number in USD. For assets, the market cap is compared. A node with an unknown value never matches. */
  readonly tvl?: string;
  /** Filter by grade: >, >=, <, <=, or =, and a letter, or only a letter. A is the smallest: <=B means B or better. */
  readonly grade?: string;
}

export interface AgentNodeParameters {
  /** Node id, or the `address` or `uniqueKey` of a search result, in any case. A colon can be raw or encoded. Text that starts with pool:, asset:, protocol:, or chain: is an id. */
  readonly nodeId: string;
  /** With an address or unique key: only nodes on this chain. Not used with an id. */
  readonly chainId?: number;
}

export interface AgentDependenciesParameters {
  /** Node id, or the `address` or `uniqueKey` of a search result, in any case. A colon can be raw or encoded. Text that starts with pool:, asset:, protocol:, or chain: is an id. */
  readonly nodeId: string;
  /** With an address or unique key: only nodes on this chain. Not used with an id. */
  readonly chainId?: number;
}

export interface AgentNodesParameters {
  /** 1 to 20 nodes, separated by commas, each listed once. Node id, or the `address` or `uniqueKey` of a search result, in any case. A colon can be raw or encoded. Text that starts with pool:, asset:, protocol:, or chain: is an id. */
  readonly nodeIds: string;
  /** With an address or unique key: only nodes on this chain. Not used with an id. */
  readonly chainId?: number;
}

export interface AgentDependenciesBatchParameters {
  /** 1 to 20 nodes, separated by commas, each listed once. Node id, or the `address` or `uniqueKey` of a search result, in any case. A colon can be raw or encoded. Text that starts with pool:, asset:, protocol:, or chain: is an id. */
  readonly nodeIds: string;
  /** With an address or unique key: only nodes on this chain. Not used with an id. */
  readonly chainId?: number;
}

export interface GetStatusParameters {
  /** Families per page. If more follow, the `Link` header has the URL of the next page (`rel="next"`). */
  readonly limit?: number;
  /** From the `Link` header of the previous page. Pass it unchanged, with the same filters. */
  readonly cursor?: string;
}

export type GetLivenessParameters = object;

export type GetReadinessParameters = object;

export type GetOpenApiParameters = object;

export type GetPaidResourcesParameters = object;
