import type { ProviderClock } from './clock.ts';
import type { Profile } from './profile.ts';

export type Charge =
  | { readonly kind: 'charged' }
  | { readonly kind: 'rate'; readonly waitSeconds: number }
  | { readonly kind: 'quota' };

/** What a plan allows: a bucket of units for the rate, and a quota for the day or the month. */
export interface Budget {
  /** Takes the units of a call, or nothing if they exceed a limit. */
  charge(units: number): Charge;
  /** Units charged since the start. */
  used(): number;
}

export function createBudget(
  { rate, quota }: Pick<Profile, 'rate' | 'quota'>,
  clock: ProviderClock,
): Budget {
  let used = 0;
  let tokens = rate?.burst ?? 0;
  let refilledAt = clock.now();
  let penaltyUntil = Number.NEGATIVE_INFINITY;
  let period = '';
  let periodUsed = 0;

  function charge(units: number): Charge {
    const now = clock.now();
    const waitSeconds = findWait(units, now);
    if (waitSeconds > 0) return { kind: 'rate', waitSeconds };
    if (isQuotaSpent(units, now)) return { kind: 'quota' };
    tokens -= units;
    periodUsed += units;
    used += units;
    return { kind: 'charged' };
  }

  function findWait(units: number, now: number): number {
    if (rate === null) return 0;
    if (now < penaltyUntil) return penaltyUntil - now;
    tokens = Math.min(rate.burst, tokens + (now - refilledAt) * rate.perSecond);
    refilledAt = now;
    // A call that costs more than the bucket holds passes when it is full, and leaves a debt.
    const missing = Math.min(units, rate.burst) - tokens;
    if (missing <= 0) return 0;
    if (rate.penaltySeconds !== undefined) {
      penaltyUntil = now + rate.penaltySeconds;
      return rate.penaltySeconds;
    }
    return missing / rate.perSecond;
  }

  function isQuotaSpent(units: number, now: number): boolean {
    if (quota === undefined) return false;
    const current = new Date(now * 1000).toISOString().slice(0, quota.per === 'day' ? 10 : 7);
    if (current !== period) {
      period = current;
      periodUsed = 0;
    }
    return periodUsed + units > quota.units;
  }

  return { charge, used: () => used };
}
