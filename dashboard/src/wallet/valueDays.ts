import type { ValueDay } from './returns.ts';

const DAY = 86_400;

/** One movement of shares into a wallet (positive) or out of it. */
export interface ShareMove {
  readonly family: string;
  readonly at: number;
  readonly shares: bigint;
  /** Its value then; null if unknown. */
  readonly usd: number | null;
}

/** What one base unit of shares was worth in USD at the end of each day, oldest first. */
export interface FamilyPrices {
  readonly family: string;
  readonly points: readonly { readonly at: number; readonly usdPerShare: number | null }[];
}

export interface FamilyValues {
  readonly family: string;
  /** One per day; null on a day without a price. */
  readonly values: readonly (number | null)[];
}

export interface WalletValues {
  /** Unix seconds of the ends of days; the last is now. */
  readonly times: readonly number[];
  readonly families: readonly FamilyValues[];
  /** The sum, with what came in and went out. */
  readonly days: readonly ValueDay[];
  /** Families without a price now, or at one of their movements: nothing here includes them, because their result is unknown. */
  readonly unpriced: readonly string[];
}

/** Values a wallet at the end of each day since its first movement. Newer days replace nothing: all values are of their time. */
export function valueByDay(
  moves: readonly ShareMove[],
  prices: readonly FamilyPrices[],
  now: number,
): WalletValues {
  const first = Math.min(...moves.map(({ at }) => at));
  if (moves.length === 0) return { times: [], families: [], days: [], unpriced: [] };
  const times = dayEnds(first, now);
  const families = prices
    .filter(({ family }) => moves.some((move) => move.family === family))
    .map((one) => valuesOf(one, moves, times));
  const isPriced = ({ values, flows }: ValuedFamily) =>
    values.at(-1) !== null && !flows.includes(null);
  const priced = families.filter(isPriced);
  return {
    times,
    families: priced.map(({ family, values }) => ({ family, values })),
    days: times.map((at, index) => ({
      at,
      value: sumOf(priced.map(({ values }) => values[index]!)),
      flow: sumOf(priced.map(({ flows }) => flows[index]!)) ?? 0,
    })),
    unpriced: families.filter((one) => !isPriced(one)).map(({ family }) => family),
  };
}

interface ValuedFamily extends FamilyValues {
  /** One per day; null if the value of a movement is unknown. */
  readonly flows: readonly (number | null)[];
}

function valuesOf(
  { family, points }: FamilyPrices,
  moves: readonly ShareMove[],
  times: readonly number[],
): ValuedFamily {
  const own = moves.filter((move) => move.family === family).sort((a, b) => a.at - b.at);
  let next = 0;
  let held = 0n;
  const days = times.map((time) => {
    const price = points.findLast(({ at }) => at <= time)?.usdPerShare ?? null;
    const flows: (number | null)[] = [];
    while (next < own.length && own[next]!.at <= time) {
      const { shares, usd } = own[next++]!;
      held += shares;
      const worth = usd ?? (price === null ? null : Math.abs(Number(shares)) * price);
      flows.push(worth !== null && shares < 0n ? -worth : worth);
    }
    const value = held === 0n ? 0 : price === null ? null : Number(held) * price;
    return { value, flow: sumOf(flows) };
  });
  return {
    family,
    values: days.map(({ value }) => value),
    flows: days.map(({ flow }) => flow),
  };
}

/** Null if a part is unknown. */
function sumOf(parts: readonly (number | null)[]): number | null {
  return parts.reduce<number | null>(
    (sum, part) => (sum === null || part === null ? null : sum + part),
    0,
  );
}

function dayEnds(first: number, now: number): number[] {
  const times: number[] = [];
  for (let end = first - (first % DAY) + DAY - 1; end < now; end += DAY) times.push(end);
  return [...times, now];
}
