import { pathOf } from '../pay/allow.ts';
import type { OpenPayment, PaymentRecord, PaymentTerms, SpendState } from '../pay/store.ts';
import { failure } from '../wire/errors.ts';

/** A spending cap for some requests. */
export interface Limit {
  /** Absent: any. */
  readonly host?: string | undefined;
  /** Absent: any. */
  readonly path?: string | undefined;
  /** Length of the period in seconds; 0: one call. Absent: total. */
  readonly seconds?: number | undefined;
  readonly amount: bigint;
}

/** Returns the payments that can cost more after a change than before it. */
export function grownIn(before: SpendState | undefined, after: SpendState): readonly OpenPayment[] {
  const was = new Map(before?.open.map((one) => [one.id, one]));
  return after.open.filter(({ id, amount, validBefore }) => {
    const one = was.get(id);
    return !one || BigInt(amount) > BigInt(one.amount) || validBefore > one.validBefore;
  });
}

/** Throws `over_cap` if a payment exceeds a limit, counting spent and open payments. */
export function checkLimits(
  limits: readonly Limit[],
  payment: OpenPayment,
  open: readonly OpenPayment[],
  records: readonly PaymentRecord[],
  now: number,
): void {
  const asked = BigInt(payment.amount);
  for (const limit of limits.filter((one) => covers(one, payment))) {
    const { seconds, amount } = limit;
    const since = seconds === undefined ? Number.NEGATIVE_INFINITY : now - seconds;
    const counted: readonly PaymentTerms[] =
      seconds === 0
        ? []
        : [
            ...records.filter(({ at, outcome }) => at > since && outcome !== 'written-off'),
            // A payment that expired before the period began was not charged in it.
            ...open.filter(({ id, validBefore }) => id !== payment.id && validBefore > since),
          ];
    const used = sumOf(counted.filter((one) => covers(limit, one)));
    if (used + asked <= amount) continue;
    const where = `${limit.host ?? ''}${limit.path ?? ''}`;
    const text = `${payment.host} asks for ${asked}, but the policy allows ${amount} for ${where}, of which ${used} is used.`;
    throw failure('over_cap', text, { cap: 'limit', limit: amount, used, asked });
  }
}

export function sumOf(payments: readonly Pick<PaymentTerms, 'amount'>[]): bigint {
  return payments.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
}

/** Returns whether a limit covers a request, regardless of how its path is encoded. */
function covers({ host, path }: Limit, { url }: Pick<PaymentTerms, 'url'>): boolean {
  const asked = new URL(url);
  if (host !== undefined && host !== asked.host) return false;
  if (path === undefined) return true;
  const found = pathOf(asked.pathname).join('/');
  return path.endsWith('*') ? found.startsWith(path.slice(0, -1)) : found === path;
}
