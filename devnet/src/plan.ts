import type { Address } from 'viem';

export type Role = 'settlement' | 'execution';

export interface ChainPlan {
  readonly chainId: number;
  readonly name: string;
  readonly port: number;
}

export interface FamilyPlan {
  readonly slug: string;
  readonly name: string;
  readonly shareSymbol: string;
  readonly decimals: number;
  readonly marketDataId: string;
  readonly feed: string;
  /** Annual growth of the share price, in millionths. */
  readonly growthPpm: number;
  /** A typical deposit, in thousandths of the base asset. */
  readonly typicalMilli: number;
  readonly exitFeeBps: number;
  readonly feederOf: string | null;
  readonly chains: readonly FamilyChainPlan[];
  readonly pools: readonly PoolPlan[];
}

export interface FamilyChainPlan {
  readonly chainId: number;
  readonly role: Role;
  readonly asset: { readonly name: string; readonly symbol: string };
  /** Fraction of the history without a published price. Until then, the vault's conversions fail. */
  readonly pricelessUntil?: number;
}

/** 1: plain ERC-4626, 2: with a withdrawal queue, 3: with streaming rewards. */
export type VenueKind = 1 | 2 | 3;
/** 0: removed, 1: active, 2: exit-only. */
export type PoolStatus = 0 | 1 | 2;

export interface PoolPlan {
  readonly chainId: number;
  readonly offchainId: string;
  readonly name: string;
  readonly protocol: string;
  readonly kind: VenueKind;
  /** The venue's yield, in percent of the family's growth. */
  readonly ratePercent: number;
  readonly statesRate: boolean;
  readonly lentBps: number;
  readonly idleOnly: boolean;
  readonly riskScore: number;
  /** Fraction of the history before it is declared. */
  readonly from: number;
  readonly changes: readonly {
    readonly at: number;
    readonly status?: PoolStatus;
    readonly riskScore?: number;
  }[];
  /** Symbols of its loans' collateral, with their shares; empty: no collateral. */
  readonly collateral: readonly { readonly symbol: string; readonly share: number }[];
}

export interface FeedPlan {
  readonly name: string;
  readonly description: string;
  readonly chainId: number;
  /** USD × 10^8 at the start. */
  readonly start: bigint;
  /** Largest daily move, in millionths. */
  readonly dailyPpm: number;
  readonly everySeconds: number;
  /** Fraction of the history at which it stops for a day and a half. */
  readonly silentAt?: number;
}

export const STABLECOIN: Address = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
export const MULTICALL: Address = '0xcA11bde05977b3631167028862bE2a173976CA11';

export const CHAINS: readonly ChainPlan[] = [
  { chainId: 8453, name: 'base', port: 18453 },
  { chainId: 1, name: 'ethereum', port: 18001 },
  { chainId: 42161, name: 'arbitrum', port: 18161 },
];
/** A chain of one family without an RPC endpoint. */
export const UNCONFIGURED = {
  chainId: 10,
  name: 'optimism',
  family: 'svceth',
  asset: '0x4200000000000000000000000000000000000006',
};

export const FEEDS: readonly FeedPlan[] = [
  feed('usdc-usd', 'USDC / USD', 8453, 100_000_000n, 300, 12),
  feed('eth-usd', 'ETH / USD', 8453, 342_000_000_000n, 25_000, 4),
  feed('eur-usd', 'EUR / USD', 8453, 108_500_000n, 4_000, 8),
  feed('btc-usd', 'BTC / USD', 1, 9_650_000_000_000n, 20_000, 6),
  { ...feed('xau-usd', 'XAU / USD', 1, 274_000_000_000n, 9_000, 8), silentAt: 0.55 },
];

const usdc = { name: 'USD Coin', symbol: 'USDC' };
const weth = { name: 'Wrapped Ether', symbol: 'WETH' };
const wbtc = { name: 'Wrapped Bitcoin', symbol: 'WBTC' };
const eurc = { name: 'Euro Coin', symbol: 'EURC' };
const xaut = { name: 'Gold Ounce', symbol: 'XAUT' };

export const FAMILIES: readonly FamilyPlan[] = [
  {
    slug: 'svcusd',
    name: 'Savings USD',
    shareSymbol: 'svcUSD',
    decimals: 6,
    marketDataId: 'usd-coin',
    feed: 'usdc-usd',
    growthPpm: 78_000,
    typicalMilli: 6_000_000,
    exitFeeBps: 10,
    feederOf: null,
    chains: [
      { chainId: 8453, role: 'settlement', asset: usdc },
      { chainId: 42161, role: 'settlement', asset: usdc },
      { chainId: 1, role: 'execution', asset: usdc },
    ],
    pools: [
      pool(8453, 'base:lending:alpha-usdc', 'Alpha USDC', 'Alpha Markets', {
        ratePercent: 130,
        statesRate: true,
        lentBps: 6_000,
        riskScore: 92,
        collateral: [part('WETH', 0.6), part('WBTC', 0.3)],
        changes: [{ at: 0.35, riskScore: 90 }],
      }),
      pool(8453, 'base:credit:cedar-usdc', 'Cedar Credit', 'Cedar', {
        kind: 2,
        ratePercent: 165,
        riskScore: 71,
        changes: [{ at: 0.6, riskScore: 68 }],
      }),
      pool(8453, 'base:farm:delta-usdc', 'Delta Boost', 'Delta', {
        kind: 3,
        ratePercent: 100,
        riskScore: 80,
        from: 0.15,
        collateral: [part('WETH', 0.9)],
      }),
      pool(8453, 'base:idle:reserve-usdc', 'Liquidity reserve', 'Assay devnet', {
        ratePercent: 0,
        statesRate: true,
        idleOnly: true,
        riskScore: 0,
      }),
      pool(8453, 'base:lending:ember-usdc', 'Ember USDC', 'Ember', {
        ratePercent: 120,
        riskScore: 60,
        collateral: [part('WETH', 1)],
        changes: [
          { at: 0.5, status: 2, riskScore: 35 },
          { at: 0.8, status: 0 },
        ],
      }),
      pool(42161, 'arbitrum:lending:alpha-usdc', 'Alpha USDC', 'Alpha Markets', {
        ratePercent: 135,
        statesRate: true,
        lentBps: 5_000,
        riskScore: 91,
        collateral: [part('WETH', 0.5), part('WBTC', 0.4)],
      }),
      pool(42161, 'arbitrum:rwa:harbor-usdc', 'Harbor Bills', 'Harbor', {
        kind: 2,
        ratePercent: 140,
        riskScore: 85,
      }),
      pool(1, 'ethereum:lending:birch-usdc', 'Birch USDC', 'Birch', {
        ratePercent: 140,
        statesRate: true,
        lentBps: 4_000,
        riskScore: 94,
        collateral: [part('WETH', 0.8), part('WBTC', 0.2)],
        changes: [{ at: 0.7, riskScore: 95 }],
      }),
      pool(1, 'ethereum:farm:delta-usdc', 'Delta Boost', 'Delta', {
        kind: 3,
        ratePercent: 110,
        riskScore: 79,
      }),
    ],
  },
  {
    slug: 'svceth',
    name: 'Savings ETH',
    shareSymbol: 'svcETH',
    decimals: 18,
    marketDataId: 'weth',
    feed: 'eth-usd',
    growthPpm: 34_000,
    typicalMilli: 2_500,
    exitFeeBps: 5,
    feederOf: null,
    chains: [
      { chainId: 1, role: 'settlement', asset: weth },
      { chainId: 8453, role: 'settlement', asset: weth },
      { chainId: 42161, role: 'execution', asset: weth },
    ],
    pools: [
      pool(1, 'ethereum:staking:birch-weth', 'Birch Staked', 'Birch', {
        kind: 2,
        ratePercent: 140,
        statesRate: true,
        riskScore: 93,
      }),
      pool(1, 'ethereum:lending:alpha-weth', 'Alpha WETH', 'Alpha Markets', {
        ratePercent: 135,
        lentBps: 5_000,
        riskScore: 92,
        collateral: [part('USDC', 0.7), part('WBTC', 0.3)],
      }),
      pool(8453, 'base:lending:alpha-weth', 'Alpha WETH', 'Alpha Markets', {
        ratePercent: 140,
        statesRate: true,
        lentBps: 4_500,
        riskScore: 90,
        collateral: [part('USDC', 1)],
      }),
      pool(8453, 'base:farm:delta-weth', 'Delta Boost ETH', 'Delta', {
        kind: 3,
        ratePercent: 105,
        riskScore: 78,
        changes: [{ at: 0.45, riskScore: 74 }],
      }),
      pool(42161, 'arbitrum:lending:ember-weth', 'Ember WETH', 'Ember', {
        ratePercent: 150,
        statesRate: true,
        lentBps: 3_000,
        riskScore: 66,
        collateral: [part('USDC', 0.5)],
      }),
    ],
  },
  {
    slug: 'svcbtc',
    name: 'Savings BTC',
    shareSymbol: 'svcBTC',
    decimals: 8,
    marketDataId: 'wrapped-bitcoin',
    feed: 'btc-usd',
    growthPpm: 22_000,
    typicalMilli: 90,
    exitFeeBps: 8,
    feederOf: null,
    chains: [
      { chainId: 1, role: 'settlement', asset: wbtc },
      { chainId: 42161, role: 'execution', asset: wbtc },
    ],
    pools: [
      pool(1, 'ethereum:lending:birch-wbtc', 'Birch WBTC', 'Birch', {
        ratePercent: 145,
        statesRate: true,
        lentBps: 5_500,
        riskScore: 94,
        collateral: [part('USDC', 0.9)],
      }),
      pool(1, 'ethereum:credit:cedar-wbtc', 'Cedar BTC Credit', 'Cedar', {
        kind: 2,
        ratePercent: 160,
        riskScore: 70,
        changes: [{ at: 0.65, status: 2, riskScore: 52 }],
      }),
      pool(42161, 'arbitrum:lending:ember-wbtc', 'Ember WBTC', 'Ember', {
        ratePercent: 140,
        riskScore: 64,
        collateral: [part('USDC', 0.6), part('WETH', 0.4)],
      }),
    ],
  },
  {
    slug: 'svceur',
    name: 'Savings EUR',
    shareSymbol: 'svcEUR',
    decimals: 6,
    marketDataId: 'euro-coin',
    feed: 'eur-usd',
    growthPpm: 46_000,
    typicalMilli: 4_000_000,
    exitFeeBps: 0,
    feederOf: null,
    chains: [
      { chainId: 8453, role: 'settlement', asset: eurc },
      { chainId: 1, role: 'execution', asset: eurc },
    ],
    pools: [
      pool(8453, 'base:lending:alpha-eurc', 'Alpha EURC', 'Alpha Markets', {
        ratePercent: 135,
        statesRate: true,
        lentBps: 5_000,
        riskScore: 88,
        collateral: [part('WETH', 0.5), part('USDC', 0.5)],
      }),
      pool(8453, 'base:farm:delta-eurc', 'Delta Boost EUR', 'Delta', {
        kind: 3,
        ratePercent: 110,
        riskScore: 76,
      }),
      pool(1, 'ethereum:rwa:harbor-eurc', 'Harbor Bunds', 'Harbor', {
        kind: 2,
        ratePercent: 140,
        statesRate: true,
        riskScore: 87,
      }),
    ],
  },
  {
    slug: 'svcgold',
    name: 'Savings Gold',
    shareSymbol: 'svcGOLD',
    decimals: 6,
    marketDataId: 'tether-gold',
    feed: 'xau-usd',
    growthPpm: 25_000,
    typicalMilli: 2_000,
    exitFeeBps: 20,
    feederOf: null,
    chains: [
      { chainId: 1, role: 'settlement', asset: xaut },
      { chainId: 42161, role: 'settlement', asset: xaut, pricelessUntil: 0.03 },
    ],
    pools: [
      pool(1, 'ethereum:lending:birch-xaut', 'Birch Gold', 'Birch', {
        ratePercent: 150,
        statesRate: true,
        lentBps: 4_000,
        riskScore: 83,
        collateral: [part('USDC', 1)],
      }),
      pool(42161, 'arbitrum:lease:harbor-xaut', 'Harbor Lease', 'Harbor', {
        ratePercent: 150,
        riskScore: 72,
      }),
    ],
  },
  {
    slug: 'svcusd-edge',
    name: 'Savings USD Edge',
    shareSymbol: 'svcUSDe',
    decimals: 6,
    marketDataId: 'usd-coin',
    feed: 'usdc-usd',
    growthPpm: 78_000,
    typicalMilli: 2_000_000,
    exitFeeBps: 15,
    feederOf: 'svcusd',
    chains: [
      { chainId: 8453, role: 'settlement', asset: usdc },
      { chainId: 42161, role: 'settlement', asset: usdc },
    ],
    pools: [],
  },
];

function feed(
  name: string,
  description: string,
  chainId: number,
  start: bigint,
  dailyPpm: number,
  everyHours: number,
): FeedPlan {
  return { name, description, chainId, start, dailyPpm, everySeconds: everyHours * 3600 };
}

function pool(
  chainId: number,
  offchainId: string,
  name: string,
  protocol: string,
  rest: Partial<PoolPlan>,
): PoolPlan {
  return {
    chainId,
    offchainId,
    name,
    protocol,
    kind: 1,
    ratePercent: 100,
    statesRate: false,
    lentBps: 0,
    idleOnly: false,
    riskScore: 0,
    from: 0,
    changes: [],
    collateral: [],
    ...rest,
  };
}

function part(symbol: string, share: number): { symbol: string; share: number } {
  return { symbol, share };
}
