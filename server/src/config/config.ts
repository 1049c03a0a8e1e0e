import type { Address, Hex } from '../domain/hex.ts';
import type { RiskListName } from '../domain/risk/riskLists.ts';
import type { Priced } from './paymentsSchema.ts';

/** The whole configuration, read once at start, checked and frozen. */
export interface Config {
  /** The file or folder it came from, as the operator named it; for messages. */
  readonly file: string;
  /** Of a folder: the file and key of each entry, for messages. */
  readonly keys?: { readonly chains: readonly string[]; readonly families: readonly string[] };
  readonly http: HttpConfig;
  readonly store: StoreConfig;
  readonly chains: readonly ChainConfig[];
  readonly families: readonly FamilyConfig[];
  readonly prices: PricesConfig;
  readonly ticks: TicksConfig;
  /** Absent: the risk query API is not served. */
  readonly payments?: PaymentsConfig;
  readonly risk: RiskConfig;
  /** Absent: the routes of the previous API are 410. */
  readonly previousApi?: PreviousApiConfig;
  /** Present in the demo only, whose chains look like real ones to a wallet. */
  readonly demo?: DemoConfig;
}

/** The server listens on loopback then. */
export interface DemoConfig {
  /** Of the wallet that the dashboard pays with. */
  readonly walletKey: Hex;
}

export interface PreviousApiConfig {
  /** The last second in which it is answered; Unix seconds. */
  readonly until: number;
}

export interface HttpConfig {
  readonly host: string;
  readonly port: number;
  /** Metrics and the operator's commands; loopback only. */
  readonly adminPort: number;
  /** Metrics alone, where the API listens; absent: on the admin port only. */
  readonly metricsPort?: number;
  /** How clients reach the API, without a slash at the end; absent: answers name paths only. */
  readonly publicUrl?: string;
  /** Absent: no limit. */
  readonly rateLimit?: RateLimitConfig;
}

/** Requests to the vault data API per client address. */
export interface RateLimitConfig {
  /** Steady rate; 0 turns the limit off. */
  readonly perSecond: number;
  /** How many may come at once. */
  readonly burst: number;
  /** Whether clients on this machine are limited too. */
  readonly loopback: boolean;
  /** Addresses and CIDR ranges whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
}

export interface StoreConfig {
  /** PGlite's folder; used when `databaseUrl` is absent. */
  readonly folder: string;
  /** From DATABASE_URL. */
  readonly databaseUrl?: string;
  /** From DATABASE_REPLICA_URL; reads only. */
  readonly replicaUrl?: string;
}

export interface ChainConfig {
  readonly chainId: number;
  /** The network's name in lower case, as the previous API spelled it: base, ethereum, arbitrum. */
  readonly name: string;
  /** Empty: the chain is `unconfigured`. */
  readonly rpcUrls: readonly string[];
  /** Which blocks cannot be reorganised: the node's own tag, or a depth below its head. */
  readonly finality: 'finalized' | 'safe' | { readonly depth: number };
  /** Seconds between polls of the head. */
  readonly pollSeconds: number;
  /** Seconds before a request counts as unanswered. */
  readonly timeoutSeconds: number;
  /** Calls to its nodes in a day, which slow down the reading of the past; undefined: as many as it takes. */
  readonly callsPerDay?: number;
  /** Calls a second to each of its URLs while indexing; undefined: as fast as the URL allows, which is learned. */
  readonly callsPerSecond?: number;
  /** The widest block range to start with; it adapts. */
  readonly logRange: number;
  /** Requests under way at once during backfill. */
  readonly concurrency: number;
  readonly multicall: Address;
  /** Whether a new store may be ready with gaps of the first backfill on this chain. */
  readonly acceptGaps?: boolean;
}

export type AdapterName = 'receiver-queue' | 'erc4626' | 'erc7540';
export type ChainRole = 'settlement' | 'execution';

export interface FamilyConfig {
  readonly slug: string;
  readonly name: string;
  /** The vault on its first settlement chain; what each chain has stands in `chains`. */
  readonly address: Address;
  readonly adapter: AdapterName;
  /** Slug of the master family. */
  readonly feederOf: string | null;
  /** Whose pool declarations serve this family; its own address unless it mirrors another's. */
  readonly bindingDeclarationAddress: Address;
  readonly baseAsset: AssetText;
  readonly shareAsset: AssetText;
  /** Name of the price feed of the base asset; null: no USD figures. */
  readonly priceFeed: string | null;
  readonly chains: readonly FamilyChainConfig[];
  readonly pools: readonly PoolText[];
}

/** What the chain may not say of a token. */
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
  /** Further vaults over the same share token (ERC-7575). */
  readonly vaults: readonly Address[];
  /** The base asset, for a chain that was never read. */
  readonly asset?: Address;
  /** First block with anything of this family. */
  readonly startBlock: number;
  /** Share-price oracle (receiver-queue). */
  readonly oracle?: Address;
  /** Pool registry. */
  readonly registry?: Address;
  /** Gateways whose share moves are not transfers. */
  readonly routers: readonly Address[];
  /** Accounts that hold shares or assets for others, besides those that the vault's kind finds by itself. */
  readonly custody: readonly Address[];
}

/** What neither registry nor allocator says of a pool, keyed by its offchainId. */
export interface PoolText {
  readonly offchainId: string;
  readonly name: string;
  readonly protocolName: string;
  readonly poolUrl: string;
  readonly description: string;
  readonly composition: readonly PoolPart[];
  /** Set for a pool that only the file knows: where the family's holding in it is read. */
  readonly position?: PoolPosition;
}

/** A holding that no contract declares. */
export interface PoolPosition {
  readonly chainId: number;
  /** erc4626: shares of a vault, at what they convert to. token: a balance of the base asset itself. */
  readonly kind: 'erc4626' | 'token';
  readonly address: Address;
  /** Who holds it; the vault itself by default. */
  readonly holder?: Address;
}

/** A share of a pool's value: what it holds, or what backs what it lends. Shares of one kind add up to at most 1. */
export interface PoolPart {
  readonly kind: 'underlying' | 'collateral';
  readonly chainId: number;
  readonly address: Address;
  readonly symbol: string;
  readonly share: number;
}

export interface PricesConfig {
  /** A price older than this at an instant is not held at that instant. */
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
  /** Sent as a header when given. */
  readonly apiKey?: { readonly header: string; readonly value: string };
  readonly pollSeconds: number;
}

export interface TicksConfig {
  readonly liveSeconds: number;
  readonly backfillSeconds: number;
}

/** Where the risk graph's facts come from, besides the catalogue that ships with the server. */
export interface RiskConfig {
  /** A YAML file of facts that win over all others. */
  readonly curated?: string;
  /** Lists of others, each a URL or a file; none by default. */
  readonly sources: Readonly<Partial<Record<RiskListName, string>>>;
  /** Hours between two readings of the lists. */
  readonly refreshHours: number;
}

/** The paid risk query API. Amounts are base units of the asset. */
export interface PaymentsConfig {
  readonly chainId: number;
  readonly asset: Address;
  readonly assetName: string;
  readonly assetVersion: string;
  readonly payTo: Address;
  /** Under which resources are named in invoices, without a slash at the end. */
  readonly publicUrl?: string;
  readonly prices: Readonly<Record<Priced, bigint>>;
  /** Null: every payer pays the base price. */
  readonly escalation: {
    readonly after: number;
    readonly factor: number;
    readonly most: number;
  } | null;
  readonly rateLimit: { readonly perSecond: number; readonly burst: number };
  /** Requests per client address that nobody pays for; which addresses are not counted, http.rateLimit says. */
  readonly addressLimit: { readonly perSecond: number; readonly burst: number };
  readonly gas: GasConfig;
  readonly blocked: readonly Address[];
  readonly maxTimeoutSeconds: number;
  readonly keepAnswersSeconds: number;
  readonly facilitator: FacilitatorConfig;
}

/** What keys of our own may spend on gas. */
export interface GasConfig {
  /** Base units of the asset that a whole coin of the chain is worth; null: gas is not weighed against prices. */
  readonly nativePrice: bigint | null;
  /** How much of a price its settlement may cost, in millionths. */
  readonly priceShare: bigint;
  /** Units of gas. */
  readonly payerPerHour: bigint;
  readonly lostPerHour: bigint;
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
      /** Wei of gas money below which a warning is logged. */
      readonly lowBalance: bigint;
      /** Whose wallets may pay before they are deployed. */
      readonly factories: readonly Address[];
    }
  | {
      readonly kind: 'remote';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      /** A program and its arguments: it prints the headers of one request. */
      readonly headersCommand?: readonly string[];
      readonly timeoutSeconds: number;
      readonly factories: readonly Address[];
    };
