import type { AlertListAlert, AlertListRecent } from '@assay/client';
import { plainNumber, shortAmount } from '../format/amount.ts';
import { cleanText } from '../format/text.ts';
import { spanText } from '../format/time.ts';

/** What each kind of alert measures. */
const KINDS: Readonly<Record<AlertListAlert['kind'], string>> = {
  'share-price-falls': 'fall of the share price',
  'tvl-moves': 'move of TVL',
  'liquidity-moves': 'move of idle assets',
  'large-deposit': 'largest deposit',
  'large-exit': 'largest redemption',
  'queue-above': 'pending redemptions',
  'wait-above': 'age of the oldest redemption request',
  'apy-outside': 'APY outside its band',
  'feed-stale': 'age of the USD price',
  'oracle-stale': 'age of the published share price',
  'chain-behind': 'age of the newest indexed block',
  gap: 'missing data',
  'grade-changed': 'risk grade',
  governance: 'governance changes',
};

export function alertKindText(kind: AlertListAlert['kind']): string {
  return KINDS[kind] ?? cleanText(kind, 40);
}

/** Formats a measured value with its unit; an amount needs the base asset. */
export function alertValueText(
  value: string,
  unit: AlertListRecent['unit'],
  asset: { readonly decimals: number; readonly symbol: string } | null,
): string {
  if (unit === 'percent') return `${plainNumber(Number(value), 4)}%`;
  if (unit === 'seconds') return spanText(Number(value));
  if (unit === 'count') return plainNumber(Number(value));
  if (asset === null) return `${value} base units`;
  return `${shortAmount(BigInt(value), asset.decimals)} ${cleanText(asset.symbol, 12)}`;
}
