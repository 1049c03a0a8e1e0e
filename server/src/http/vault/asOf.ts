import type { Config, FamilyConfig } from '../../config/config.ts';
import type { Hex } from '../../domain/hex.ts';
import { lacksInstant } from '../../domain/series/lacksInstant.ts';
import { toIso } from '../../domain/time.ts';
import { tickBlocks } from '../../store/blocks/tickBlocks.ts';
import type { Queryable } from '../../store/store.ts';
import { type FamilyMoment, moments } from '../../store/ticks/moments.ts';
import { NotReady } from '../problem.ts';
import { NoDataThen } from './asOfErrors.ts';
import { poolFamilyOf } from './loadSnapshot.ts';

/** The data point of a family that stands for a moment of the past. */
export interface AsOf {
  readonly familyId: number;
  /** Time of the data point. */
  readonly at: number;
  /** Whether nothing that the chains do later can change what is returned of it. */
  readonly isFinal: boolean;
}

/** The blocks of the states at a data point. */
export interface AsOfBlock {
  readonly chainId: number;
  readonly block: number;
  readonly hash: Hex | null;
}

/** Why a family has no data point for the moment. */
export interface Missing {
  readonly reason: 'unread' | 'before' | 'gap';
  readonly nearest: number | null;
  readonly error: Error;
}

export type Found = AsOf | Missing;

export function isFound(found: Found): found is AsOf {
  return 'at' in found;
}

/** Finds for each of these families the data point that stands for a time. */
export async function findAsOf(
  db: Queryable,
  config: Config,
  families: readonly FamilyConfig[],
  time: number,
): Promise<ReadonlyMap<string, Found>> {
  const all = [...new Set(families.flatMap((family) => [family, poolFamilyOf(config, family)]))];
  const asked = all.map(({ slug, priceFeed }) => ({ slug, feed: priceFeed ?? '' }));
  const [rows, finalUntil] = await Promise.all([
    moments.getFamilies(db, asked, time),
    tickBlocks.getFinalUntil(db),
  ]);
  const moment = new Map(rows.map((row) => [row.slug, row]));
  const withGaps = rows.filter(({ hasGap, at }) => hasGap && at !== null);
  const gaps =
    withGaps.length === 0
      ? []
      : await moments.getGaps(
          db,
          withGaps.map(({ familyId }) => familyId),
          time,
        );
  return new Map(families.map((family) => [family.slug, find(family)]));

  function find(family: FamilyConfig): Found {
    const own = moment.get(family.slug);
    const source = poolFamilyOf(config, family);
    const missing = own === undefined ? unread(family) : missingOf(family, own);
    if (missing !== undefined) return missing;
    const { familyId, at } = own!;
    return { familyId, at: at!, isFinal: isSettled(family) && isSettled(source) };
  }

  function missingOf({ slug }: FamilyConfig, own: FamilyMoment): Missing | undefined {
    const { at, next } = own;
    if (at === null && next === null) return unread({ slug });
    if (at === null) {
      const text = `${slug} has no data at that time: its first data point is ${toIso(next!)}`;
      return { reason: 'before', nearest: next, error: new NoDataThen(text, next) };
    }
    const inGap = gaps.some(
      ({ familyId, fromTime, toTime }) =>
        familyId === own.familyId &&
        lacksInstant({ fromTime, toTime: Math.min(toTime, time) }, at, config.ticks.liveSeconds),
    );
    if (!inGap) return undefined;
    const nearest = next !== null && next - time < time - at ? next : at;
    const after = next === null ? '' : `, the next ${toIso(next)}`;
    const text = `${slug} has a gap at that time: the last data point before it is ${toIso(at)}${after}`;
    return { reason: 'gap', nearest, error: new NoDataThen(text, nearest) };
  }

  function isSettled({ slug, chains, priceFeed }: FamilyConfig): boolean {
    const row = moment.get(slug);
    if (row === undefined || row.hasGap || row.tickUntil < time) return false;
    const isRead = row.sources >= chains.length + (priceFeed === null ? 0 : 1);
    if (!isRead || row.readUntil === null || row.readUntil <= time) return false;
    const { retention } = config;
    const thinned = retention?.hour === undefined ? row.hourlyUntil : row.dailyUntil;
    if (retention !== undefined && thinned <= time) return false;
    const feed = config.prices.feeds.find(({ name }) => name === priceFeed);
    const chainIds = chains.map(({ chainId }) => chainId);
    if (feed !== undefined && 'chainId' in feed) chainIds.push(feed.chainId);
    return chainIds.every((chainId) => (finalUntil.get(chainId) ?? -1) >= time);
  }
}

function unread({ slug }: { readonly slug: string }): Missing {
  const error = new NotReady(`${slug} has not been read yet; try again soon`);
  return { reason: 'unread', nearest: null, error };
}

/** Returns the blocks of these data points, in the order of each family's chains. */
export async function getAsOfBlocks(
  db: Queryable,
  families: readonly { readonly family: FamilyConfig; readonly asOf: AsOf }[],
): Promise<ReadonlyMap<string, AsOfBlock[]>> {
  const asked = families.flatMap(({ family, asOf: { familyId, at } }) =>
    family.chains.map(({ chainId }) => ({ familyId, chainId, at })),
  );
  const rows = await moments.getBlocks(db, asked);
  const key = (familyId: number, chainId: number) => `${familyId} ${chainId}`;
  const found = new Map(rows.map((row) => [key(row.familyId, row.chainId), row]));
  return new Map(
    families.map(({ family, asOf }) => [
      family.slug,
      family.chains.flatMap(({ chainId }) => {
        const row = found.get(key(asOf.familyId, chainId));
        return row === undefined ? [] : [{ chainId, block: row.block, hash: row.hash }];
      }),
    ]),
  );
}
