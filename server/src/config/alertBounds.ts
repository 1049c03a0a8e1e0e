import { type AlertKind, PPM_PER_PERCENT, unitOf } from '../domain/alerts/rule.ts';
import type { Decimal } from '../domain/amount.ts';
import { parseDecimal } from '../domain/decimalText.ts';

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** The keys that a kind requires, besides those that every alert can have. */
export const REQUIRED: Readonly<Partial<Record<AlertKind, 'by' | 'above'>>> = {
  'share-price-falls': 'by',
  'tvl-moves': 'by',
  'liquidity-moves': 'by',
  'large-deposit': 'above',
  'large-exit': 'above',
  'queue-above': 'above',
  'wait-above': 'above',
  'feed-stale': 'above',
  'oracle-stale': 'above',
  'chain-behind': 'above',
};

/** Whether changes or amounts of a kind are measured over a time. */
export function hasWindow(kind: AlertKind): boolean {
  const own: readonly AlertKind[] = ['large-deposit', 'large-exit', 'governance', 'grade-changed'];
  return REQUIRED[kind] === 'by' || own.includes(kind);
}

/** Seconds; undefined if the text is not a time. */
export function parseSeconds(text: unknown): number | undefined {
  const match = typeof text === 'string' ? /^(0|[1-9][0-9]{0,4})([smhd])$/.exec(text) : null;
  return match === null ? undefined : Number(match[1]) * UNIT_SECONDS[match[2]!]!;
}

/** A bound in the unit of a kind; of amounts, in the asset itself. Undefined if it has another form. */
export function parseBound(kind: AlertKind, value: unknown): Decimal | undefined {
  const unit = unitOf(kind);
  if (unit === 'seconds') {
    const seconds = parseSeconds(value);
    return seconds === undefined ? undefined : { value: BigInt(seconds), decimals: 0 };
  }
  if (unit === 'ppm') {
    if (typeof value !== 'string' || !value.endsWith('%')) return undefined;
    const percent = parseDecimal(value.slice(0, -1));
    if (percent === undefined) return undefined;
    const ppm = (percent.value * PPM_PER_PERCENT) / 10n ** BigInt(percent.decimals);
    return { value: ppm, decimals: 0 };
  }
  if (unit !== 'assets' || !['string', 'number'].includes(typeof value)) return undefined;
  return parseDecimal(String(value));
}

/** How a bound of a kind is written. */
export function boundExample(kind: AlertKind): string {
  const unit = unitOf(kind);
  if (unit === 'seconds') return 'a time such as 30m';
  if (unit === 'ppm') return 'a percentage such as 5%';
  return 'an amount of the base asset such as 250000';
}

/** Compares decimals of different scales: negative when `a` is smaller. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const left = a.value * 10n ** BigInt(b.decimals);
  const right = b.value * 10n ** BigInt(a.decimals);
  return left < right ? -1 : left > right ? 1 : 0;
}
