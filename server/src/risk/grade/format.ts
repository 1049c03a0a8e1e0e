const MONTH = 2_629_746;

/** "12.3 million USD": rounded for display only. */
export function money(usd: number): string {
  const [size, name] =
    usd >= 999.95e6 ? [1e9, ' billion'] : usd >= 999.95e3 ? [1e6, ' million'] : [1, ''];
  const rounded = size === 1 ? Math.round(usd).toString() : trimZero((usd / size).toFixed(1));
  return `${rounded}${name} USD`;
}

export function months(seconds: number): number {
  return Math.max(0, seconds / MONTH);
}

export function age(seconds: number): string {
  const whole = Math.floor(months(seconds));
  if (whole < 1) return 'less than a month';
  if (whole < 24) return count(whole, 'month');
  return `${Math.floor(whole / 12)} years`;
}

export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

export function percent(fraction: number): string {
  return `${trimZero((fraction * 100).toFixed(1))}%`;
}

/** Every unknown says the same two things. */
export function unknown(what: string): string {
  return `${what} not known; this counts against it.`;
}

/**
 * Returns the first band that a value reaches. Bands are in descending order; the last one takes the remaining values.
 */
export function bandOf<B extends { readonly from: number }>(bands: readonly B[], value: number): B {
  return bands.find(({ from }) => value >= from) ?? bands.at(-1)!;
}

/** A share of one row in an interpolated table. */
export interface Share<Band> {
  readonly band: Band;
  readonly share: number;
}

/** Returns the two knots around a position, weighted by distance; beyond the ends, the end. */
export function betweenKnots<Band>(knots: readonly Band[], place: number): Share<Band>[] {
  const last = knots.length - 1;
  const inside = Math.min(last, Math.max(0, place));
  const below = Math.min(last - 1, Math.floor(inside));
  const share = inside - below;
  return [
    { band: knots[below]!, share: 1 - share },
    { band: knots[below + 1]!, share },
  ];
}

/** Interpolates a table between its rows, on a log scale. */
export function atShares<Band extends string>(
  shares: readonly Share<Band>[],
  table: Readonly<Record<Band, number>>,
): number {
  return Math.exp(shares.reduce((sum, { band, share }) => sum + share * Math.log(table[band]), 0));
}

/** Describes the effect of a factor without numbers, which are only on the page of the method. */
export function cost(times: number): string {
  if (times >= 1.9) return '; this counts much against it';
  if (times > 1.05) return '; this counts against it';
  return times < 0.95 ? '; this counts for it' : '';
}

function trimZero(text: string): string {
  return text.endsWith('.0') ? text.slice(0, -2) : text;
}
