/** A day of a wallet, in USD. */
export interface ValueDay {
  /** Unix seconds, at the end of the day or now. */
  readonly at: number;
  /** Null without a price. */
  readonly value: number | null;
  /** What came in during the day minus what went out. */
  readonly flow: number;
}

export interface Returns {
  /** What the wallet has and got out, minus what it put in; null if its newest value is unknown. */
  readonly resultUsd: number | null;
  /** Growth of one dollar that was held all the time, as a fraction; null without any. */
  readonly timeWeighted: number | null;
  /** The yearly rate at which the flows grow to the value; null if there is none. */
  readonly moneyWeighted: number | null;
}

const YEAR_SECONDS = 31_536_000;
/** A yearly rate says nothing about less than a week. */
const MIN_SECONDS = 604_800;

/** Measures a result in three ways. The value before the first day counts as put in on that day. */
export function returnsOf(days: readonly ValueDay[]): Returns {
  const flows = days.reduce((sum, { flow }) => sum + flow, 0);
  const value = days.length === 0 ? 0 : days.at(-1)!.value;
  return {
    resultUsd: value === null ? null : value - flows,
    timeWeighted: timeWeighted(days),
    moneyWeighted: moneyWeighted(days),
  };
}

/**
 * Multiplies the growth of each day. What comes in is there from the start of its day, so that it cannot look like growth.
 * Days without a value are one long day with the next that has one.
 */
function timeWeighted(days: readonly ValueDay[]): number | null {
  let growth = 1;
  let isKnown = false;
  let before = 0;
  let earlier = 0;
  for (const day of days) {
    const { value } = day;
    const flow = earlier + day.flow;
    earlier = value === null ? flow : 0;
    if (value === null) continue;
    const base = flow > 0 ? before + flow : before;
    const after = flow < 0 ? value - flow : value;
    if (base > 0) {
      growth *= after / base;
      isKnown = true;
    }
    before = value;
  }
  return isKnown ? growth - 1 : null;
}

/** Finds the rate by bisection: a higher rate makes earlier flows grow more. */
function moneyWeighted(days: readonly ValueDay[]): number | null {
  const first = days.find(({ flow }) => flow !== 0);
  const last = days.at(-1);
  if (first === undefined || last === undefined || last.at - first.at < MIN_SECONDS) return null;
  const { at: end, value } = last;
  if (value === null) return null;
  const gap = (rate: number) =>
    days.reduce((sum, { at, flow }) => sum + flow * (1 + rate) ** ((end - at) / YEAR_SECONDS), 0) -
    value;
  let [low, high] = [-0.9999, 100];
  if (gap(low) > 0 || gap(high) < 0) return null;
  for (let step = 0; step < 100; step++) {
    const middle = (low + high) / 2;
    if (gap(middle) > 0) high = middle;
    else low = middle;
  }
  return (low + high) / 2;
}

/** Null: a value without a price at the start or the end of the year. */
export interface ValueYear {
  readonly year: number;
  readonly start: number | null;
  readonly flow: number;
  readonly end: number | null;
  readonly result: number | null;
}

/** Splits the days at calendar years, in UTC. */
export function yearsOf(days: readonly ValueDay[]): ValueYear[] {
  const years = new Map<number, ValueYear>();
  let before: number | null = 0;
  for (const { at, value, flow } of days) {
    const year = new Date(at * 1000).getUTCFullYear();
    const known: ValueYear = years.get(year) ?? {
      ...{ year, start: before, flow: 0, end: 0, result: 0 },
    };
    const sum = known.flow + flow;
    const result = value === null || known.start === null ? null : value - known.start - sum;
    years.set(year, { ...known, flow: sum, end: value, result });
    before = value;
  }
  return [...years.values()];
}
