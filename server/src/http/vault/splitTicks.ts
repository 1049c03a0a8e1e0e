import type { Queryable } from '../../store/store.ts';
import { type SeriesRange, type SplitPoint, series } from '../../store/ticks/readSeries.ts';

/** Ticks at the times of the split: those at which what a family holds was read. */
export function createSplitTicks<Point>(
  readAt: (db: Queryable, slug: string, points: readonly SplitPoint[]) => Promise<Point[]>,
) {
  return {
    async getRaw(db: Queryable, slug: string, range: SeriesRange) {
      return readAt(db, slug, await series.split.getRaw(db, slug, range));
    },
    async getLastOfEach(db: Queryable, slug: string, span: number, range: SeriesRange) {
      return readAt(db, slug, await series.split.getLastOfEach(db, slug, span, range));
    },
  };
}
