import { RpcError } from '../chain/rpcError.ts';
import type { FamilyConfig, TicksConfig } from '../config/config.ts';
import { gapText } from '../domain/gapText.ts';
import { bucketOf, DAY, gridBetween, HOUR, toIso } from '../domain/time.ts';
import { families } from '../store/families/families.ts';
import { type FamilyGap, getFamilyGaps } from '../store/gaps/familyGaps.ts';
import { sources } from '../store/sources/sources.ts';
import type { Queryable } from '../store/store.ts';
import { ticks } from '../store/ticks/ticks.ts';
import { Unanswered } from './ask.ts';
import { compareAt, type FamilyReport } from './comparison.ts';
import type { Deployments } from './deployments.ts';
import { NotReadable } from './notReadable.ts';
import { readState } from './states.ts';

interface TicksAsked {
  readonly deployments: Deployments;
  readonly store: Queryable;
  readonly family: FamilyConfig;
  readonly grid: TicksConfig;
}

export interface CheckedTicks extends FamilyReport {
  /** Ticks missing where a gap is recorded. */
  readonly inGaps: number;
}

/** Each takes a few requests; a store that lacks more has shown enough. */
const MAX_PROBES = 20;

/**
 * Counts the ticks that should be stored: one per time on both grids from the family's first block on. A missing tick
 * is explained by a recorded gap, or by a vault that did not respond at that time; otherwise it is a difference.
 */
export async function compareTicks(options: TicksAsked): Promise<CheckedTicks> {
  const { store, family, grid } = options;
  const span = await findSpan(options);
  if (span === undefined) return { compared: [], unchecked: [], inGaps: 0 };
  const { familyId, from, until } = span;
  const step = leastCommonMultiple(grid.backfillSeconds, grid.liveSeconds);
  const expected = gridBetween(from - 1, until, step);
  const present = new Set(await ticks.getInstants(store, [familyId], from - 1, until));
  const gaps = (await getFamilyGaps(store)).filter((gap) => gap.family === family.slug);
  const absent = expected.filter((at) => !present.has(at));
  const isThinned = thinnedAmong(present, span);
  const missing = absent.filter((at) => !isThinned(at));
  const isInGap = (at: number) => gaps.some((gap) => gap.fromTime < at && at <= gap.toTime);
  const inGaps = missing.filter(isInGap).length;

  const location = `${family.slug}, ticks from ${toIso(from)} to ${toIso(until)}`;
  const comparison = compareAt(location);
  for (let i = absent.length; i < expected.length; i++) comparison.holds(null);
  const unchecked: string[] = [];
  const unanswered: string[] = [];
  const runs = runsOf(missing, step, isInGap);
  for (const [i, run] of runs.entries()) {
    const text = describeRun(run);
    const found = i < MAX_PROBES ? await probe(options, run.last) : 'answers';
    if (found === 'answers') comparison.holds(`${text} missing without a recorded gap`);
    else if (found === 'no answer')
      unanswered.push(`${location}: ${text} absent; no vault answered`);
    else unchecked.push(`${location}: ${text} missing without a recorded gap, and ${found}`);
  }
  const thinned = absent.length - missing.length;
  const notices = [
    ...unanswered,
    ...(thinned === 0 ? [] : [`${location}: ${thinned} of ${expected.length} thinned (retention)`]),
    ...describeGaps(location, gaps, inGaps, expected.length),
  ];
  return { compared: [comparison], unchecked, notices, inGaps };
}

/**
 * From the time of its first block up to where its ticks are computed; undefined before the first. While its chains are
 * unreachable, a price feed of another chain moves that on, but no tick is newer than the last block of its own chains.
 */
async function findSpan({ store, family }: TicksAsked) {
  const row = (await families.getAll(store)).find(({ slug }) => slug === family.slug);
  if (row === undefined) return undefined;
  const rows = await sources.getOfFamily(store, row.familyId, null);
  const configured = new Set(family.chains.map(({ chainId }) => chainId));
  const started = rows.filter(({ chainId, startTime }) => {
    return configured.has(chainId) && startTime !== null;
  });
  if (started.length === 0) return undefined;
  const from = Math.min(...started.map(({ startTime }) => startTime!));
  const { familyId, tickUntil, hourlyUntil, dailyUntil } = row;
  // Another block of the last second may still follow.
  const indexed = Math.max(...started.map(({ indexedTime }) => indexedTime)) - 1;
  return { familyId, from, until: Math.min(tickUntil, indexed), hourlyUntil, dailyUntil };
}

/** A thinned day or hour keeps its last tick; a day or hour without it was never thinned. */
function thinnedAmong(
  present: Iterable<number>,
  { hourlyUntil, dailyUntil }: { readonly hourlyUntil: number; readonly dailyUntil: number },
): (at: number) => boolean {
  const spanAt = (at: number) => (at < dailyUntil ? DAY : at < hourlyUntil ? HOUR : null);
  const last = new Map<number, number>();
  for (const at of present) {
    const span = spanAt(at);
    if (span === null) continue;
    const bucket = bucketOf(at, span);
    last.set(bucket, Math.max(at, last.get(bucket) ?? at));
  }
  return (at) => {
    const span = spanAt(at);
    return span !== null && (last.get(bucketOf(at, span)) ?? at) > at;
  };
}

interface Run {
  readonly first: number;
  readonly count: number;
  readonly last: number;
}

/** Adjacent times on the grid, without those in gaps. */
function runsOf(missing: readonly number[], step: number, isInGap: (at: number) => boolean): Run[] {
  const runs: Run[] = [];
  for (const at of missing) {
    if (isInGap(at)) continue;
    const before = runs.at(-1);
    if (before?.last === at - step)
      runs.push({ ...runs.pop()!, count: before.count + 1, last: at });
    else runs.push({ first: at, count: 1, last: at });
  }
  return runs;
}

/** Whether the vaults responded at a time on each chain where the family had started. */
async function probe(
  { deployments, family }: TicksAsked,
  at: number,
): Promise<'answers' | 'no answer' | string> {
  try {
    for (const { chainId, startBlock } of family.chains) {
      const block = await deployments.reader(chainId).blockAt(at, startBlock);
      if (block === undefined) continue;
      await readState(await deployments.load(family, chainId, { block }), block);
    }
    return 'answers';
  } catch (error) {
    if (error instanceof Unanswered) return 'no answer';
    if (error instanceof NotReadable) return error.message;
    if (error instanceof RpcError) return error.safeText;
    throw error;
  }
}

function describeRun({ first, count, last }: Run): string {
  if (count === 1) return `1 tick of ${toIso(first)} is`;
  return `${count} ticks from ${toIso(first)} to ${toIso(last)} are`;
}

function describeGaps(
  location: string,
  gaps: readonly FamilyGap[],
  inGaps: number,
  expected: number,
): string[] {
  if (gaps.length === 0) return [];
  return [
    `${location}: ${inGaps} of ${expected} missing, recorded gap`,
    ...gaps.map((gap) => `MISSING ${gapText(gap)}`),
  ];
}

function leastCommonMultiple(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return (a / x) * b;
}
