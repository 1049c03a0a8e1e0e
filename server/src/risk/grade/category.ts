/**
 * Kinds of protocols that share an anchor, with their categories in public lists, in lower case. Few and wide, because
 * about forty losses would overfit finer ones.
 */
export const PROTOCOL_KINDS = {
  exchange: [
    ...['dexes', 'dexs', 'dex', 'amm', 'clmm', 'dlmm', 'dll', 'stableswap', 'weighted pool amm'],
    ...['order book', 'prop amm', 'hook-based amm', 'rfq', 've(3,3)', 'solidly'],
  ],
  lending: [
    ...['lending', 'nft lending', 'rwa lending', 'private credit', 'uncollateralized lending'],
    'uncollateralised lending', // language-ok: the spelling of public lists
    ...['leveraged farming', 'cdp', 'cdp manager'],
  ],
  derivatives: [
    ...['derivatives', 'perps', 'options', 'exotic options', 'options vault', 'synthetics'],
    ...['basis trading', 'hyperliquid builder'],
  ],
  yield: [
    ...['yield', 'yield aggregator', 'farm', 'yield lottery', 'gamified mining', 'ponzi'],
    ...['risk curators', 'onchain capital allocator', 'liquidity manager', 'liquidity automation'],
  ],
  staking: [
    ...['liquid staking', 'staking', 'staking pool', 'hyperliquid staking', 'restaking'],
    ...['liquid restaking', 'restaked btc'],
  ],
  bridge: [
    ...['bridge', 'cross chain', 'cross chain bridge', 'canonical bridge', 'anchor btc'],
    'decentralized btc',
  ],
  custodian: ['cex', 'cedefi'],
  'algorithmic money': [
    ...['algo-stables', 'partially algorithmic stablecoin', 'dual-token stablecoin'],
    'reserve currency',
  ],
  other: [],
} as const satisfies Record<string, readonly string[]>;

export type ProtocolKind = keyof typeof PROTOCOL_KINDS;

const KIND_OF = new Map<string, ProtocolKind>(
  Object.entries(PROTOCOL_KINDS).flatMap(([kind, names]) =>
    names.map((name) => [name, kind as ProtocolKind] as const),
  ),
);

/** Returns `other` for unknown categories, which never grades better than the average. */
export function protocolKind(category: string): ProtocolKind {
  return KIND_OF.get(category.trim().toLowerCase()) ?? 'other';
}
