/** Categories that share an anchor, with the names that the public lists give them, lower-case. */
export const CATEGORY_GROUPS = {
  'concentrated or stable-swap exchange': ['stableswap', 'clmm', 'dlmm', 'weighted pool amm'],
  'liquid staking': ['liquid staking', 'staking', 'staking pool', 'hyperliquid staking'],
  'decentralised exchange': [
    'dexes',
    'dexs',
    'dex',
    'amm',
    'order book',
    'prop amm',
    'hook-based amm',
    'rfq',
    'dll',
  ],
  'collateralised debt': ['cdp', 'cdp manager', 'stablecoin issuer'],
  lending: ['lending', 'nft lending'],
  'real-world assets': [
    'rwa',
    'rwa lending',
    'treasury bills',
    'private credit',
    'commodities',
    'other fixed income',
    'real estate',
    'stocks & etfs',
    'money market funds',
    'private equity',
  ],
  yield: [
    'yield',
    'risk curators',
    'onchain capital allocator',
    'liquidity manager',
    'yield lottery',
  ],
  've(3,3) exchange': ['ve(3,3)', 'solidly'],
  restaking: ['restaking', 'liquid restaking', 'restaked btc'],
  derivatives: [
    'derivatives',
    'options',
    'exotic options',
    'options vault',
    'perps',
    'hyperliquid builder',
  ],
  aggregator: [
    'yield aggregator',
    'dex aggregator',
    'liquidity automation',
    'bridge aggregator',
    'aggregator',
  ],
  bridge: [
    'bridge',
    'cross chain',
    'cross chain bridge',
    'canonical bridge',
    'anchor btc',
    'decentralized btc',
  ],
  synthetics: ['synthetics'],
  'basis trading': ['basis trading', 'cedefi'],
  'farm or leveraged farm': ['farm', 'leveraged farming', 'gamified mining', 'ponzi'],
  'uncollateralised lending': ['uncollateralized lending', 'uncollateralised lending'],
  'algorithmic stablecoin': [
    'algo-stables',
    'partially algorithmic stablecoin',
    'dual-token stablecoin',
  ],
  'reserve currency': ['reserve currency'],
  custodian: ['cex'],
  other: [],
} as const satisfies Record<string, readonly string[]>;

export type CategoryGroup = keyof typeof CATEGORY_GROUPS;

const GROUP_OF = new Map<string, CategoryGroup>(
  Object.entries(CATEGORY_GROUPS).flatMap(([group, names]) =>
    names.map((name) => [name, group as CategoryGroup] as const),
  ),
);

/** A category that no list of ours names is `other`: never a reason to grade better than the average. */
export function categoryGroup(category: string): CategoryGroup {
  return GROUP_OF.get(category.trim().toLowerCase()) ?? 'other';
}

/** Where a wrong price takes the money out. */
export const NEEDS_ORACLE: ReadonlySet<CategoryGroup> = new Set<CategoryGroup>([
  'lending',
  'collateralised debt',
  'derivatives',
  'synthetics',
]);
