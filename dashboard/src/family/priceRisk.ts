/** A share price at a time. */
export interface PricePoint {
  readonly at: string;
  readonly value: bigint;
}

/** A fall from the highest price before it to the lowest one after. */
export interface Drawdown {
  /** From 0 to 1; 0 if the price never fell. */
  readonly fraction: number;
  /** When the price was highest, and when it was lowest afterwards. */
  readonly from: string;
  readonly to: string;
}

/** Returns the largest fall of a share price; null with less than two points. */
export function largestDrawdown(points: readonly PricePoint[]): Drawdown | null {
  const [first] = points;
  if (first === undefined || points.length < 2) return null;
  let peak = first;
  let worst: Drawdown = { fraction: 0, from: first.at, to: first.at };
  for (const point of points) {
    if (point.value >= peak.value) peak = point;
    else {
      const fall = Number(((peak.value - point.value) * 1_000_000_000n) / peak.value) / 1e9;
      if (fall > worst.fraction) worst = { fraction: fall, from: peak.at, to: point.at };
    }
  }
  return worst;
}

const DAY_MS = 86_400_000;
const DAYS_PER_YEAR = 365;
/** A deviation of fewer changes says little. */
const MIN_CHANGES = 7;

/**
 * Returns the standard deviation of the changes of a share price, per year, as a fraction. A change over several days counts
 * by the root of their number. Null with fewer than eight points.
 */
export function yearlyVolatility(points: readonly PricePoint[]): number | null {
  const changes = points.slice(1).flatMap(({ at, value }, index) => {
    const before = points[index]!;
    const days = (Date.parse(at) - Date.parse(before.at)) / DAY_MS;
    if (days <= 0 || before.value <= 0n || value <= 0n) return [];
    return [Math.log(Number(value) / Number(before.value)) / Math.sqrt(days)];
  });
  if (changes.length < MIN_CHANGES) return null;
  const mean = changes.reduce((sum, change) => sum + change, 0) / changes.length;
  const squares = changes.reduce((sum, change) => sum + (change - mean) ** 2, 0);
  return Math.sqrt((squares / (changes.length - 1)) * DAYS_PER_YEAR);
}
