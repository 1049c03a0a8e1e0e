import { ratio } from '../amount.ts';
import { YEAR } from '../time.ts';

export interface PricePoint {
  readonly at: number;
  /** Base units for one whole share. */
  readonly price: bigint;
}

/**
 * Compound yearly rate between two share prices, as a fraction. Null when there is no span to measure or the
 * result is not a finite number: an absurd window must not become an absurd figure.
 */
export function apyBetween(from: PricePoint, to: PricePoint): number | null {
  const seconds = to.at - from.at;
  if (seconds <= 0 || from.price <= 0n || to.price <= 0n) return null;
  // log1p of the small difference keeps 1e-9 where a plain power of a ratio near 1 would not.
  const growth = Math.log1p(ratio(to.price - from.price, from.price));
  const apy = Math.expm1((growth * YEAR) / seconds);
  return Number.isFinite(apy) ? apy : null;
}
