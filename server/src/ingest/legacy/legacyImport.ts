import { readFile } from 'node:fs/promises';
import { events } from '../../store/events/events.ts';
import { families } from '../../store/families/families.ts';
import type { Queryable, Store } from '../../store/store.ts';
import { rollups } from '../../store/ticks/rollups.ts';
import { ticks } from '../../store/ticks/ticks.ts';
import { parseApyFile, parseTvlFile } from './legacyFile.ts';

/** As batches of ticks. */
const OF_NO_CHAIN = 0;

export interface LegacyImport {
  readonly family: string;
  readonly series: 'apy' | 'tvl';
  readonly file: string;
  readonly percent: boolean;
  readonly decimals: number | null;
  readonly now: number;
}

/** The file to import is not there or not readable. */
export class LegacyFileUnreadable extends Error {
  constructor(file: string) {
    super(`${file} cannot be read: check its name and permissions`);
    this.name = 'LegacyFileUnreadable';
  }
}

/** Imports a series of the previous backend: all of the file, or nothing. Returns how many ticks it held. */
export async function importLegacy(store: Store, options: LegacyImport): Promise<number> {
  const { file, percent, decimals, now } = options;
  const bytes = await readFile(file, 'utf8').catch(() => {
    throw new LegacyFileUnreadable(file);
  });
  const source = { file, text: bytes, now };
  if (options.series === 'apy') {
    const points = parseApyFile({ ...source, percent });
    return write(store, options.family, points, (tx, id) => ticks.importApy(tx, id, points));
  }
  const points = parseTvlFile({ ...source, decimals });
  return write(store, options.family, points, (tx, id) => ticks.importTvl(tx, id, points));
}

async function write(
  store: Store,
  slug: string,
  points: readonly { at: number }[],
  insert: (tx: Queryable, familyId: number) => Promise<unknown>,
): Promise<number> {
  if (points.length === 0) return 0;
  await store.transaction(async (tx) => {
    const rows = await families.register(tx, [slug]);
    const { familyId } = rows.find((row) => row.slug === slug)!;
    const [row] = await families.lock(tx, [familyId]);
    await insert(tx, familyId);
    await rollups.refresh(tx, familyId, points[0]!.at, points.at(-1)!.at);
    await events.touch(tx, familyId, OF_NO_CHAIN, points[0]!.at);
    await families.setTickUntil(tx, familyId, row!.tickUntil, points[0]!.at);
  });
  return points.length;
}
