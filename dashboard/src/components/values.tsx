import type { ComponentChildren } from 'preact';
import {
  exactAmount,
  exactUsd,
  percent,
  priceAmount,
  shortAmount,
  shortUsd,
} from '../format/amount.ts';
import { cleanText, shortAddress } from '../format/text.ts';
import { momentText, spanText } from '../format/time.ts';
import { useNow } from '../state/now.ts';

/** Data points arrive every few minutes; data older than this is stale. */
export const STALE_SECONDS = 900;

/** Shows a dash for an unknown value, and the reason as a tooltip. */
export function Unknown({ why }: { readonly why: string }) {
  return (
    <span class="unknown" title={why}>
      <span aria-hidden="true">–</span>
      <span class="sr">unknown: {why}</span>
    </span>
  );
}

export interface AmountProps {
  /** Null: unknown. */
  readonly units: bigint | null;
  readonly decimals: number;
  readonly symbol?: string;
  readonly why?: string;
  readonly kind?: 'short' | 'price';
}

export function Amount({ units, decimals, symbol, why, kind = 'short' }: AmountProps) {
  if (units === null) return <Unknown why={why ?? 'not reported by the server'} />;
  const unit = symbol === undefined ? '' : ` ${cleanText(symbol, 12)}`;
  const text = kind === 'price' ? priceAmount(units, decimals) : shortAmount(units, decimals);
  return (
    <data value={units.toString()} title={`${exactAmount(units, decimals)}${unit}`}>
      {text}
      {unit !== '' && <small class="unit">{unit}</small>}
    </data>
  );
}

export function Usd({
  value,
  why = 'no USD price for this time',
}: {
  readonly value: number | null;
  readonly why?: string;
}) {
  if (value === null) return <Unknown why={why} />;
  return (
    <data value={String(value)} title={exactUsd(value)}>
      {shortUsd(value)}
    </data>
  );
}

export function Percent({
  fraction,
  why = 'no share price for this period',
  digits = 2,
  isChange = false,
}: {
  readonly fraction: number | null;
  readonly why?: string;
  readonly digits?: number;
  /** Changes have a sign. */
  readonly isChange?: boolean;
}) {
  if (fraction === null) return <Unknown why={why} />;
  return (
    <data value={String(fraction)} title={percent(fraction, 6)}>
      {isChange && fraction > 0 && '+'}
      {percent(fraction, digits)}
    </data>
  );
}

/** Shows an untrusted name, such as that of a token. */
export function Name({ text, most = 48 }: { readonly text: string; readonly most?: number }) {
  return <bdi title={cleanText(text, 200)}>{cleanText(text, most) || '(no name)'}</bdi>;
}

export function Address({ value }: { readonly value: string }) {
  return (
    <code class="address" title={value}>
      {shortAddress(value)}
    </code>
  );
}

/** Shows the age of a timestamp, and its time as a tooltip. */
export function Age({ at, staleAfter = Infinity }: { readonly at: string; staleAfter?: number }) {
  const now = useNow();
  const ms = Date.parse(at);
  const seconds = (now - ms) / 1000;
  const stale = seconds > staleAfter;
  return (
    <time class={stale ? 'age old' : 'age'} dateTime={at} title={momentText(ms)}>
      {spanText(seconds)} ago
      {stale && <span class="sr"> (stale)</span>}
    </time>
  );
}

/** A value with its label. */
export function Figure({
  label,
  children,
  note,
}: {
  readonly label: string;
  readonly children: ComponentChildren;
  readonly note?: ComponentChildren;
}) {
  return (
    <div class="figure">
      <dt>{label}</dt>
      <dd>{children}</dd>
      {note !== undefined && <dd class="note">{note}</dd>}
    </div>
  );
}
