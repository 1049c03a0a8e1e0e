import { groupBy } from '../domain/groupBy.ts';
import type { SourceRow } from '../store/sources/sources.ts';

/** Sources at the same block, which are read together. */
export interface Group {
  readonly keys: readonly string[];
  readonly block: number;
  /** Checkpoint of the next group, up to which this one may be read. */
  readonly meets: number | null;
}

/** Returns the sources of a group that were never at the head of their chain: what is read for them is history. */
export function addedIn(
  { keys }: Pick<Group, 'keys'>,
  rows: ReadonlyMap<string, Pick<SourceRow, 'followed'>>,
): ReadonlySet<string> {
  return new Set(keys.filter((key) => rows.get(key)?.followed !== true));
}

/** Groups sources by checkpoint, the one furthest behind first. */
export function groupByBlock(rows: readonly Pick<SourceRow, 'key' | 'indexedBlock'>[]): Group[] {
  const groups = groupBy(rows, ({ indexedBlock }) => indexedBlock);
  const blocks = [...groups.keys()].sort((a, b) => a - b);
  return blocks.map((block, i) => ({
    keys: groups.get(block)!.map(({ key }) => key),
    block,
    meets: blocks[i + 1] ?? null,
  }));
}
