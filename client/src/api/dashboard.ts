/**
 * What a server returns to its own dashboard, outside of its API: these responses can change with the pages, without
 * notice. Their types are here because the server and the pages share nothing else.
 */

/** `/dashboard.json`: the server's settings that the pages need. */
export interface DashboardSettings {
  /** Null: nothing is for sale. */
  readonly payments: DashboardOffer | null;
  readonly isDemo: boolean;
  /** Private key of the demo wallet; returned only on the machine that runs the demo. */
  readonly walletKey: string | null;
}

export interface DashboardOffer {
  readonly network: string;
  readonly asset: string;
  readonly payTo: string;
  /** Base prices by route, in base units of the asset, which has 6 decimals. */
  readonly prices: Readonly<Record<'search' | 'node' | 'dependencies', string>>;
}

/** `/dashboard/families.json`: the figures of all families for the first page. */
export interface DashboardOverview {
  readonly at: string;
  readonly families: readonly FamilyOverview[];
}

export interface FamilyOverview {
  readonly slug: string;
  readonly weekAgo: OverviewValueWithShares | null;
  readonly dayAgo: OverviewValueWithShares | null;
  readonly now: OverviewValueWithShares | null;
  /** The last value of each day, oldest first. */
  readonly days: readonly OverviewValue[];
  readonly lowestScore: number | null;
  readonly exits: {
    readonly requests: number;
    readonly medianSeconds: number | null;
    readonly waiting: number;
  } | null;
}

/** What a family was worth at a time. */
export interface OverviewValue {
  readonly at: string;
  /** Base units of its asset. */
  readonly tvl: string;
  readonly usd: number | null;
}

export interface OverviewValueWithShares extends OverviewValue {
  readonly shares?: string | null;
}

/** `/dashboard/pools.json`: the pools of all families by name, for search. */
export interface DashboardPools {
  readonly pools: readonly {
    readonly family: string;
    readonly name: string;
    readonly chainId: number;
    readonly protocolName: string;
  }[];
}

/** `/dashboard/nodes/{slug}`: the risk nodes of a family and its pools. */
export interface FamilyNodes {
  readonly vault: string;
  readonly pools: readonly {
    readonly chainId: number;
    readonly offchainId: string;
    readonly nodeId: string;
  }[];
}

/** `/dashboard/flows/{slug}`: what was paid in and out by UTC day, oldest first; days without either are left out. */
export interface FamilyFlows {
  readonly at: string;
  /** Start of the first day that is included; null if there are no flows before it. */
  readonly cutAt: string | null;
  readonly days: readonly {
    readonly at: string;
    /** Base units of the family's asset. */
    readonly deposited: string;
    readonly withdrawn: string;
    readonly deposits: number;
    readonly withdrawals: number;
  }[];
}

/** `/dashboard/holders/{slug}`: how concentrated the shares of a family were, oldest first. */
export interface FamilyHolders {
  readonly at: string;
  readonly ticks: readonly {
    readonly at: string;
    readonly holders: number;
    /** Part of all shares, from 0 to 1. */
    readonly largest: number;
    readonly largestTen: number;
  }[];
}

/** `/dashboard/marks/{slug}`: what explains the charts of a family. */
export interface FamilyMarks {
  /** Newest first. */
  readonly reorgs: readonly {
    readonly at: string;
    readonly chainId: number;
    readonly blockNumber: number;
    readonly rows: number;
  }[];
  readonly gaps: readonly {
    readonly from: string;
    readonly to: string;
    readonly chainId: number;
    readonly reason: string;
    readonly fromBlock: number;
    readonly toBlock: number;
  }[];
}
