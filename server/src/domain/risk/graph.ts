/** The four kinds of node, as the interface spells them. */
export const LABELS = ['Pool', 'Asset', 'Protocol', 'Chain'] as const;
export type Label = (typeof LABELS)[number];

/** A is the safest. */
export const GRADES = ['A', 'B', 'C', 'D', 'E', 'F'] as const;
export type Grade = (typeof GRADES)[number];

/** Which labels an edge type may join, from → to: the node at its start depends on the one at its end. */
export const EDGE_ENDS = {
  LIVES_ON: [
    ['Pool', 'Chain'],
    ['Asset', 'Chain'],
    ['Protocol', 'Chain'],
  ],
  OPERATED_BY: [['Pool', 'Protocol']],
  ACCEPTS_DEPOSITS_IN: [['Pool', 'Asset']],
  IS_COLLATERALIZED_BY: [
    ['Pool', 'Asset'],
    ['Asset', 'Asset'],
  ],
  ISSUED_BY: [['Asset', 'Protocol']],
  SETTLES_TO: [['Chain', 'Chain']],
  ALLOCATES: [['Pool', 'Pool']],
  PRICED_BY: [
    ['Pool', 'Protocol'],
    ['Protocol', 'Protocol'],
  ],
} as const satisfies Record<string, readonly (readonly [Label, Label])[]>;
export type EdgeType = keyof typeof EDGE_ENDS;

/** What is known of a node. A fact that is not known is absent: never zero, never a guess. */
export type RiskNode =
  | { readonly id: string; readonly label: 'Pool'; readonly facts: PoolFacts }
  | { readonly id: string; readonly label: 'Asset'; readonly facts: AssetFacts }
  | { readonly id: string; readonly label: 'Protocol'; readonly facts: ProtocolFacts }
  | { readonly id: string; readonly label: 'Chain'; readonly facts: ChainFacts };

export interface RiskEdge {
  readonly type: EdgeType;
  readonly sourceId: string;
  readonly targetId: string;
  /** How much of the target's risk the source carries, above 0 up to 1. */
  readonly weight: number;
}

/** Times are Unix seconds, money is USD, rates are fractions (0.045 is 4.5 %). */
export interface PoolFacts {
  readonly name: string;
  readonly symbol?: string;
  /** Slug of the chain node. */
  readonly chain: string;
  readonly address?: string;
  /** The identifier at its source, where it has no address. */
  readonly uniqueKey?: string;
  /** Slug of the protocol node. */
  readonly protocol?: string;
  readonly tvlUsd?: number;
  readonly apy?: number;
  readonly apyBase?: number;
  readonly apyReward?: number;
  readonly assets?: 'single' | 'correlated' | 'uncorrelated';
  readonly concentrated?: boolean;
  readonly leveraged?: boolean;
  readonly stablecoin?: boolean;
  /** The source itself doubts the figure. */
  readonly outlier?: boolean;
  readonly note?: string;
  readonly url?: string;
  /** The vault family that holds it, for the pools of our own families. */
  readonly offchainId?: string;
}

export interface AssetFacts {
  readonly name: string;
  readonly symbol?: string;
  readonly chain?: string;
  readonly address?: string;
  readonly uniqueKey?: string;
  readonly kind?:
    | 'native'
    | 'fiat-backed'
    | 'crypto-backed'
    | 'algorithmic'
    | 'liquid-staking'
    | 'wrapped'
    | 'vault-share'
    | 'other';
  /** What it should be worth, e.g. USD. */
  readonly peg?: string;
  readonly priceUsd?: number;
  /** How far the price is from the peg, as a fraction of it, never negative. */
  readonly pegDeviation?: number;
  readonly marketCapUsd?: number;
  /** Someone independent attests the backing. */
  readonly attested?: boolean;
  readonly dead?: boolean;
  readonly url?: string;
}

export interface ProtocolFacts {
  readonly name: string;
  readonly slug: string;
  readonly symbol?: string;
  /** False when it is known to have no token of its own. */
  readonly hasToken?: boolean;
  readonly category?: string;
  /** Slugs of the chain nodes it runs on. */
  readonly chains?: readonly string[];
  readonly tvlUsd?: number;
  readonly marketCapUsd?: number;
  /** Yield of its large pools, weighted by their TVL; absent when no list names one. */
  readonly poolsApy?: number;
  readonly listedAt?: number;
  readonly audits?: Audits;
  readonly forkOf?: readonly string[];
  readonly oracles?: readonly string[];
  readonly upgrades?: Upgrades;
  readonly incidents?: readonly Incident[];
  /** Slug of the protocol it is a part of. */
  readonly parent?: string;
  readonly rugged?: boolean;
  readonly dead?: boolean;
  readonly deprecated?: boolean;
  readonly url?: string;
  readonly hasGovernance?: boolean;
  readonly hasTreasury?: boolean;
  readonly openSource?: boolean;
}

/** `reports` when at least one report can be read; the number of them then. */
export type Audits =
  | { readonly status: 'reports'; readonly reports: number }
  | { readonly status: 'claimed' | 'partial' | 'none-recorded' | 'unaudited' };

export type Upgrades =
  | { readonly by: 'nobody' | 'single-key' }
  | { readonly by: 'timelock'; readonly delaySeconds: number };

export interface Incident {
  readonly at: number;
  readonly lossUsd?: number;
  readonly repaid?: boolean;
  readonly what?: string;
}

export interface ChainFacts {
  readonly name: string;
  readonly slug: string;
  readonly chainId?: number;
  readonly symbol?: string;
  readonly kind?: 'base-layer' | 'rollup' | 'other';
  /** Of a rollup that was assessed. */
  readonly stage?: 0 | 1 | 2;
  /** Slug of the chain that it settles on. */
  readonly settlesTo?: string;
  readonly tvlUsd?: number;
  readonly dead?: boolean;
  readonly url?: string;
}
