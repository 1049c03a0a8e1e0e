import type { Grade, Label } from '../../domain/risk/graph.ts';
import type { SearchDoc } from '../../domain/risk/searchDoc.ts';
import type { Comparison } from './comparison.ts';

/** A found node. Its grade is a filter only: the interface sells it elsewhere. */
export type SearchHit = Omit<SearchDoc, 'grade' | 'weight'>;

export interface SearchQuery {
  /** As checkQuery returns it. */
  readonly q: string;
  readonly limit: number;
  readonly label?: Label | undefined;
  /** A node whose value is unknown never matches. */
  readonly tvl?: Comparison<number> | undefined;
  readonly grade?: Comparison<Grade> | undefined;
}
