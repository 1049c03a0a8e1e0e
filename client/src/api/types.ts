// Written from the server's routes by generate/generate.ts; `npm test -- client/generate -u` writes it anew.

/** An object whose fields depend on what it describes. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A vault family with its main figures. */
export interface ListedVault<Amount = string> {
  /** Identifies the family. */
  readonly slug: string;
  /** Name of the family. */
  readonly name: string;
  /** The vault on the family's first settlement chain; `chains` has the others. EIP-55 checksummed. */
  readonly address: string;
  /** Slug of the master family that this feeder routes deposits into; null for a standalone vault. */
  readonly feederOf: string | null;
  /** The tokens on the family's first settlement chain; null while no chain of it has been read. */
  readonly assets: AssetPair | null;
  /** Every chain of the family. */
  readonly chains: readonly ListedVaultChain[];
  /** Figures over all chains, as in the snapshot; null while the family has never been read. */
  readonly stats: ListedVaultStats<Amount> | null;
}

/** The base asset that is deposited, and the share token that stands for it. */
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
  /** The token, EIP-55 checksummed; null on a chain that was never read and of which the configuration does not say it. Never that of another chain. */
  readonly address: string | null;
  /** From the chain where it has one, else from the configuration. */
  readonly symbol: string;
  /** From the chain where it has one, else from the configuration. */
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
  /** `settlement`: users deposit and redeem here. `execution`: assets are deployed here, no user entry. */
  readonly role: 'settlement' | 'execution';
  /** The vault on this chain. EIP-55 checksummed. */
  readonly vault: string;
}

/** Figures over all chains. */
export interface ListedVaultStats<Amount = string> {
  /** The instant of the figures. ISO 8601 in UTC, ending in Z. */
  readonly updatedAt: string;
  /** `idle` + `invested` + `pendingExits` over all chains, of the family's base asset. In base units: an integer in decimal digits. */
  readonly tvl: Amount;
  /** Held by the vaults themselves, of the family's base asset. In base units: an integer in decimal digits. */
  readonly idle: Amount;
  /** Value at work: that of the pools, an idle-only one too, and what a vault invests without a known pool, of the family's base asset. In base units: an integer in decimal digits. */
  readonly invested: Amount;
  /** Assets leaving through a venue's own exit queue, of the family's base asset. In base units: an integer in decimal digits. */
  readonly pendingExits: Amount;
  /** Assets owed to queued redemptions, of the family's base asset. In base units: an integer in decimal digits. */
  readonly pendingRedemptionAssets: Amount;
  /** Shares over all chains, of the share token. In base units: an integer in decimal digits. */
  readonly totalShares: Amount;
  /** Base units of the base asset for one whole share (10^shareDecimals), on the family's first settlement chain; null while none is published there. */
  readonly assetsPerShare: Amount | null;
  /** Value of `tvl`, in USD, not rounded; null when no price was held at that time. */
  readonly tvlUsd: number | null;
  /** The 7-day figure, the same as `apy7d`, as a fraction: 0.045 is 4.5 %; null where that is, never 0 for that. */
  readonly apy: number | null;
  /** Compound yearly rate from the share price over 1 day; a younger family is measured over its whole life, as a fraction: 0.045 is 4.5 %; null where nothing can be measured: no share price is known, or only that of one instant yet, never 0 for that. */
  readonly apy1d: number | null;
  /** Compound yearly rate from the share price over 7 days; a younger family is measured over its whole life, as a fraction: 0.045 is 4.5 %; null where nothing can be measured: no share price is known, or only that of one instant yet, never 0 for that. */
  readonly apy7d: number | null;
  /** Compound yearly rate from the share price over 30 days; a younger family is measured over its whole life, as a fraction: 0.045 is 4.5 %; null where nothing can be measured: no share price is known, or only that of one instant yet, never 0 for that. */
  readonly apy30d: number | null;
  /** Rewards streamed over `tvl`; 0 when there are none. A fraction per year: 0.045 is 4.5 %. */
  readonly rewardApr: number;
}

/** A vault family now. */
export interface Vault<Amount = string> {
  /** Identifies the family. */
  readonly slug: string;
  /** Name of the family. */
  readonly name: string;
  /** The vault on the family's first settlement chain; `chains` has the others. EIP-55 checksummed. */
  readonly address: string;
  /** Access-control contract of the vault on the family's first settlement chain, else on the first that names one; null where none does. */
  readonly authority: string | null;
  /** The base asset that is deposited, and the share token that stands for it. */
  readonly assets: AssetPair;
  /** Slug of the master family that this feeder routes deposits into; null for a standalone vault. */
  readonly feederOf: string | null;
  /** Address whose pool declarations serve this family; its own unless it mirrors another. EIP-55 checksummed. */
  readonly bindingDeclarationAddress: string;
  /** Every chain of the family. */
  readonly chains: readonly VaultChain[];
  /** Figures over all chains of the family. */
  readonly stats: VaultStats<Amount>;
  /** What the invested value consists of, from the composition of the pools. `allocatedUsd` is what is backed by collateral, `uncollateralizedUsd` and `unclassifiedUsd` together. */
  readonly exposure: Exposure;
}

/** A chain of the family, whether it can be read or not. */
export interface VaultChain {
  /** The chain. EIP-155 chain id. */
  readonly chainId: number;
  /** `settlement`: users deposit and redeem here. `execution`: assets are deployed here, no user entry. */
  readonly role: 'settlement' | 'execution';
  /** The vault on this chain. EIP-55 checksummed. */
  readonly vault: string;
  /** The base asset that is deposited, and the share token that stands for it. */
  readonly assets: AssetPair;
}

/** Figures over all chains of the family. */
export interface VaultStats<Amount = string> {
  /** The instant of the figures. ISO 8601 in UTC, ending in Z. */
  readonly updatedAt: string;
  /** Whether any tick of the 30 days behind these figures was imported from a previous backend. */
  readonly importedFromLegacy: boolean;
  /** The base asset on the family's first settlement chain; null when that was never read and the configuration does not name it. */
  readonly baseAsset: string | null;
  /** Decimals of the base asset. */
  readonly baseAssetDecimals: number;
  /** Decimals of the share token. */
  readonly shareDecimals: number;
  /** `idle` + `invested` + `pendingExits` over all chains, of the family's base asset. In base units: an integer in decimal digits. */
  readonly tvl: Amount;
  /** Held by the vaults themselves, of the family's base asset. In base units: an integer in decimal digits. */
  readonly idle: Amount;
  /** Value at work: that of the pools, an idle-only one too, and what a vault invests without a known pool, of the family's base asset. In base units: an integer in decimal digits. */
  readonly invested: Amount;
  /** Assets leaving through a venue's own exit queue, of the family's base asset. In base units: an integer in decimal digits. */
  readonly pendingExits: Amount;
  /** Assets owed to queued redemptions, of the family's base asset. In base units: an integer in decimal digits. */
  readonly pendingRedemptionAssets: Amount;
  /** Shares over all chains, of the share token. In base units: an integer in decimal digits. */
  readonly totalShares: Amount;
  /** Base units of the base asset for one whole share (10^shareDecimals), on the family's first settlement chain; null while none is published there. */
  readonly assetsPerShare: Amount | null;
  /** Value of `tvl`, in USD, not rounded; null when no price was held at that time. */
  readonly tvlUsd: number | null;
  /** The 7-day figure, the same as `apy7d`, as a fraction: 0.045 is 4.5 %; null where that is, never 0 for that. */
  readonly apy: number | null;
  /** Compound yearly rate from the share price over 1 day; a younger family is measured over its whole life, as a fraction: 0.045 is 4.5 %; null where nothing can be measured: no share price is known, or only that of one instant yet, never 0 for that. */
  readonly apy1d: number | null;
  /** Compound yearly rate from the share price over 7 days; a younger family is measured over its whole life, as a fraction: 0.045 is 4.5 %; null where nothing can be measured: no share price is known, or only that of one instant yet, never 0 for that. */
  readonly apy7d: number | null;
  /** Compound yearly rate from the share price over 30 days; a younger family is measured over its whole life, as a fraction: 0.045 is 4.5 %; null where nothing can be measured: no share price is known, or only that of one instant yet, never 0 for that. */
  readonly apy30d: number | null;
  /** Rewards streamed over `tvl`; 0 when there are none. A fraction per year: 0.045 is 4.5 %. */
  readonly rewardApr: number;
  /** The chains behind the sums. One that cannot be read keeps its last row; one that was never read has none. */
  readonly chains: readonly VaultChainStats<Amount>[];
  /** Biggest first. A feeder's are its master's, scaled to the feeder's `invested`: they add up to it where the master's pools are all that the master is invested in. */
  readonly pools: readonly Pool<Amount>[];
}

/** The family on one chain. */
export interface VaultChainStats<Amount = string> {
  /** The chain. EIP-155 chain id. */
  readonly chainId: number;
  /** The block that the row was read at; an old one on a chain that cannot be read. A block number in decimal digits. */
  readonly block: Amount;
  /** Held by the vault there, of the family's base asset. In base units: an integer in decimal digits. */
  readonly idle: Amount;
  /** Value at work there, in pools or without a known one, of the family's base asset. In base units: an integer in decimal digits. */
  readonly invested: Amount;
  /** Assets in venues' exit queues there, of the family's base asset. In base units: an integer in decimal digits. */
  readonly pendingExits: Amount;
  /** The three together, of the family's base asset. In base units: an integer in decimal digits. */
  readonly tvl: Amount;
  /** Shares on this chain, of the share token. In base units: an integer in decimal digits. */
  readonly shareSupply: Amount;
}

/** A pool that the family is invested in. */
export interface Pool<Amount = string> {
  /** The id that the pool registry announces. */
  readonly offchainId: string;
  /** The chain. EIP-155 chain id. */
  readonly chainId: number;
  /** Name of the pool; its `offchainId` where none is configured. */
  readonly name: string;
  /** Protocol that runs it; empty where none is configured. */
  readonly protocolName: string;
  /** The pool's page; empty where none is configured. */
  readonly poolUrl: string;
  /** A sentence or two; empty where none is configured. */
  readonly description: string;
  /** Value of the family's holding, of the family's base asset. In base units: an integer in decimal digits. */
  readonly value: Amount;
  /** Basis points of `tvl`; pools, idle, pending exits and what is invested in no known pool add up to 10000. */
  readonly allocationBps: number;
  /** What could be taken out at once, in base units of the base asset; null when the venue does not say. */
  readonly availableLiquidity: Amount | null;
  /** Compound yearly rate from the pool's own share price over 1 day; a younger pool is measured over its whole life, as a fraction: 0.045 is 4.5 %; null where nothing can be measured: no share price is known, or only that of one instant yet, never 0 for that. */
  readonly apy1d: number | null;
  /** Compound yearly rate from the pool's own share price over 7 days; a younger pool is measured over its whole life, as a fraction: 0.045 is 4.5 %; null where nothing can be measured: no share price is known, or only that of one instant yet, never 0 for that. */
  readonly apy7d: number | null;
  /** Compound yearly rate from the pool's own share price over 30 days; a younger pool is measured over its whole life, as a fraction: 0.045 is 4.5 %; null where nothing can be measured: no share price is known, or only that of one instant yet, never 0 for that. */
  readonly apy30d: number | null;
  /** The yearly rate that the venue itself states, else the 7-day figure, as a fraction: 0.045 is 4.5 %; null where neither is known, never 0 for that. */
  readonly mechanismApy: number | null;
  /** 0 to 100, higher is safer: the risk graph's score of the pool, else the one that the pool registry announces; 0 when it is not scored. */
  readonly riskScore: number;
  /** `exit-only`: assets only leave it. A removed pool is not listed. */
  readonly status: 'active' | 'exit-only';
  /** Holds the asset ready for exits; counts as invested. */
  readonly idleOnly: boolean;
}

/** What the invested value consists of, from the composition of the pools. `allocatedUsd` is what is backed by collateral, `uncollateralizedUsd` and `unclassifiedUsd` together. */
export interface Exposure {
  /** The instant of the figures. ISO 8601 in UTC, ending in Z. */
  readonly at: string;
  /** Value of `invested`, in USD, not rounded; null when no price was held at that time. */
  readonly allocatedUsd: number | null;
  /** Value in pools that are known to lend or hold without collateral: their composition names what they hold and nothing that backs it, in USD, not rounded; null when no price was held at that time. */
  readonly uncollateralizedUsd: number | null;
  /** The same as a part of `allocatedUsd`. In percent, 0 to 100. */
  readonly uncollateralizedPct: number;
  /** Value that nobody can classify: in pools without a known composition, the part of a pool that its composition leaves out, and what is invested in no known pool. It is in none of the other figures, least of all in `uncollateralizedUsd`, in USD, not rounded; null when no price was held at that time. */
  readonly unclassifiedUsd: number | null;
  /** The same as a part of `allocatedUsd`. In percent, 0 to 100. */
  readonly unclassifiedPct: number;
  /** Each pool's value split over the assets it holds; biggest first. */
  readonly underlying: readonly ExposureEntry[];
  /** Each pool's value split over what backs its loans; biggest first. */
  readonly collateral: readonly ExposureEntry[];
}

/** An asset and how much depends on it. */
export interface ExposureEntry {
  /** The chain. EIP-155 chain id. */
  readonly chainId: number;
  /** The asset. EIP-55 checksummed. */
  readonly address: string;
  /** The asset's symbol. */
  readonly symbol: string;
  /** Value exposed to the asset, in USD, not rounded; null when no price was held at that time. */
  readonly exposureUsd: number | null;
  /** Part of `allocatedUsd`. In percent, 0 to 100. */
  readonly exposurePct: number;
}

/** The rate at one instant. */
export interface ApyTick {
  /** The instant of the tick. ISO 8601 in UTC, ending in Z. */
  readonly at: string;
  /** Compound, from the share price over the 7 days before the instant. A fraction per year: 0.045 is 4.5 %. */
  readonly value: number;
}

/** The value at one instant. */
export interface TvlTick<Amount = string> {
  /** The instant of the tick. ISO 8601 in UTC, ending in Z. */
  readonly at: string;
  /** Total value locked over all chains, of the family's base asset. In base units: an integer in decimal digits. */
  readonly value: Amount;
  /** The same value in US dollars, at the price of that instant; null when no price was held then. */
  readonly usd: number | null;
}

/** The price at one instant. */
export interface SharePriceTick<Amount = string> {
  /** The instant of the tick. ISO 8601 in UTC, ending in Z. */
  readonly at: string;
  /** What one whole share (10^shareDecimals) was worth on the first settlement chain, of the base asset. In base units: an integer in decimal digits. */
  readonly value: Amount;
}

/** The parts of the value at one instant. */
export interface SplitTick<Amount = string> {
  /** The instant of the tick. ISO 8601 in UTC, ending in Z. */
  readonly at: string;
  /** Base asset held by the vaults themselves. In base units: an integer in decimal digits. */
  readonly idle: Amount;
  /** Value at work. In base units: an integer in decimal digits. */
  readonly invested: Amount;
  /** Assets leaving through a venue's own exit queue. In base units: an integer in decimal digits. */
  readonly pendingExits: Amount;
  /** Assets owed to queued redemptions. In base units: an integer in decimal digits. */
  readonly pendingRedemptionAssets: Amount;
}

/** The pools at one instant. */
export interface AllocationTick<Amount = string> {
  /** The instant of the tick. ISO 8601 in UTC, ending in Z. */
  readonly at: string;
  /** Every pool that was read at that instant. */
  readonly pools: readonly AllocationTickPool<Amount>[];
}

/** A pool and what was in it. */
export interface AllocationTickPool<Amount = string> {
  /** The id that the pool registry announces. */
  readonly offchainId: string;
  /** The chain of the pool. EIP-155 chain id. */
  readonly chainId: number;
  /** Value of the family's holding, of its base asset. In base units: an integer in decimal digits. */
  readonly value: Amount;
}

/** How long redemptions took. */
export interface Exits<Amount = string> {
  /** Start of the time that was measured. ISO 8601 in UTC, ending in Z. */
  readonly from: string;
  /** Its end. ISO 8601 in UTC, ending in Z. */
  readonly to: string;
  /** What was paid, or became claimable, in that time, after it had waited. */
  readonly paid: ExitsPaid<Amount>;
  /** What waits now. */
  readonly waiting: ExitsWaiting<Amount>;
}

/** What was paid, or became claimable, in that time, after it had waited. */
export interface ExitsPaid<Amount = string> {
  /** Requests of which something was paid or became claimable. */
  readonly requests: number;
  /** Shares of them that were paid or became claimable. In base units: an integer in decimal digits. */
  readonly shares: Amount;
  /** Half of these shares waited no longer than this. In seconds; null when no request was paid. */
  readonly medianSeconds: number | null;
  /** Nine tenths of these shares waited no longer than this. In seconds; null when no request was paid. */
  readonly p90Seconds: number | null;
}

/** What waits now. */
export interface ExitsWaiting<Amount = string> {
  /** Requests that still wait. */
  readonly requests: number;
  /** Shares that still wait. In base units: an integer in decimal digits. */
  readonly shares: Amount;
  /** When the oldest of them was made; null when none waits. */
  readonly oldest: string | null;
}

/** Who holds a family's shares. */
export interface Holders<Amount = string> {
  /** Wallets that have shares. */
  readonly holders: number;
  /** Shares of all of them. In base units: an integer in decimal digits. */
  readonly shares: Amount;
  /** The largest, at most 10, biggest first. */
  readonly largest: readonly HoldersLargest<Amount>[];
}

/** A wallet and its part. */
export interface HoldersLargest<Amount = string> {
  /** The wallet. EIP-55 checksummed. */
  readonly wallet: string;
  /** Its shares over all chains, those in queued redemptions too. In base units: an integer in decimal digits. */
  readonly shares: Amount;
  /** Part of `shares` of all. In percent, 0 to 100. */
  readonly pct: number;
}

/** One page of history. */
export interface HistoryPage<Amount = string> {
  /** Newest first, by block time, chain id, block number and log index. */
  readonly items: readonly HistoryItem<Amount>[];
  /** Opaque; pass it back unchanged as cursor for the next page. Null when this page is the last. */
  readonly nextCursor: string | null;
  /** Every chain of the families asked for, whatever its role, that could not be read in full. Items already known of it are still served. */
  readonly incompleteChains: readonly IncompleteChain[];
}

/** One thing that a wallet did. */
export interface HistoryItem<Amount = string> {
  /** deposit; withdraw: assets paid out, at once or when a queued request is fulfilled; redeem: a queued redemption request; cancel: a queued request cancelled. An instant exit is one item. */
  readonly type: 'deposit' | 'withdraw' | 'redeem' | 'cancel';
  /** Where it happened. EIP-155 chain id. */
  readonly chainId: number;
  /** The family's vault on that chain. EIP-55 checksummed. */
  readonly vaultAddress: string;
  /** The wallet: the owner of a deposit, the receiver of an exit. EIP-55 checksummed. */
  readonly user: string;
  /** Of the base asset, in base units. Null for a redemption request that names shares only, before the first share price of its vault. */
  readonly assets: Amount | null;
  /** Of the share. In base units: an integer in decimal digits. */
  readonly shares: Amount;
  /** The transaction in which it happened. */
  readonly transactionHash: string;
  /** Time of its block. In Unix seconds. */
  readonly blockTimestamp: number;
}

/** A chain that could not be read in full. */
export interface IncompleteChain {
  /** The vault family. */
  readonly family: string;
  /** The chain of which items may be missing. EIP-155 chain id. */
  readonly chainId: number;
  /** unconfigured: the server has no RPC URL for it; unreachable: its RPC does not answer, the chain stands still, or nobody indexes it now; syncing: it is not read up to its head yet. */
  readonly reason: 'unconfigured' | 'unreachable' | 'syncing';
}

/** Pending redemptions of a wallet, read from the chains just now. */
export interface PendingRedeems<Amount = string> {
  /** One entry for each vault in which the wallet has shares queued (or, in an ERC-7540 vault, ready to be claimed). */
  readonly redeems: readonly PendingRedeem<Amount>[];
  /** Chains, ascending, on which at least one read did not answer: no RPC URL configured, a failed or late multicall, or a failed read of a single vault. What could not be read has no entry in redeems; a chain listed here may still have entries of its other vaults. */
  readonly incompleteChains: readonly number[];
}

/** A queued redemption of the wallet in one vault on one chain. */
export interface PendingRedeem<Amount = string> {
  /** Slug of the vault family. */
  readonly family: string;
  /** The chain on which the redemption waits. EIP-155 chain id. */
  readonly chainId: number;
  /** The vault contract. EIP-55 checksummed. */
  readonly vault: string;
  /** Shares that wait in the queue. In base units: an integer in decimal digits. */
  readonly shares: Amount;
  /** What the request reserved, of the base asset. An ERC-7540 vault fixes no amount before it fulfils a request: there it equals currentAssets. In base units: an integer in decimal digits. */
  readonly requestedAssets: Amount;
  /** What these shares convert to now, of the base asset. In base units: an integer in decimal digits. */
  readonly currentAssets: Amount;
  /** Decimals of the share token. */
  readonly shareDecimals: number;
  /** The family's base asset on that chain. EIP-55 checksummed. */
  readonly baseAsset: string;
  /** Decimals of the base asset. */
  readonly baseAssetDecimals: number;
  /** Symbol of the base asset. */
  readonly baseAssetSymbol: string;
  /** ERC-7540 vaults only: shares of requests that are fulfilled and ready to be claimed. They are not part of shares. In base units: an integer in decimal digits. */
  readonly claimableShares?: Amount;
  /** ERC-7540 vaults only: what the claim of claimableShares pays; null when the vault does not say. */
  readonly claimableAssets?: Amount | null;
  /** Beyond the interface: what others asked for before the last of these requests and still wait for, in this vault on this chain, of the base asset: all that is paid before the wallet has everything, first in, first out (a vault may pay in another order). What was reserved for them (of who was paid in part, what goes with the shares that are left); where they reserve nothing, what their shares are worth at the newest price that is indexed. Null when it is not known: assetsBeforeReason says why. */
  readonly assetsBefore: Amount | null;
  /** Why assetsBefore is null; null when it is known. claimable: nothing of this entry waits any more. not-indexed: the indexed requests of the wallet are not what the vault says, because the index is behind. several-vaults: vaults over one share token, whose requests cannot be told apart. unpriced: no share price is indexed yet. */
  readonly assetsBeforeReason: 'claimable' | 'not-indexed' | 'several-vaults' | 'unpriced' | null;
}

/** Pending deposits of a wallet, read from the chains just now. */
export interface PendingDeposits<Amount = string> {
  /** One entry for each vault in which the wallet has assets queued, shares to claim, or assets of a cancelled request to take back. */
  readonly deposits: readonly PendingDeposit<Amount>[];
  /** Chains, ascending, on which at least one read did not answer: no RPC URL configured, a failed or late multicall, or a failed read of a single vault. What could not be read has no entry in deposits; a chain listed here may still have entries of its other vaults. */
  readonly incompleteChains: readonly number[];
}

/** Deposits of the wallet in one vault on one chain that it has no shares of yet. */
export interface PendingDeposit<Amount = string> {
  /** Slug of the vault family. */
  readonly family: string;
  /** The chain on which the deposit waits. EIP-155 chain id. */
  readonly chainId: number;
  /** The vault contract. EIP-55 checksummed. */
  readonly vault: string;
  /** What waits in the queue, of the base asset. In base units: an integer in decimal digits. */
  readonly assets: Amount;
  /** What was taken in and whose shares are ready to be claimed, of the base asset. It is not part of assets. In base units: an integer in decimal digits. */
  readonly claimableAssets: Amount;
  /** The shares that can be claimed for claimableAssets; null when the vault does not say, as while it is paused. Claims in parts may leave shares that are worth less than a base unit of the asset. */
  readonly claimableShares: Amount | null;
  /** Decimals of the share token. */
  readonly shareDecimals: number;
  /** The base asset of that vault. EIP-55 checksummed. */
  readonly baseAsset: string;
  /** Decimals of the base asset. */
  readonly baseAssetDecimals: number;
  /** Symbol of the base asset. */
  readonly baseAssetSymbol: string;
  /** Only of vaults whose requests can be cancelled by and by: what cancelled requests give back and can be claimed, of the base asset. It is not part of assets. In base units: an integer in decimal digits. */
  readonly returnableAssets?: Amount;
}

/** What a wallet paid, received and holds. */
export interface Performance<Amount = string> {
  /** The wallet asked for. EIP-55 checksummed. */
  readonly wallet: string;
  /** One entry for each family in which the wallet ever held shares. */
  readonly families: readonly PerformanceFamily<Amount>[];
  /** Over all families of this answer. */
  readonly totals: PerformanceTotals;
}

/** A wallet in one vault family, over all its chains. */
export interface PerformanceFamily<Amount = string> {
  /** Slug of the vault family. */
  readonly family: string;
  /** The base asset on the family's first settlement chain. EIP-55 checksummed. */
  readonly baseAsset: string;
  /** Decimals of the base asset. */
  readonly baseAssetDecimals: number;
  /** Symbol of the base asset. */
  readonly baseAssetSymbol: string;
  /** Decimals of the share token. */
  readonly shareDecimals: number;
  /** Assets received for shares that were redeemed, less what those shares cost, of the base asset. In base units: an integer in decimal digits, with a minus sign when negative. */
  readonly realized: Amount;
  /** What the shares still held cost, of the base asset. In base units: an integer in decimal digits. */
  readonly costBasis: Amount;
  /** Shares over all chains of the family, those in queued redemptions too. In base units: an integer in decimal digits. */
  readonly sharesBalance: Amount;
  /** sharesBalance at the newest share price, rounded down once over all chains; null until the family has a share price. */
  readonly currentValue: Amount | null;
  /** currentValue less costBasis; null when currentValue is. */
  readonly unrealized: Amount | null;
  /** null when no price of the base asset is held that is recent enough. */
  readonly usd: PerformanceFamilyUsd | null;
  /** The instant of the price behind every figure of usd; null when usd is. */
  readonly pricedAt: string | null;
}

/** The same figures in US dollars, all at one price. */
export interface PerformanceFamilyUsd {
  /** currentValue at the price of pricedAt. In US dollars. */
  readonly currentValueUsd: number;
  /** unrealized at the price of pricedAt; may be negative. In US dollars. */
  readonly unrealizedUsd: number;
  /** realized at the price of pricedAt; may be negative. In US dollars. */
  readonly realizedUsd: number;
}

/** Over all families of this answer. */
export interface PerformanceTotals {
  /** Sum over the families with USD figures. In US dollars. */
  readonly currentValueUsd: number;
  /** Sum over the families with USD figures; may be negative. In US dollars. */
  readonly unrealizedUsd: number;
  /** Sum over the families with USD figures; may be negative. In US dollars. */
  readonly realizedUsd: number;
  /** Families of this answer without USD figures; they are not part of the sums. */
  readonly unpricedFamilies: readonly string[];
}

/** One movement of shares. */
export interface LedgerEntry<Amount = string> {
  /** Time of its block. ISO 8601 in UTC, ending in Z. */
  readonly at: string;
  /** Slug of the vault family. */
  readonly family: string;
  /** Where it happened. EIP-155 chain id. */
  readonly chainId: number;
  /** deposit; exit: assets were paid for shares; received, sent: shares from or to another wallet. */
  readonly type: 'deposit' | 'exit' | 'received' | 'sent';
  /** Shares that came or left. In base units: an integer in decimal digits. */
  readonly shares: Amount;
  /** Paid in, paid out, or worth of what was received; 0 for what was sent. In base units: an integer in decimal digits. */
  readonly assets: Amount;
  /** Decimals of the base asset. */
  readonly baseAssetDecimals: number;
  /** What it did to the cost of the shares held: negative where cost left. In base units: an integer in decimal digits, with a minus sign when negative. */
  readonly cost: Amount;
  /** Of an exit: assets received less the cost of its shares; null for all else. */
  readonly result: Amount | null;
  /** Value of `assets` in US dollars at the price of that time; null when none was held then. */
  readonly usd: number | null;
  /** The transaction; null for shares sent from wallet to wallet, of which none is kept. */
  readonly transactionHash: string | null;
}

/** The grading method. */
export interface RiskMethodology {
  /** Version of the method. */
  readonly version: string;
  /** Which probability earns which grade; a letter that is missing is not given. */
  readonly cutoffs: readonly RiskMethodologyCutoff[];
  /** What a node’s own hazard of a loss is made of. */
  readonly factors: readonly RiskMethodologyFactor[];
  /** What the hazard of being given up is made of: it can hold a grade down and is no part of it. */
  readonly closure: readonly RiskMethodologyFactor[];
  /** How risk passes along edges. */
  readonly dependencies: readonly RiskMethodologyDependency[];
  /** What a node cannot grade better than. */
  readonly floors: readonly RiskMethodologyFloor[];
  /** Grades from old facts, held against later outcomes. */
  readonly backtest: RiskMethodologyBacktest;
  /** What the figures do not show. */
  readonly limits: readonly string[];
  /** What was tried, and why it is left out. */
  readonly tried: readonly string[];
}

/** One grade. */
export interface RiskMethodologyCutoff {
  /** Letter grade, A safest to F riskiest. */
  readonly grade: 'A' | 'B' | 'C' | 'D' | 'E' | 'F';
  /** Up to this yearly probability of a loss, in percent; null: above all others. */
  readonly upToPercent: number | null;
}

/** One factor. */
export interface RiskMethodologyFactor {
  /** Kind of node. */
  readonly of: 'Pool' | 'Asset' | 'Protocol' | 'Chain';
  /** What is looked at. */
  readonly factor: string;
  /** Percent per year to start from, or what the hazard is multiplied with. */
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
  /** Letter grade, A safest to F riskiest. */
  readonly grade: 'A' | 'B' | 'C' | 'D' | 'E' | 'F';
  /** While this holds. */
  readonly when: string;
}

/** Grades from old facts, held against later outcomes. */
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
  /** How well the order foretold losses. */
  readonly loss: readonly RiskMethodologyBacktestLos[];
  /** Losses by size. */
  readonly sizes: readonly RiskMethodologyBacktestSize[];
  /** Learned from one time, judged by another. */
  readonly overTime: readonly RiskMethodologyBacktestOverTime[];
  /** Observed loss by grade, protocols above 1 million USD. */
  readonly grades: readonly RiskMethodologyBacktestGrade[];
  /** The same over all sizes. */
  readonly gradesOfAll: readonly RiskMethodologyBacktestGrade[];
  /** Each fact by itself. */
  readonly singleFacts: readonly RiskMethodologyBacktestSingleFact[];
  /** Other sets of facts. */
  readonly tried: readonly RiskMethodologyBacktestTried[];
  /** How well the order foretold closure. */
  readonly closure: RiskMethodologyBacktestClosure;
  /** Stablecoins that had their peg. */
  readonly stablecoins: readonly RiskMethodologyBacktestStablecoin[];
  /** AUC of the order of these coins. */
  readonly stablecoinAuc: RiskMethodologyBacktestStablecoinAuc;
  /** Whether dependencies help. */
  readonly dependencies: readonly RiskMethodologyBacktestDependency[];
  /** After an incident. */
  readonly again: RiskMethodologyBacktestAgain;
}

/** One outcome. */
export interface RiskMethodologyBacktestLos {
  /** Outcome, and among which protocols. */
  readonly group: string;
  /** How many there are. */
  readonly protocols: number;
  /** To how many it happened. */
  readonly happened: number;
  /** AUC, 0 to 1: of TVL, in whichever direction is the better one. */
  readonly sizeAlone: number;
  /** AUC of weights fitted on other protocols than those they score. */
  readonly crossFitted: RiskMethodologyBacktestLosCrossFitted;
  /** Of the second over the first. */
  readonly gain: RiskMethodologyBacktestLosGain;
}

/** AUC of weights fitted on other protocols than those they score. */
export interface RiskMethodologyBacktestLosCrossFitted {
  /** The figure. */
  readonly value: number;
  /** Lower end of its 95 % interval. */
  readonly low: number;
  /** Upper end of its 95 % interval. */
  readonly high: number;
}

/** Of the second over the first. */
export interface RiskMethodologyBacktestLosGain {
  /** The figure. */
  readonly value: number;
  /** Lower end of its 95 % interval. */
  readonly low: number;
  /** Upper end of its 95 % interval. */
  readonly high: number;
}

/** One size. */
export interface RiskMethodologyBacktestSize {
  /** TVL. */
  readonly size: string;
  /** Protocols of that size. */
  readonly protocols: number;
  /** Of these known to have lost at least 1 %. */
  readonly lost: number;
  /** How many the cross-fitted weights expected. */
  readonly expected: number;
}

/** One way to part the time. */
export interface RiskMethodologyBacktestOverTime {
  /** What the weights were learned from. */
  readonly learned: string;
  /** What they were judged by. */
  readonly judged: string;
  /** Losses judged by. */
  readonly happened: number;
  /** AUC. */
  readonly auc: RiskMethodologyBacktestOverTimeAuc;
}

/** AUC. */
export interface RiskMethodologyBacktestOverTimeAuc {
  /** The figure. */
  readonly value: number;
  /** Lower end of its 95 % interval. */
  readonly low: number;
  /** Upper end of its 95 % interval. */
  readonly high: number;
}

/** A grade, what it claims, and what was observed. */
export interface RiskMethodologyBacktestGrade {
  /** Letter grade, A safest to F riskiest. */
  readonly grade: 'A' | 'B' | 'C' | 'D' | 'E' | 'F';
  /** The grade claims more than this, in percent a year, */
  readonly from: number;
  /** and up to this; null: without limit. */
  readonly upTo: number | null;
  /** Counted. */
  readonly of: number;
  /** Of these known to have lost. */
  readonly lost: number;
  /** Observed rate in percent a year, with its exact interval. */
  readonly yearly: RiskMethodologyBacktestGradeYearly;
}

/** Observed rate in percent a year, with its exact interval. */
export interface RiskMethodologyBacktestGradeYearly {
  /** The figure. */
  readonly value: number;
  /** Lower end of its 95 % interval. */
  readonly low: number;
  /** Upper end of its 95 % interval. */
  readonly high: number;
}

/** One fact. */
export interface RiskMethodologyBacktestSingleFact {
  /** The fact. */
  readonly fact: string;
  /** Protocols with it: how many, and how many of them lost. */
  readonly with: readonly number[];
  /** Protocols without it: how many, and how many of them lost. */
  readonly without: readonly number[];
  /** AUC, 0 to 1: of the fact by itself. */
  readonly auc: number;
}

/** One set of facts. */
export interface RiskMethodologyBacktestTried {
  /** The facts. */
  readonly set: string;
  /** AUC, 0 to 1: cross-fitted. */
  readonly auc: number;
  /** Over size alone. */
  readonly gain: RiskMethodologyBacktestTriedGain;
}

/** Over size alone. */
export interface RiskMethodologyBacktestTriedGain {
  /** The figure. */
  readonly value: number;
  /** Lower end of its 95 % interval. */
  readonly low: number;
  /** Upper end of its 95 % interval. */
  readonly high: number;
}

/** How well the order foretold closure. */
export interface RiskMethodologyBacktestClosure {
  /** Outcome, and among which protocols. */
  readonly group: string;
  /** How many there are. */
  readonly protocols: number;
  /** To how many it happened. */
  readonly happened: number;
  /** AUC, 0 to 1: of TVL, in whichever direction is the better one. */
  readonly sizeAlone: number;
  /** AUC of weights fitted on other protocols than those they score. */
  readonly crossFitted: RiskMethodologyBacktestLosCrossFitted;
  /** Of the second over the first. */
  readonly gain: RiskMethodologyBacktestLosGain;
}

/** One kind of stablecoin. */
export interface RiskMethodologyBacktestStablecoin {
  /** What backs them. */
  readonly kind: string;
  /** Counted. */
  readonly of: number;
  /** Of these known to have lost. */
  readonly lost: number;
  /** Observed rate in percent a year, with its exact interval. */
  readonly yearly: RiskMethodologyBacktestGradeYearly;
  /** Of which it is not known whether they lost their peg. */
  readonly unknown: number;
  /** What the method says of them, the mean, in percent a year. */
  readonly claimed: number;
}

/** AUC of the order of these coins. */
export interface RiskMethodologyBacktestStablecoinAuc {
  /** The figure. */
  readonly value: number;
  /** Lower end of its 95 % interval. */
  readonly low: number;
  /** Upper end of its 95 % interval. */
  readonly high: number;
}

/** One outcome. */
export interface RiskMethodologyBacktestDependency {
  /** What happened. */
  readonly outcome: string;
  /** To how many protocols. */
  readonly happened: number;
  /** AUC, 0 to 1: by the own hazard. */
  readonly own: number;
  /** AUC, 0 to 1: with everything that a protocol depends on. */
  readonly whole: number;
  /** Of the second over the first. */
  readonly gain: RiskMethodologyBacktestLosGain;
}

/** After an incident. */
export interface RiskMethodologyBacktestAgain {
  /** Protocols with an incident. */
  readonly of: number;
  /** Of these lost afterwards. */
  readonly lost: number;
  /** How many would have by their other facts. */
  readonly expected: number;
}

/** The data model. */
export interface RiskSchema {
  /** The kinds of node. */
  readonly nodeTypes: readonly RiskSchemaNodeType[];
  /** The kinds of edge, and what each may join: the source depends on the target. */
  readonly edgeTypes: readonly RiskSchemaEdgeType[];
  /** The letters, safest first. */
  readonly grades: readonly ('A' | 'B' | 'C' | 'D' | 'E' | 'F')[];
  /** Version of the grading method. */
  readonly methodVersion: string;
}

/** A kind of node. */
export interface RiskSchemaNodeType {
  /** Kind of node. */
  readonly label: 'Pool' | 'Asset' | 'Protocol' | 'Chain';
  /** Properties that a node of this label may have. */
  readonly properties: readonly RiskSchemaNodeTypeProperty[];
}

/** A property. */
export interface RiskSchemaNodeTypeProperty {
  /** Name of the property. */
  readonly name: string;
  /** JSON type of its value. */
  readonly type: string;
  /** What it says, and in which unit. */
  readonly description: string;
}

/** A kind of edge. */
export interface RiskSchemaEdgeType {
  /** What the source has to do with the target. */
  readonly type: 'LIVES_ON' | 'OPERATED_BY' | 'ACCEPTS_DEPOSITS_IN' | 'IS_COLLATERALIZED_BY' | 'ISSUED_BY' | 'SETTLES_TO' | 'ALLOCATES' | 'PRICED_BY';
  /** Kind of node. */
  readonly from: 'Pool' | 'Asset' | 'Protocol' | 'Chain';
  /** Kind of node. */
  readonly to: 'Pool' | 'Asset' | 'Protocol' | 'Chain';
}

/** A pool, a protocol or a chain. */
export interface LockedValueHit {
  /** Node id: pool:<chain>:<address or key>, asset:<chain>:<address>, protocol:<slug> or chain:<slug>, in lower case. */
  readonly id: string;
  /** Kind of node. */
  readonly label: 'Pool' | 'Asset' | 'Protocol' | 'Chain';
  /** Name. */
  readonly name: string;
  /** Slug of its chain; multichain for a protocol on several, unknown where no source says. */
  readonly network: string;
  /** Value locked. In USD; null when unknown. */
  readonly tvlUsd: number | null;
  /** Address, on whichever chain; on EVM chains with its EIP-55 checksum, on others as it is written there. */
  readonly address?: string;
  /** What names it in its id, where it has no address. */
  readonly uniqueKey?: string;
}

/** An asset. */
export interface AssetHit {
  /** Node id: pool:<chain>:<address or key>, asset:<chain>:<address>, protocol:<slug> or chain:<slug>, in lower case. */
  readonly id: string;
  /** Kind of node. */
  readonly label: 'Pool' | 'Asset' | 'Protocol' | 'Chain';
  /** Name. */
  readonly name: string;
  /** Slug of its chain; multichain for a protocol on several, unknown where no source says. */
  readonly network: string;
  /** Market capitalisation, for assets. In USD; null when unknown. */
  readonly marketCapUsd: number | null;
  /** Address, on whichever chain; on EVM chains with its EIP-55 checksum, on others as it is written there. */
  readonly address?: string;
  /** What names it in its id, where it has no address. */
  readonly uniqueKey?: string;
}

/** A node with its grade. */
export interface RiskNode {
  /** Node id: pool:<chain>:<address or key>, asset:<chain>:<address>, protocol:<slug> or chain:<slug>, in lower case. */
  readonly id: string;
  /** Its one label. */
  readonly labels: readonly ('Pool' | 'Asset' | 'Protocol' | 'Chain')[];
  /** Every fact that is known; one that is not known is absent. GET /api/v1/agent/schema lists them by label. */
  readonly properties: JsonObject;
  /** Letter grade, A safest to F riskiest; the only risk value there is. */
  readonly _riskTier: 'A' | 'B' | 'C' | 'D' | 'E' | 'F';
  /** Why it has this grade; the last row sums up. */
  readonly riskBreakdown: readonly RiskReason[];
}

/** One reason for the grade. */
export interface RiskReason {
  /** What was asked. */
  readonly question: string;
  /** What is known, in plain words. */
  readonly answer: string;
}

/** What a pool depends on directly. */
export interface RiskDependencies {
  /** Node id: pool:<chain>:<address or key>, asset:<chain>:<address>, protocol:<slug> or chain:<slug>, in lower case. */
  readonly nodeId: string;
  /** Letter grade, A safest to F riskiest; the only risk value there is. */
  readonly _riskTier: 'A' | 'B' | 'C' | 'D' | 'E' | 'F';
  /** Direct dependencies of the pool, one hop away. */
  readonly edges: readonly RiskEdge[];
  /** The nodes that the edges lead to. */
  readonly neighbors: readonly RiskNeighbor[];
}

/** A dependency. */
export interface RiskEdge {
  /** What the source has to do with the target. */
  readonly type: 'LIVES_ON' | 'OPERATED_BY' | 'ACCEPTS_DEPOSITS_IN' | 'IS_COLLATERALIZED_BY' | 'ISSUED_BY' | 'SETTLES_TO' | 'ALLOCATES' | 'PRICED_BY';
  /** Node id: pool:<chain>:<address or key>, asset:<chain>:<address>, protocol:<slug> or chain:<slug>, in lower case. */
  readonly sourceId: string;
  /** Node id: pool:<chain>:<address or key>, asset:<chain>:<address>, protocol:<slug> or chain:<slug>, in lower case. */
  readonly targetId: string;
  /** What is known of the edge itself. */
  readonly properties: JsonObject;
  /** When anything that is known of it last changed. ISO 8601 in UTC, ending in Z. */
  readonly lastUpdatedAt: string;
}

/** A node that an edge leads to. */
export interface RiskNeighbor {
  /** Node id: pool:<chain>:<address or key>, asset:<chain>:<address>, protocol:<slug> or chain:<slug>, in lower case. */
  readonly id: string;
  /** Its one label. */
  readonly labels: readonly ('Pool' | 'Asset' | 'Protocol' | 'Chain')[];
  /** Every fact that is known; one that is not known is absent. GET /api/v1/agent/schema lists them by label. */
  readonly properties: JsonObject;
  /** Letter grade, A safest to F riskiest; the only risk value there is. */
  readonly _riskTier: 'A' | 'B' | 'C' | 'D' | 'E' | 'F';
  /** When anything that is known of it last changed. ISO 8601 in UTC, ending in Z. */
  readonly lastUpdatedAt: string;
}

/** The state of the chains. */
export interface Status<Amount = string> {
  /** Every configured chain, in the order of the configuration. */
  readonly chains: readonly StatusChain<Amount>[];
  /** The version of the server. */
  readonly version: string;
}

/** One chain. */
export interface StatusChain<Amount = string> {
  /** The chain. EIP-155 chain id. */
  readonly chainId: number;
  /** The network's name. */
  readonly name: string;
  /** live: followed at its head. syncing: the past is being read. unreachable: its RPC does not answer, or the chain stands still. unconfigured: it has no RPC URL. stale: no news of it for minutes: no indexer runs. */
  readonly state: 'live' | 'syncing' | 'unreachable' | 'unconfigured' | 'stale';
  /** Newest block that the node knows. null when unknown. */
  readonly head: Amount | null;
  /** Newest block that cannot be reorganised. null when unknown. */
  readonly finalized: Amount | null;
  /** Newest block that is indexed. null when unknown. */
  readonly indexedBlock: Amount | null;
  /** Age of the newest indexed block, in seconds; null when none is indexed. */
  readonly lagSeconds: number | null;
  /** null while nothing is wrong. */
  readonly lastError: StatusChainLastError | null;
  /** null before the first look at the chain. */
  readonly updatedAt: string | null;
  /** The families of the page that live on this chain. One that is held back holds back nobody else; in incompleteChains of other routes its chain counts as syncing. */
  readonly families: readonly StatusChainFamily<Amount>[];
  /** Every price feed that is read from this chain. */
  readonly feeds: readonly StatusChainFeed[];
}

/** What keeps the chain from being read. */
export interface StatusChainLastError {
  /** What is wrong. */
  readonly message: string;
  /** Since when. ISO 8601 in UTC, ending in Z. */
  readonly since: string;
}

/** A vault family on this chain. */
export interface StatusChainFamily<Amount = string> {
  /** Slug of the vault family. */
  readonly family: string;
  /** current: all that the chain has shown so far is indexed. syncing: not yet. held-back: something is wrong with it alone, which reason tells; what was indexed before is served. unreachable: its chain cannot be read or is stale. unconfigured: its chain has no RPC URL. */
  readonly state: 'current' | 'syncing' | 'held-back' | 'unreachable' | 'unconfigured';
  /** What holds it back and what to do; null unless it is held back. */
  readonly reason: string | null;
  /** Since when; null unless it is held back. */
  readonly since: string | null;
  /** Recorded gaps of the family on this chain, oldest first; empty when the data is complete. */
  readonly gaps: readonly StatusChainFamilyGap<Amount>[];
}

/** A range of blocks that no RPC URL of the chain could serve in full. */
export interface StatusChainFamilyGap<Amount = string> {
  /** state: contract state, so series lack points in this stretch and events there are valued at the last known share price. logs: the events themselves, so nothing later is indexed for the family on this chain. */
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

/** A price feed that is read from this chain. */
export interface StatusChainFeed {
  /** Name of the feed. */
  readonly feed: string;
  /** current: all that the chain has shown so far is indexed. syncing: not yet. held-back: something is wrong with it alone, which reason tells; what was indexed before is served. unreachable: its chain cannot be read or is stale. unconfigured: its chain has no RPC URL. */
  readonly state: 'current' | 'syncing' | 'held-back' | 'unreachable' | 'unconfigured';
  /** What holds it back and what to do; null unless it is held back. */
  readonly reason: string | null;
  /** Since when; null unless it is held back. */
  readonly since: string | null;
}

/** It answers. */
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
}

/** One chain. */
export interface ReadinessChain {
  /** The chain. EIP-155 chain id. */
  readonly chainId: number;
  /** The network's name. */
  readonly name: string;
  /** live: followed at its head. syncing: the past is being read. unreachable: its RPC does not answer, or the chain stands still. unconfigured: it has no RPC URL. */
  readonly state: 'live' | 'syncing' | 'unreachable' | 'unconfigured';
  /** Whether its past was read once. */
  readonly backfilled: boolean;
}

/** Data that is not served yet. */
export interface ReadinessMissing {
  /** The chain. EIP-155 chain id. */
  readonly chainId: number;
  /** The family that has the gap; null when the initial backfill of the whole chain is not complete. */
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
  /** One for each paid operation; empty where nothing is sold. */
  readonly resources: readonly string[];
}

/** What went wrong, as RFC 9457 has it. */
export interface Problem {
  /** Always about:blank: the status says which kind of problem it is. */
  readonly type: string;
  /** The words of the HTTP status. */
  readonly title: string;
  /** The HTTP status. */
  readonly status: number;
  /** What went wrong with this request, and what to do. */
  readonly detail?: string;
  /** With 409 only: what went wrong, for programs. */
  readonly code?: string;
  /** With 400 only: every parameter that cannot be used. */
  readonly errors?: readonly ProblemError[];
  /** With 410 only: the URL that replaces the one asked for; null where it cannot be known. */
  readonly successor?: string | null;
  /** With 503 of /health/ready only: the state of every chain. */
  readonly chains?: readonly unknown[];
}

/** One parameter that cannot be used. */
export interface ProblemError {
  /** The name of the parameter. */
  readonly parameter: string;
  /** Finishes the sentence that its name begins. */
  readonly reason: string;
}

export interface ListVaultsParameters {
  /** Only families that live on this chain, whatever its role. */
  readonly chainId?: number;
  /** Only families with this base asset: its address on any chain of the family (in any case, a mixed-case checksum must be right), or its symbol in any case. */
  readonly baseAsset?: string;
  /** Families per page. If more follow, the `Link` header has the URL of the next page (`rel="next"`). */
  readonly limit?: number;
  /** From the `Link` header of the previous page; pass it back unchanged, with the same filters. */
  readonly cursor?: string;
}

export interface GetVaultParameters {
  /** Slug of the vault family. */
  readonly slug: string;
}

export interface GetApySeriesParameters {
  /** Slug of the vault family. */
  readonly slug: string;
  /** Start of the range, inclusive; a date means its 00:00:00Z. Absent: from the first tick. A date (YYYY-MM-DD) or a date-time with Z or a numeric UTC offset (+02:00 or +0200, the plus sign percent-encoded as %2B); up to 9 digits after the second; years 1970 to 9999. */
  readonly from?: string;
  /** End of the range, inclusive; a date means its 23:59:59.999Z. Absent: up to the newest tick. A date (YYYY-MM-DD) or a date-time with Z or a numeric UTC offset (+02:00 or +0200, the plus sign percent-encoded as %2B); up to 9 digits after the second; years 1970 to 9999. */
  readonly to?: string;
  /** raw: every tick kept. hour, day: the last tick of each UTC hour or day among the ticks inside from…to, with that tick's own instant. */
  readonly interval?: 'raw' | 'hour' | 'day';
  /** The most ticks to return. When the range holds more, the newest are returned, still oldest first. */
  readonly limit?: number;
}

export interface GetTvlSeriesParameters {
  /** Slug of the vault family. */
  readonly slug: string;
  /** Start of the range, inclusive; a date means its 00:00:00Z. Absent: from the first tick. A date (YYYY-MM-DD) or a date-time with Z or a numeric UTC offset (+02:00 or +0200, the plus sign percent-encoded as %2B); up to 9 digits after the second; years 1970 to 9999. */
  readonly from?: string;
  /** End of the range, inclusive; a date means its 23:59:59.999Z. Absent: up to the newest tick. A date (YYYY-MM-DD) or a date-time with Z or a numeric UTC offset (+02:00 or +0200, the plus sign percent-encoded as %2B); up to 9 digits after the second; years 1970 to 9999. */
  readonly to?: string;
  /** raw: every tick kept. hour, day: the last tick of each UTC hour or day among the ticks inside from…to, with that tick's own instant. */
  readonly interval?: 'raw' | 'hour' | 'day';
  /** The most ticks to return. When the range holds more, the newest are returned, still oldest first. */
  readonly limit?: number;
}

export interface GetSharePriceSeriesParameters {
  /** Slug of the vault family. */
  readonly slug: string;
  /** Start of the range, inclusive; a date means its 00:00:00Z. Absent: from the first tick. A date (YYYY-MM-DD) or a date-time with Z or a numeric UTC offset (+02:00 or +0200, the plus sign percent-encoded as %2B); up to 9 digits after the second; years 1970 to 9999. */
  readonly from?: string;
  /** End of the range, inclusive; a date means its 23:59:59.999Z. Absent: up to the newest tick. A date (YYYY-MM-DD) or a date-time with Z or a numeric UTC offset (+02:00 or +0200, the plus sign percent-encoded as %2B); up to 9 digits after the second; years 1970 to 9999. */
  readonly to?: string;
  /** raw: every tick kept. hour, day: the last tick of each UTC hour or day among the ticks inside from…to, with that tick's own instant. */
  readonly interval?: 'raw' | 'hour' | 'day';
  /** The most ticks to return. When the range holds more, the newest are returned, still oldest first. */
  readonly limit?: number;
}

export interface GetSplitSeriesParameters {
  /** Slug of the vault family. */
  readonly slug: string;
  /** Start of the range, inclusive; a date means its 00:00:00Z. Absent: from the first tick. A date (YYYY-MM-DD) or a date-time with Z or a numeric UTC offset (+02:00 or +0200, the plus sign percent-encoded as %2B); up to 9 digits after the second; years 1970 to 9999. */
  readonly from?: string;
  /** End of the range, inclusive; a date means its 23:59:59.999Z. Absent: up to the newest tick. A date (YYYY-MM-DD) or a date-time with Z or a numeric UTC offset (+02:00 or +0200, the plus sign percent-encoded as %2B); up to 9 digits after the second; years 1970 to 9999. */
  readonly to?: string;
  /** raw: every tick kept. hour, day: the last tick of each UTC hour or day among the ticks inside from…to, with that tick's own instant. */
  readonly interval?: 'raw' | 'hour' | 'day';
  /** The most ticks to return. When the range holds more, the newest are returned, still oldest first. */
  readonly limit?: number;
}

export interface GetAllocationSeriesParameters {
  /** Slug of the vault family. */
  readonly slug: string;
  /** Start of the range, inclusive; a date means its 00:00:00Z. Absent: from the first tick. A date (YYYY-MM-DD) or a date-time with Z or a numeric UTC offset (+02:00 or +0200, the plus sign percent-encoded as %2B); up to 9 digits after the second; years 1970 to 9999. */
  readonly from?: string;
  /** End of the range, inclusive; a date means its 23:59:59.999Z. Absent: up to the newest tick. A date (YYYY-MM-DD) or a date-time with Z or a numeric UTC offset (+02:00 or +0200, the plus sign percent-encoded as %2B); up to 9 digits after the second; years 1970 to 9999. */
  readonly to?: string;
  /** raw: every tick kept. hour, day: the last tick of each UTC hour or day among the ticks inside from…to, with that tick's own instant. */
  readonly interval?: 'raw' | 'hour' | 'day';
  /** The most ticks to return. When the range holds more, the newest are returned, still oldest first. */
  readonly limit?: number;
}

export interface GetExitsParameters {
  /** Slug of the vault family. */
  readonly slug: string;
}

export interface GetHoldersParameters {
  /** Slug of the vault family. */
  readonly slug: string;
}

export interface GetHistoryParameters {
  /** Slug of one vault family; absent: all families. */
  readonly family?: string;
  /** Wallet address, matched as the owner of deposits and the receiver of exits. Any case, but a mixed-case checksum must be right. */
  readonly user?: string;
  /** One chain only. A chain on which no family lives gives an empty page. */
  readonly chainId?: number;
  /** One type of item. large-deposit: deposits worth at least 100 000 USD at their own time; it needs family. */
  readonly type?: 'deposit' | 'withdraw' | 'redeem' | 'cancel' | 'large-deposit';
  /** Only items newer than 1, 7 or 30 days ago, counted from the request for the first page. */
  readonly period?: '1d' | '7d' | '30d';
  /** nextCursor of the page before, unchanged and with the same filters; only limit may differ. */
  readonly cursor?: string;
  /** The most items on the page. */
  readonly limit?: number;
}

export interface GetPendingRedeemsParameters {
  /** A wallet address, in any case; in mixed case its EIP-55 checksum must be right. */
  readonly walletAddress: string;
  /** Slug of one vault family; without it the answer covers all. Unknown: 404. */
  readonly family?: string;
}

export interface GetPendingDepositsParameters {
  /** A wallet address, in any case; in mixed case its EIP-55 checksum must be right. */
  readonly walletAddress: string;
  /** Slug of one vault family; without it the answer covers all. Unknown: 404. */
  readonly family?: string;
}

export interface GetPerformanceParameters {
  /** A wallet address, in any case; in mixed case its EIP-55 checksum must be right. */
  readonly walletAddress: string;
  /** Slug of one vault family; without it the answer covers all. Unknown: 404. */
  readonly family?: string;
}

export interface GetLedgerParameters {
  /** A wallet address, in any case; in mixed case its EIP-55 checksum must be right. */
  readonly walletAddress: string;
  /** Slug of one vault family; without it the answer covers all. Unknown: 404. */
  readonly family?: string;
}

export type RiskMethodologyParameters = object;

export type AgentSchemaParameters = object;

export interface AgentSearchParameters {
  /** An address, or a name or symbol: 1 to 128 characters after trimming, without * and %. */
  readonly q: string;
  /** Only nodes of this kind. */
  readonly label?: 'Pool' | 'Asset' | 'Protocol' | 'Chain';
  /** At most so many hits, 1 to 10; 10 by default. */
  readonly limit?: number;
  /** Only nodes whose value locked compares so: >, >=, <, <= or = and a number in USD. For assets it speaks of the market capitalisation. A node whose value is unknown never matches. */
  readonly tvl?: string;
  /** Only nodes whose grade compares so: >, >=, <, <= or = and a letter, or a letter alone. A is the smallest: <=B means B or better. */
  readonly grade?: string;
}

export interface AgentNodeParameters {
  /** Node id as a search hit gives it; looked up in any case. A colon may be raw or encoded. */
  readonly nodeId: string;
}

export interface AgentDependenciesParameters {
  /** Node id as a search hit gives it; looked up in any case. A colon may be raw or encoded. */
  readonly nodeId: string;
}

export interface GetStatusParameters {
  /** Families per page. If more follow, the `Link` header has the URL of the next page (`rel="next"`). */
  readonly limit?: number;
  /** From the `Link` header of the previous page; pass it back unchanged, with the same filters. */
  readonly cursor?: string;
}

export type GetLivenessParameters = object;

export type GetReadinessParameters = object;

export type GetOpenApiParameters = object;

export type GetPaidResourcesParameters = object;
