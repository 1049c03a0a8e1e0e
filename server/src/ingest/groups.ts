import type { SourceRow } from '../store/sources/sources.ts';

/** Sources at the same block, to be read together. */
export interface Group {
  readonly keys: readonly string[];
  readonly block: number;
  /** How far they may go before they meet the next group. */
  readonly meets: number | null;
}

/** Groups by checkpoint, the one furthest behind first. */
export function groupByBlock(rows: readonly Pick<SourceRow, 'key' | 'indexedBlock'>[]): Group[] {
  const blocks = [...new Set(rows.map((row) => row.indexedBlock))].sort((a, b) => a - b);
  return blocks.map((block, i) => ({
    keys: rows.filter((row) => row.indexedBlock === block).map((row) => row.key),
    block,
    meets: blocks[i + 1] ?? null,
  }));
}
