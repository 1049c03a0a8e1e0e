import { type Queryable, statement } from '../store.ts';

/** A piece of the work that was done; `waiting`: for a transaction that began before the last row was copied. */
export type SpaceStep = 'started' | 'copied' | 'dropped' | 'swapped' | 'waiting';

export interface SpaceOptions {
  readonly now: number;
  /** Whether a partition may be copied from here on; false only ends what has begun. */
  readonly mayStart: boolean;
  /** Smaller partitions are left as they are. */
  readonly minBytes?: number;
  /** Pages of 8 KiB that are copied in one transaction, while writers wait. */
  readonly pages?: number;
}

const MIN_BYTES = 64 * 1024 * 1024;
const PAGES = 512;

const step = statement('tickSpace.step', 'select tick_rewrite_step($1, $2, $3, $4) as done');

export const tickSpace = {
  /**
   * Gives back the space of thinned ticks: copies a partition that is at least half empty, piece by piece, and swaps it
   * with the copy. Creates the partition of the next year ahead of time. Returns null if nothing is due.
   */
  async advance(
    tx: Queryable,
    { now, mayStart, minBytes = MIN_BYTES, pages = PAGES }: SpaceOptions,
  ): Promise<SpaceStep | null> {
    const [row] = await tx.query<{ done: SpaceStep | null }>(step, [
      now,
      mayStart,
      minBytes,
      pages,
    ]);
    return row!.done;
  },
};
