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
  /** One per day; null without a price. */
  readonly values: readonly (number | null)[];
}

export interface WalletValues {
  /** Unix seconds of the ends of days; the last is now. */
  readonly times: readonly number[];
  readonly families: readonly FamilyValues[];
  /** The sum, with what came in and went out. */
  readonly days: readonly ValueDay[];
  /** Families without a price on a day when the wallet held them: the sum does not include them. */
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
    .map(({ family, points }) => {
      const own = moves.filter((move) => move.family === family).sort((a, b) => a.at - b.at);
      const priceAt = times.map((time) => points.findLast(({ at }) => at <= time)?.usdPerShare);
      let next = 0;
      let held = 0n;
      const flows: number[] = [];
      const values = times.map((time, index) => {
        let flow = 0;
        const price = priceAt[index] ?? null;
        while (next < own.length && own[next]!.at <= time) {
          const { shares, usd } = own[next++]!;
          held += shares;
          const worth = usd ?? (price === null ? 0 : Math.abs(Number(shares)) * price);
          flow += shares < 0n ? -worth : worth;
        }
        flows.push(flow);
        if (held === 0n) return 0;
        return price === null ? null : Number(held) * price;
      });
      return { family, values, flows };
    });
  const unpriced = families.filter(({ values }) => values.includes(null));
  const priced = families.filter((one) => !unpriced.includes(one));
  return {
    times,
    families: priced.map(({ family, values }) => ({ family, values })),
    days: times.map((at, index) => ({
      at,
      value: priced.reduce((sum, { values }) => sum + (values[index] ?? 0), 0),
      flow: priced.reduce((sum, { flows }) => sum + flows[index]!, 0),
    })),
    unpriced: unpriced.map(({ family }) => family),
  };
}

function dayEnds(first: number, now: number): number[] {
  const times: number[] = [];
  for (let end = first - (first % DAY) + DAY - 1; end < now; end += DAY) times.push(end);
  return [...times, now];
}
