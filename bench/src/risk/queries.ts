import type { Random } from '../random.ts';
import type { Node, Query } from './engine.ts';
import { mistype } from './names.ts';

export const KINDS = ['exact', 'prefix', 'typo', 'common word'] as const;
export type Kind = (typeof KINDS)[number];

const COMMON =
  'usdc|weth|v3|finance|vault|wrapped|token|usd|pool|protocol|usdc weth|eth pool|prime vault|us|a|0'.split(
    '|',
  );

/** A search text, and the name that should be found, if any. */
export interface Asked {
  readonly q: string;
  readonly name: string;
}

export function ask(random: Random, nodes: readonly Node[], kind: Kind): Asked {
  const { name, address } = nodes[random.below(nodes.length)]!;
  switch (kind) {
    case 'exact':
      return { q: random.below(4) === 0 && address !== undefined ? address : name, name };
    case 'prefix':
      return { q: name.slice(0, 2 + random.below(name.length - 2)).trim(), name };
    case 'typo':
      return { q: mistype(random, name), name };
    case 'common word':
      return { q: COMMON[random.below(COMMON.length)]!, name };
  }
}

/** Filters that match from half of the nodes to almost none. */
export const FILTERS: readonly Omit<Query, 'q' | 'limit'>[] = [
  { label: 'Pool' },
  { label: 'Chain' },
  { tvl: { operator: '>', value: 1e6 } },
  { tvl: { operator: '<', value: 1e3 } },
  { grade: { operator: '<=', value: 'B' } },
  {
    label: 'Protocol',
    tvl: { operator: '<=', value: 1e5 },
    grade: { operator: '=', value: 'F' },
  },
];
