/** A value of a series. */
export interface Point {
  readonly at: number;
  readonly value: bigint;
}

/** Millionths in one. */
export const PPM = 1_000_000n;

/** How far the newest value is below the highest, in ppm of the highest. Null without a value at the time. */
export function fallOf(points: readonly Point[]): bigint | null {
  const now = points.at(-1)?.value;
  if (now === undefined) return null;
  const highest = points.reduce((top, { value }) => (value > top ? value : top), now);
  // Nothing to measure against.
  return highest <= 0n ? null : ((highest - now) * PPM) / highest;
}

/** How far the newest value is from the lowest or the highest, in ppm of these; the larger of both. */
export function moveOf(points: readonly Point[]): bigint | null {
  const now = points.at(-1)?.value;
  if (now === undefined) return null;
  const fall = fallOf(points);
  const lowest = points.reduce((least, { value }) => (value < least ? value : least), now);
  // From zero, every rise is without a measure.
  const rise = lowest <= 0n ? null : ((now - lowest) * PPM) / lowest;
  if (fall === null || rise === null) return fall ?? rise;
  return fall > rise ? fall : rise;
}

/** How far a value is outside a band; negative inside, by the distance to the nearer side. */
export function distanceOutside(
  value: bigint,
  { low, high }: { readonly low: bigint | null; readonly high: bigint | null },
): bigint | null {
  const below = low === null ? null : low - value;
  const above = high === null ? null : value - high;
  if (below === null || above === null) return below ?? above;
  return below > above ? below : above;
}

/** The largest value, or zero if there are none. */
export function largestOf(points: readonly Point[]): bigint {
  return points.reduce((top, { value }) => (value > top ? value : top), 0n);
}

/** Calls `measure` with the points of (at − within, at] for each time. Both lists are in order of time. */
export function overWindows<Measured>(
  times: readonly number[],
  points: readonly Point[],
  within: number,
  measure: (window: readonly Point[], at: number) => Measured,
): Measured[] {
  let first = 0;
  let end = 0;
  return times.map((at) => {
    while (end < points.length && points[end]!.at <= at) end++;
    while (first < end && points[first]!.at <= at - within) first++;
    return measure(points.slice(first, end), at);
  });
}
