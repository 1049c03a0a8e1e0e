import type { FamilyOverview, Value, ValueNow } from './overview.ts';

/** Returns the change of TVL in the family's asset as a fraction; null if one of the values is unknown. */
export function changeOf(before: Value | null, now: Value | null): number | null {
  if (before === null || now === null) return null;
  const [from, to] = [BigInt(before.tvl), BigInt(now.tvl)];
  if (from === 0n) return null;
  return Number(((to - from) * 1_000_000n) / from) / 1_000_000;
}

/**
 * Returns the USD value of the shares that were issued minus those that were redeemed, at what a share is worth now. The
 * change of TVL would also contain earnings.
 */
export function netFlowUsd(before: ValueNow | null, now: ValueNow | null): number | null {
  if (before === null || now === null || now.usd === null) return null;
  if (before.shares == null || now.shares == null) return null;
  const [held, added] = [BigInt(now.shares), BigInt(now.shares) - BigInt(before.shares)];
  if (held === 0n) return added === 0n ? 0 : null;
  return (Number(added) / Number(held)) * now.usd;
}

/** A sum of those families whose value is known. */
export interface Sum {
  readonly value: number | null;
  /** Number of families that are not included. */
  readonly unknown: number;
}

export function sumOf(values: readonly (number | null)[]): Sum {
  const known = values.filter((value) => value !== null);
  return {
    value: known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0),
    unknown: values.length - known.length,
  };
}

/** The change of the total in USD, which contains changes of prices, of families whose value is known at both times. */
export function totalChange(families: readonly FamilyOverview[]): {
  readonly fraction: number | null;
  /** Number of families that the total includes and the change does not. */
  readonly unknown: number;
} {
  const both = families.filter(({ dayAgo, now }) => dayAgo?.usd != null && now?.usd != null);
  const before = both.reduce((sum, { dayAgo }) => sum + dayAgo!.usd!, 0);
  const after = both.reduce((sum, { now }) => sum + now!.usd!, 0);
  return {
    fraction: before > 0 ? after / before - 1 : null,
    unknown: families.filter(({ now }) => now?.usd != null).length - both.length,
  };
}

/**
 * Adds up the families by UTC day. A family keeps its last value on days without one, and has none before its first. The
 * total is null on days on which one of them has no price; families that never have one are left out.
 */
export function totalByDay(families: readonly FamilyOverview[]): {
  readonly times: readonly number[];
  readonly values: readonly (number | null)[];
} {
  const priced = families.filter(({ days }) => days.some(({ usd }) => usd !== null));
  const starts = priced.flatMap(({ days }) => days.map(({ at }) => dayOf(at)));
  const times = [...new Set(starts)].sort((a, b) => a - b);
  const values = times.map((time) => {
    const { value, unknown } = sumOf(
      priced.flatMap(({ days }) => {
        const last = days.findLast(({ at }) => dayOf(at) <= time);
        return last === undefined ? [] : [last.usd];
      }),
    );
    return unknown > 0 ? null : value;
  });
  return { times, values };
}

const DAY = 86_400;

function dayOf(at: string): number {
  const seconds = Math.floor(Date.parse(at) / 1000);
  return seconds - (seconds % DAY);
}

/** Returns the families with the shortest and the longest median wait for a redemption. */
export function exitsByWait(families: readonly FamilyOverview[]) {
  const measured = families
    .flatMap(({ slug, exits }) =>
      exits === null || exits.medianSeconds === null
        ? []
        : [{ slug, seconds: exits.medianSeconds, requests: exits.requests }],
    )
    .sort((a, b) => a.seconds - b.seconds);
  return { fastest: measured[0], slowest: measured.length > 1 ? measured.at(-1) : undefined };
}
