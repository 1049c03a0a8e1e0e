import { writeDecimal } from '../decimalText.ts';
import { type AlertKind, unitOf } from './rule.ts';

/** One transition of an alert, with what a message says about it. */
export interface AlertNotice {
  readonly name: string;
  readonly kind: AlertKind;
  readonly family: string;
  /** For example "base". */
  readonly chain: string;
  readonly status: 'fired' | 'cleared' | 'retracted';
  readonly at: number;
  /** When it was found; null: unknown. */
  readonly announcedAt: number | null;
  readonly value: bigint;
  readonly bound: bigint;
  readonly asset: { readonly decimals: number; readonly symbol: string } | null;
}

/** What the value of each kind is. */
const MEASURED: Readonly<Record<AlertKind, string>> = {
  'share-price-falls': 'share price fell by',
  'tvl-moves': 'TVL moved by',
  'liquidity-moves': 'available liquidity moved by',
  'large-deposit': 'largest deposit:',
  'large-exit': 'largest redemption:',
  'queue-above': 'redemption queue:',
  'wait-above': 'longest wait:',
  'apy-outside': 'APY is outside its band by',
  'feed-stale': 'age of the price:',
  'oracle-stale': 'age of the published share price:',
  'chain-behind': 'age of the newest indexed block:',
  gap: 'time that gaps cover:',
  'grade-changed': 'number of grade changes:',
  governance: 'number of governance changes:',
};

const PPM_DECIMALS = 4;
/** Longer than the data points of reachable chains take. */
const LATE_SECONDS = 1_800;

/** For example "1.25%" or "90m". */
export function valueText(
  kind: AlertKind,
  value: bigint,
  asset: AlertNotice['asset'] = null,
): string {
  switch (unitOf(kind)) {
    case 'ppm':
      return `${writeDecimal({ value, decimals: PPM_DECIMALS })}%`;
    case 'assets':
      if (asset === null) return `${value} base units`;
      return `${writeDecimal({ value, decimals: asset.decimals })} ${asset.symbol}`;
    case 'seconds':
      return durationText(Number(value));
    default:
      return value.toString();
  }
}

/** One line without markup. */
export function noticeText(notice: AlertNotice): string {
  const { name, kind, family, chain, status, at, value, bound, asset } = notice;
  const measured = `${MEASURED[kind]} ${valueText(kind, value, asset)}`;
  const limit = kind === 'apy-outside' ? '' : ` (bound ${valueText(kind, bound, asset)})`;
  const time = new Date(at * 1000).toISOString();
  return `${name} ${status}: ${family} on ${chain}, ${measured}${limit}, at ${time}${lateText(notice)}`;
}

/** For example ", reported 3h late". */
function lateText({ status, at, announcedAt }: AlertNotice): string {
  const late = announcedAt === null || status === 'retracted' ? 0 : announcedAt - at;
  if (late < LATE_SECONDS) return '';
  const unit = late < 2 * 3_600 ? 60 : late < 2 * 86_400 ? 3_600 : 86_400;
  return `, reported ${durationText(late - (late % unit))} late`;
}

function durationText(seconds: number): string {
  const units = [
    ['d', 86_400],
    ['h', 3_600],
    ['m', 60],
  ] as const;
  for (const [unit, size] of units) {
    if (seconds >= size && seconds % size === 0) return `${seconds / size}${unit}`;
  }
  return `${seconds}s`;
}
