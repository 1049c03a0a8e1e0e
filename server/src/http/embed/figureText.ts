import { writeDecimal } from '../../domain/decimalText.ts';

export const UNKNOWN = 'unknown';

const FRACTION_DIGITS = 6;

/** An amount for reading: large ones without a fraction, none rounded up. */
export function amountText(units: bigint, decimals: number, symbol: string): string {
  const [whole = '0', fraction = ''] = writeDecimal({ value: units, decimals }).split('.');
  const grouped = new Intl.NumberFormat('en-US').format(BigInt(whole));
  const digits = whole.length > 3 ? '' : fraction.slice(0, FRACTION_DIGITS).replace(/0+$/, '');
  const isTiny = whole === '0' && digits === '' && fraction !== '';
  if (isTiny) return `< 0.${'1'.padStart(FRACTION_DIGITS, '0')} ${symbol}`;
  return `${grouped}${digits && `.${digits}`} ${symbol}`;
}

export function percentText(fraction: number): string {
  return `${(fraction * 100).toFixed(2)}%`;
}

export function usdText(value: number): string {
  const maximumFractionDigits = value < 1_000 ? 2 : 0;
  return `$${new Intl.NumberFormat('en-US', { maximumFractionDigits }).format(value)}`;
}
