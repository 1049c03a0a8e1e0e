import type { Grade, Label } from '../../domain/risk/graph.ts';
import type { SearchDoc } from '../../domain/risk/searchDoc.ts';
import type { Comparison } from './comparison.ts';

/** A hit. Its grade is only used as a filter, because grades are sold on another route. */
export type SearchHit = Omit<SearchDoc, 'grade' | 'weight'>;

export interface SearchQuery {
  /** As returned by checkQuery. */
  readonly q: string;
  readonly limit: number;
  readonly label?: Label | undefined;
  /** A node whose value is unknown never matches. */
  readonly tvl?: Comparison<number> | undefined;
  readonly grade?: Comparison<Grade> | undefined;
}
