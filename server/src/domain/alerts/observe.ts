import { createWaits, type QueueStep } from '../vault/waits.ts';
import type { AlertState, Observation } from './evaluate.ts';
import {
  distanceOutside,
  fallOf,
  largestOf,
  moveOf,
  overWindows,
  type Point,
  PPM,
} from './measure.ts';
import type { AlertRule } from './rule.ts';

/** A tick of a family with what alerts measure. */
export interface WatchedTick {
  readonly at: number;
  readonly tvl: bigint;
  readonly idle: bigint;
  readonly queue: bigint;
  /** Null: no share price. */
  readonly ratio: { readonly assets: bigint; readonly shares: bigint } | null;
  readonly apy: number | null;
}

/** What is known of a family, in order of time, from the start of the longest window. */
export interface FamilySeries {
  readonly ticks: readonly WatchedTick[];
  /** Deposits and exits with known assets. */
  readonly deposits: readonly Point[];
  readonly exits: readonly Point[];
  readonly queueSteps: readonly QueueStep[];
  /** Times of governance changes: owners, roles, caps, fees, oracles, pauses, timelocks. */
  readonly governance: readonly number[];
}

/** Part of a share that two ratios are compared in; more digits than any vault has. */
const RATIO_SCALE = 10n ** 36n;
/** Of the longest wait that is measured: older requests are ignored. */
export const WAIT_WINDOW = 90 * 86_400;

/** Measures a rule at every time in (after, until] at which its series has something. */
export function observe(
  rule: AlertRule,
  series: FamilySeries,
  span: { readonly after: number; readonly until: number },
): Observation[] {
  const { after, until } = span;
  const due = (times: readonly number[]) => times.filter((at) => at > after && at <= until);
  const tickTimes = series.ticks.map(({ at }) => at);
  switch (rule.kind) {
    case 'share-price-falls':
      return overTicks(pricesOf(series.ticks), fallOf);
    case 'tvl-moves':
      return overTicks(
        pointsOf(series.ticks, ({ tvl }) => tvl),
        moveOf,
      );
    case 'liquidity-moves':
      return overTicks(
        pointsOf(series.ticks, ({ idle }) => idle),
        moveOf,
      );
    case 'large-deposit':
      return overItems(series.deposits, largestOf);
    case 'large-exit':
      return overItems(series.exits, largestOf);
    case 'governance':
      return overItems(
        series.governance.map((at) => ({ at, value: 1n })),
        (window) => BigInt(window.length),
      ).map((one) => (series.governance.includes(one.at) ? { ...one, isNews: true } : one));
    case 'queue-above':
      return atTicks(({ queue }) => queue);
    case 'apy-outside':
      return atTicks(({ apy }) =>
        apy === null ? null : distanceOutside(toPpm(apy), rule.band ?? { low: null, high: null }),
      );
    case 'wait-above':
      return longestWaits(due(tickTimes), series.queueSteps);
    default:
      return [];
  }

  function atTicks(measure: (tick: WatchedTick) => bigint | null): Observation[] {
    return series.ticks
      .filter(({ at }) => at > after && at <= until)
      .map((tick) => ({ at: tick.at, value: measure(tick) }));
  }

  /** A tick without the value has no observation: a missing price is no fall. */
  function overTicks(
    points: readonly Point[],
    measure: (window: readonly Point[]) => bigint | null,
  ) {
    const times = due(points.map(({ at }) => at));
    return overWindows(times, points, rule.within, (window, at) => ({
      at,
      value: measure(window),
    }));
  }

  function overItems(items: readonly Point[], measure: (window: readonly Point[]) => bigint) {
    const times = [...new Set([...tickTimes, ...items.map(({ at }) => at)])].sort((a, b) => a - b);
    return overWindows(due(times), items, rule.within, (window, at) => ({
      at,
      value: measure(window),
    }));
  }
}

/**
 * Measures a changed grade: 1 as long as the grade is another than the one before, and 0 after `within`. `reference` is the grade at which
 * it last fired, or the first that was seen; null: none yet.
 */
export function observeGrade(
  rule: AlertRule,
  state: AlertState,
  grade: { readonly reference: bigint | null; readonly now: bigint | null; readonly at: number },
): Observation {
  const { reference, now, at } = grade;
  if (now === null || reference === null) return { at, value: null };
  if (!state.active) return { at, value: now === reference ? 0n : 1n };
  return { at, value: at >= state.firedAt! + rule.within ? 0n : null };
}

function pointsOf(ticks: readonly WatchedTick[], pick: (tick: WatchedTick) => bigint): Point[] {
  return ticks.map((tick) => ({ at: tick.at, value: pick(tick) }));
}

function pricesOf(ticks: readonly WatchedTick[]): Point[] {
  return ticks.flatMap(({ at, ratio }) =>
    ratio === null || ratio.shares <= 0n
      ? []
      : [{ at, value: (ratio.assets * RATIO_SCALE) / ratio.shares }],
  );
}

/** The age of the oldest request that is pending at each time. */
function longestWaits(times: readonly number[], steps: readonly QueueStep[]): Observation[] {
  const waits = createWaits(0);
  let next = 0;
  return times.map((at) => {
    const first = next;
    while (next < steps.length && steps[next]!.at <= at) next++;
    waits.add(steps.slice(first, next));
    const oldest = waits.measure().waiting[0];
    return { at, value: oldest === undefined ? 0n : BigInt(at - oldest.since) };
  });
}

/** The rate as a fraction in millionths, rounded down. */
export function toPpm(fraction: number): bigint {
  return BigInt(Math.floor(fraction * Number(PPM)));
}
