const MONTH = 2_629_746;

/** "12.3 million USD": rounded for reading, never for reckoning. */
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
  return `${trimZero((fraction * 100).toFixed(1))} %`;
}

/** Every unknown says the same two things. */
export function unknown(what: string): string {
  return `${what} not known; this counts against it.`;
}

/** The first band that a value reaches: bands run from the largest bound down, and the last one takes the rest. */
export function bandOf<B extends { readonly from: number }>(bands: readonly B[], value: number): B {
  return bands.find(({ from }) => value >= from) ?? bands.at(-1)!;
}

function trimZero(text: string): string {
  return text.endsWith('.0') ? text.slice(0, -2) : text;
}
