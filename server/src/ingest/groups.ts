import type { SourceRow } from '../store/sources/sources.ts';

/** Sources at the same block, which are read together. */
export interface Group {
  readonly keys: readonly string[];
  readonly block: number;
  /** Checkpoint of the next group, up to which this one may be read. */
  readonly meets: number | null;
}

/**
 * Whether the group is still catching up, as in the first backfill of its sources: not with a chain that was live
 * before, unless its sources were added later.
 */
export function isCatchingUp(group: Pick<Group, 'meets'>, backfilled: boolean): boolean {
  return !backfilled || group.meets !== null;
}

/** Groups sources by checkpoint, the one furthest behind first. */
export function groupByBlock(rows: readonly Pick<SourceRow, 'key' | 'indexedBlock'>[]): Group[] {
  const keys = new Map<number, string[]>();
  for (const { key, indexedBlock } of rows) {
    const known = keys.get(indexedBlock);
    if (known === undefined) keys.set(indexedBlock, [key]);
    else known.push(key);
  }
  const blocks = [...keys.keys()].sort((a, b) => a - b);
  return blocks.map((block, i) => ({
    keys: keys.get(block)!,
    block,
    meets: blocks[i + 1] ?? null,
  }));
}
