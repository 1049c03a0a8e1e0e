import type { AlertKind } from '../domain/alerts/rule.ts';
import type { Decimal } from '../domain/amount.ts';
import type { EventType } from '../domain/events/event.ts';
import type { Address, Hex } from '../domain/hex.ts';
import type { RiskListName } from '../domain/risk/riskLists.ts';
import type { Retention } from '../domain/series/retention.ts';
import type { Priced } from './paymentsSchema.ts';
import type { RatedConfig } from './rated/description.ts';

/** The entire configuration, read once at startup, validated and frozen. */
export interface Config {
  /** The file or folder, as the operator named it; for messages. */
  readonly file: string;
  /** Deprecated keys in the file, as text for the log. */
  readonly warnings?: readonly string[];
  /** For a folder: the file and key of each entry, for messages. */
  readonly keys?: { readonly chains: readonly string[]; readonly families: readonly string[] };
  readonly http: HttpConfig;
  readonly store: StoreConfig;
  /** Absent: no scheduled backups. Only with the embedded database. */
  readonly backup?: BackupConfig;
  readonly chains: readonly ChainConfig[];
  readonly families: readonly FamilyConfig[];
  readonly prices: PricesConfig;
  readonly ticks: TicksConfig;
  /** Absent: every tick is kept. */
  readonly retention?: Retention;
  /** Absent: no ticks are events, and events are kept without limit. */
  readonly events?: EventsConfig;
  /** Absent: the risk API is not served. */
  readonly payments?: PaymentsConfig;
  readonly risk: RiskConfig;
  /** Endpoints that events are posted to; absent: none. */
  readonly webhooks?: readonly WebhookConfig[];
  /** Absent: no alerts. */
  readonly alerts?: AlertsConfig;
  /** Absent: the routes of the legacy API return 410. */
  readonly legacyApi?: LegacyApiConfig;
  /** Absent: no page can be shown in a frame. */
  readonly embed?: EmbedConfig;
  /** Only in the demo, whose chains look like real ones to a wallet. */
  readonly demo?: DemoConfig;
}

/** An endpoint that events are posted to. */
export interface WebhookConfig {
  readonly name: string;
  readonly url: string;
  /** `whsec_…` (HMAC) or `whsk_…` (ed25519); each signs every message. */
  readonly secrets: readonly string[];
  /** Absent: all. */
  readonly types?: readonly EventType[];
  /** Slugs; absent: all. */
  readonly families?: readonly string[];
  readonly delivery: 'applied' | 'final';
  /** Whether the address may be one that is not public. */
  readonly allowPrivate: boolean;
}

/** The feed of events. */
export interface EventsConfig {
  /** Whether ticks are events. */
  readonly ticks: boolean;
  /** Absent: without limit. */
  readonly keepDays?: number;
}

/** Requires the server to listen on loopback. */
export interface DemoConfig {
  /** The key of the wallet that the dashboard pays with. */
  readonly walletKey: Hex;
}

/** The widget of a family in frames of other sites. */
export interface EmbedConfig {
  /** Origins of these sites. */
  readonly frameAncestors: readonly string[];
}

export interface LegacyApiConfig {
  /** The last second in which it is served; Unix seconds. */
  readonly until: number;
}

export interface HttpConfig {
  readonly host: string;
  readonly port: number;
  /** Metrics and the operator's commands; loopback only. */
  readonly adminPort: number;
  /** Only metrics, on the host of the API; absent: metrics are only on the admin port. */
  readonly metricsPort?: number;
  /** Log each request of the API; absent: no. */
  readonly accessLog?: boolean;
  /** Public URL of the API, without a slash at the end; absent: responses contain only paths. */
  readonly publicUrl?: string;
  /** How long it continues to serve after a shutdown signal, while /health/ready is 503; absent: not at all. */
  readonly drainSeconds?: number;
  /** Absent: no limit. */
  readonly rateLimit?: RateLimitConfig;
}

/** Rate limit of the vault data API per client address. */
export interface RateLimitConfig {
  /** Steady rate; 0 turns the limit off. */
  readonly perSecond: number;
  /** Maximum burst. */
  readonly burst: number;
  /** Whether clients on this machine are limited too. */
  readonly loopback: boolean;
  /** Addresses and CIDR ranges whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  /** Maximum open connections per client address; absent or 0: no limit. */
  readonly connections?: number;
}

export interface StoreConfig {
  /** PGlite's folder; used when `databaseUrl` is absent. */
  readonly folder: string;
  /** Below this much free space on the disk of `folder`, nothing is written; absent: not checked. */
  readonly minFreeBytes?: number;
  /** From DATABASE_URL. */
  readonly databaseUrl?: string;
  /** From DATABASE_REPLICA_URL; reads only. */
  readonly replicaUrl?: string;
  /** How long free reads may use the replica while the primary is unavailable; 0 or undefined: not at all. */
  readonly maxStaleSeconds?: number;
}

/** Scheduled backups of the embedded database. */
export interface BackupConfig {
  readonly everySeconds: number;
  /** Complete backups to keep. */
  readonly keep: number;
  readonly folder: string;
}

export interface ChainConfig {
  readonly chainId: number;
  /** Network name in lower case, as in the legacy API: base, ethereum, arbitrum. */
  readonly name: string;
  /** Empty: the chain is `unconfigured`. */
  readonly rpcUrls: readonly string[];
  /** Which blocks count as final: the RPC endpoint's own tag, or a depth below its head. */
  readonly finality: 'finalized' | 'safe' | { readonly depth: number };
  /** Seconds between polls of the head. */
  readonly pollSeconds: number;
  /** Seconds before a request times out. */
  readonly timeoutSeconds: number;
  /** Maximum RPC calls per day, which slows down the backfill; undefined: no limit. */
  readonly callsPerDay?: number;
  /** Calls per second to each of its URLs while indexing; undefined: as fast as the URL allows, which is learned. */
  readonly callsPerSecond?: number;
  /** The same limit in compute units; undefined: calls are counted. */
  readonly computeUnits?: ComputeUnits;
  /** Widest block range of a log request to start with; it adapts. */
  readonly logRange: number;
  /** Concurrent requests during backfill. */
  readonly concurrency: number;
  readonly multicall: Address;
  /** Whether a new store may be ready with gaps of the initial backfill on this chain. */
  readonly acceptGaps?: boolean;
}

/** A rate as providers bill it, where methods cost differently. */
export interface ComputeUnits {
  /** Of each URL. */
  readonly perSecond: number;
  readonly methods: Readonly<Record<BilledMethod, number>>;
}

export type BilledMethod =
  | 'eth_getLogs'
  | 'eth_call'
  | 'eth_getBlockByNumber'
  | 'eth_getCode'
  | 'eth_getStorageAt'
  | 'eth_chainId';

export type AdapterName = 'receiver-queue' | 'erc4626' | 'erc7540' | 'rated';
export type ChainRole = 'settlement' | 'execution';

export interface FamilyConfig {
  readonly slug: string;
  readonly name: string;
  /** The vault on its first settlement chain; `chains` has the others. */
  readonly address: Address;
  readonly adapter: AdapterName;
  /** Slug of the master family. */
  readonly feederOf: string | null;
  /** Address whose pool declarations this family uses; its own unless it mirrors another. */
  readonly bindingDeclarationAddress: Address;
  readonly baseAsset: AssetText;
  readonly shareAsset: AssetText;
  /** Price feed of the base asset; null: no USD values. */
  readonly priceFeed: string | null;
  readonly chains: readonly FamilyChainConfig[];
  readonly pools: readonly PoolText[];
}

/** Token data that the chain may not have. */
export interface AssetText {
  readonly symbol?: string;
  readonly name?: string;
  readonly marketDataId: string;
}

export interface FamilyChainConfig {
  readonly chainId: number;
  readonly role: ChainRole;
  /** The vault on this chain. */
  readonly address: Address;
  /** Additional vaults over the same share token (ERC-7575). */
  readonly vaults: readonly Address[];
  /** The base asset, for a chain that was never read. */
  readonly asset?: Address;
  /** The same for the share token, if it is not the vault itself. */
  readonly share?: Address;
  /** First block of this family. */
  readonly startBlock: number;
  /** Share-price oracle (receiver-queue). */
  readonly oracle?: Address;
  /** Pool registry. */
  readonly registry?: Address;
  /** Gateways whose share transfers are not wallet transfers. */
  readonly routers: readonly Address[];
  /** Accounts that hold shares or assets for others, in addition to those that the vault's kind detects. */
  readonly custody: readonly Address[];
  /** How a share token with a rate is read (rated). */
  readonly rated?: RatedConfig;
}

/** Pool data that neither registry nor allocator has, by offchainId. */
export interface PoolText {
  readonly offchainId: string;
  readonly name: string;
  readonly protocolName: string;
  readonly poolUrl: string;
  readonly description: string;
  readonly composition: readonly PoolPart[];
  /** For a pool that only the file declares: where the family's holding in it is read. */
  readonly position?: PoolPosition;
}

/** A holding that no contract declares. */
export interface PoolPosition {
  readonly chainId: number;
  /** erc4626: shares of a vault, at their conversion rate. token: a balance of the base asset itself. */
  readonly kind: 'erc4626' | 'token';
  readonly address: Address;
  /** Holder; default: the vault itself. */
  readonly holder?: Address;
}

/** A share of a pool's value: what it holds, or the collateral of its loans. Shares of one kind add up to at most 1. */
export interface PoolPart {
  readonly kind: 'underlying' | 'collateral';
  readonly chainId: number;
  readonly address: Address;
  readonly symbol: string;
  readonly share: number;
}

export interface PricesConfig {
  /** A price older than this at a time is not used for that time. */
  readonly maxAgeSeconds: number;
  readonly feeds: readonly FeedConfig[];
  readonly marketData?: MarketDataConfig;
}

export type FeedConfig =
  | {
      readonly name: string;
      readonly kind: 'aggregator';
      readonly chainId: number;
      readonly address: Address;
      readonly startBlock: number;
    }
  | { readonly name: string; readonly kind: 'market-data'; readonly marketDataId: string };

export interface MarketDataConfig {
  readonly url: string;
  /** Sent as a header if present. */
  readonly apiKey?: { readonly header: string; readonly value: string };
  readonly pollSeconds: number;
}

export interface TicksConfig {
  readonly liveSeconds: number;
  readonly backfillSeconds: number;
}

export interface AlertsConfig {
  readonly targets: readonly AlertTargetConfig[];
  readonly rules: readonly AlertRuleConfig[];
}

/** Where messages are sent. URLs and tokens are secrets. */
export type AlertTargetConfig =
  | {
      readonly name: string;
      readonly kind: 'slack' | 'discord';
      readonly url: string;
      /** Whether messages may go to addresses that are not public. */
      readonly allowPrivate: boolean;
    }
  | {
      readonly name: string;
      readonly kind: 'telegram';
      readonly token: string;
      readonly chat: string;
    };

export interface AlertRuleConfig {
  readonly name: string;
  readonly kind: AlertKind;
  /** Slugs. */
  readonly families: readonly string[];
  /** Names of targets. */
  readonly targets: readonly string[];
  /** In the unit of the kind; amounts are in the base asset. */
  readonly fire: Decimal;
  readonly clear: Decimal;
  /** Seconds. */
  readonly within: number;
  readonly silence: number;
  /** Of an APY, in ppm. */
  readonly band?: { readonly low: bigint | null; readonly high: bigint | null };
}

/** Sources of the risk graph's facts, in addition to the included catalog. */
export interface RiskConfig {
  /** A YAML file of facts that override all others. */
  readonly curated?: string;
  /** Third-party lists, each a URL or a file; default: none. */
  readonly sources: Readonly<Partial<Record<RiskListName, string>>>;
  /** Hours between reads of the lists. */
  readonly refreshHours: number;
}

/** The paid risk API. Amounts are base units of the asset. */
export interface PaymentsConfig {
  readonly chainId: number;
  readonly asset: Address;
  readonly assetName: string;
  readonly assetVersion: string;
  readonly payTo: Address;
  /** Base URL of resources in invoices, without a slash at the end. */
  readonly publicUrl?: string;
  readonly prices: Readonly<Record<Priced, bigint>>;
  /** Null: every payer pays the base price. */
  readonly escalation: {
    readonly firstStepCalls: number;
    readonly factor: number;
    readonly maxFactor: number;
  } | null;
  readonly rateLimit: { readonly perSecond: number; readonly burst: number };
  /** Unpaid requests per client address; http.rateLimit defines which addresses are not counted. */
  readonly addressLimit: { readonly perSecond: number; readonly burst: number };
  /** On-chain checks for payers that never paid here, in total. */
  readonly newPayers: { readonly perSecond: number; readonly burst: number };
  readonly gas: GasConfig;
  readonly blocked: readonly Address[];
  readonly maxTimeoutSeconds: number;
  readonly keepAnswersSeconds: number;
  /** Selling stops if more payments than this are lost within this many seconds. */
  readonly lossLimit: { readonly payments: number; readonly seconds: number };
  readonly facilitator: FacilitatorConfig;
}

/** Gas limits of the server's own keys. */
export interface GasConfig {
  /** Value of one coin of the chain in base units of the asset; null: gas is not compared with prices. */
  readonly nativePrice: bigint | null;
  /** Maximum gas cost of a settlement relative to its price, in millionths. */
  readonly priceShare: bigint;
  /** Units of gas. */
  readonly payerPerHour: bigint;
  readonly lostPerHour: bigint;
  readonly plainLostPerHour: bigint;
  readonly waitSeconds: number;
  readonly maxWaitSeconds: number;
}

export type FacilitatorConfig =
  | {
      readonly kind: 'embedded';
      /** Private keys. */
      readonly keys: readonly Hex[];
      /** Wei. */
      readonly maxFeePerGas: bigint;
      /** Gas balance in wei below which a warning is logged. */
      readonly lowBalance: bigint;
      /** Factories whose wallets may pay before they are deployed. */
      readonly factories: readonly Address[];
    }
  | {
      readonly kind: 'remote';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      /** A program and its arguments: it prints the headers of one request. */
      readonly headersCommand?: readonly string[];
      readonly timeoutSeconds: number;
      /** Which source must confirm a settlement before the response is sent. */
      readonly confirm: 'chain' | 'service';
      readonly factories: readonly Address[];
    };
