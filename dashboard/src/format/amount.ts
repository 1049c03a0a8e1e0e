/** Formats base units as an exact decimal: 1234500 with 6 decimals is 1.2345. */
export function decimalText(units: bigint, decimals: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const rest = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return `${units < 0n ? '-' : ''}${whole}${rest === '' ? '' : `.${rest}`}`;
}

/** Converts base units to a number. Only for charts and bars, where rounding is smaller than a pixel. */
export function toNumber(units: bigint, decimals: number): number {
  return Number(decimalText(units, decimals));
}

/** Returns a fraction from 0 to 1, rounded down to six digits. */
export function ratio(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number((part * 1_000_000n) / whole) / 1_000_000;
}

const formats = new Map<string, Intl.NumberFormat>();

function formatOf(key: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.NumberFormat(undefined, options);
    formats.set(key, format);
  }
  return format;
}

/** Formats all digits in the user's locale. */
export function exactAmount(units: bigint, decimals: number, least = 0): string {
  const format = formatOf(`exact${decimals} ${least}`, {
    minimumFractionDigits: least,
    maximumFractionDigits: Math.min(decimals, 100),
  });
  return format.format(decimalText(units, decimals) as Intl.StringNumericLiteral);
}

/** Formats a number as 4.51K or 12.3M. */
export function shortNumber(value: number | Intl.StringNumericLiteral): string {
  return formatOf('compact', { notation: 'compact', maximumFractionDigits: 2 }).format(value);
}

/** Formats an amount as 12.3M, 4,512, 42.25, or 0.00042. */
export function shortAmount(units: bigint, decimals: number): string {
  const text = decimalText(units, decimals) as Intl.StringNumericLiteral;
  const size = Math.abs(Number(text));
  if (size >= 1_000_000) return shortNumber(text);
  if (size >= 1 || size === 0) {
    const maximumFractionDigits = size >= 1000 ? 0 : 2;
    return formatOf(`plain${maximumFractionDigits}`, { maximumFractionDigits }).format(text);
  }
  return formatOf('small', { maximumSignificantDigits: 3 }).format(text);
}

/** Formats a share price with enough decimals to show small changes. */
export function priceAmount(units: bigint, decimals: number): string {
  const digits = Math.min(decimals, 6);
  const format = formatOf(`price${digits}`, {
    minimumFractionDigits: Math.min(4, digits),
    maximumFractionDigits: digits,
  });
  return format.format(decimalText(units, decimals) as Intl.StringNumericLiteral);
}

export function shortUsd(value: number): string {
  const big = Math.abs(value) >= 1_000_000;
  return formatOf(big ? 'usdBig' : 'usd', {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    ...(big
      ? { notation: 'compact', maximumFractionDigits: 2 }
      : { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
  }).format(value);
}

export function exactUsd(value: number): string {
  return formatOf('usdExact', {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: 2,
    maximumFractionDigits: 8,
  }).format(value);
}

/** Formats a fraction as a percentage. */
export function percent(fraction: number, digits = 2): string {
  return formatOf(`percent${digits}`, {
    style: 'percent',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(fraction);
}

export function plainNumber(value: number, digits = 2): string {
  return formatOf(`number${digits}`, { maximumFractionDigits: digits }).format(value);
}
