import type { FamilyFlows } from '@assay/client';

const DAY = 86_400;
const HALF = DAY / 2;

export interface FlowDay {
  readonly at: string;
  readonly deposited: bigint;
  readonly withdrawn: bigint;
}

/**
 * Returns every day of a range, also those without flows, but none before the first that is known. Without a start, from
 * the first day with flows.
 */
export function flowDays(
  { days, cutAt }: FamilyFlows,
  { from, to }: { readonly from?: string | undefined; readonly to: string },
): FlowDay[] {
  const known = new Map(days.map((day) => [startOf(day.at), day]));
  const first = from ?? cutAt ?? days[0]?.at;
  if (first === undefined) return [];
  const found: FlowDay[] = [];
  const start = Math.max(startOf(first), cutAt === null ? 0 : startOf(cutAt));
  for (let day = start; day <= startOf(to); day += DAY) {
    const { deposited = '0', withdrawn = '0' } = known.get(day) ?? {};
    found.push({
      at: new Date(day * 1000).toISOString(),
      deposited: BigInt(deposited),
      withdrawn: BigInt(withdrawn),
    });
  }
  return found;
}

/** Returns whether flows at the beginning of a range are not included. */
export function isCut({ cutAt }: FamilyFlows, from: string | undefined): boolean {
  return cutAt !== null && (from === undefined || startOf(from) < startOf(cutAt));
}

/** Returns the times of bars: the middles of the days, with half a day of space before the first and after the last. */
export function barTimes(days: readonly FlowDay[]): number[] {
  const middles = days.map(({ at }) => startOf(at) + HALF);
  const [first, last] = [middles[0], middles.at(-1)];
  return first === undefined ? [] : [first - HALF, ...middles, last! + HALF];
}

function startOf(at: string): number {
  const seconds = Math.floor(Date.parse(at) / 1000);
  return seconds - (seconds % DAY);
}
