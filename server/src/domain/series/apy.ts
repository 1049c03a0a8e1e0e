import { ratio } from '../amount.ts';
import { YEAR } from '../time.ts';
import type { Ratio } from '../vault/ratio.ts';

/** What shares were worth at an instant. */
export interface PricePoint extends Ratio {
  readonly at: number;
}

/**
 * Compound yearly rate between two share prices, as a fraction. Null when there is no span to measure or the
 * result is not a finite number: an absurd window must not become an absurd figure.
 */
export function apyBetween(from: PricePoint, to: PricePoint): number | null {
  const seconds = to.at - from.at;
  // Both for the same number of shares, so that they compare.
  const before = from.assets * to.shares;
  const after = to.assets * from.shares;
  if (seconds <= 0 || before <= 0n || after <= 0n) return null;
  // log1p of the small difference keeps 1e-9 where a plain power of a ratio near 1 would not.
  const growth = Math.log1p(ratio(after - before, before));
  const apy = Math.expm1((growth * YEAR) / seconds);
  return Number.isFinite(apy) ? apy : null;
}
