import type { Ledger } from '../ledger/ledger.ts';
import type { Attempt } from './attempt.ts';
import type { GateAnswer } from './gateTypes.ts';
import { isAbandoned, isActive } from './paymentState.ts';
import type { Redelivery } from './redelivery.ts';
import { unlessUncharged } from './refusals.ts';

/** Payments that cannot be claimed now, and that an earlier request may have made. */
export interface KnownPayments {
  /**
   * Delivers payments that were made in time, at the price and to the recipient of that time; otherwise responds as
   * given. `isPublic`: a chain may have it, so that it counts against the client.
   */
  deliverOr(
    attempt: Attempt,
    isPublic: boolean,
    otherwise: () => GateAnswer | Promise<GateAnswer>,
  ): Promise<GateAnswer>;
}

export function createKnownPayments(deps: {
  readonly ledger: Pick<Ledger, 'find'>;
  readonly redelivery: Redelivery;
  /** Unix seconds. */
  readonly now: () => number;
}): KnownPayments {
  const { ledger, now } = deps;
  const { redeliver, checkLateSettlement } = deps.redelivery;
  return { deliverOr };

  async function deliverOr(
    { request, payment, key, price, until, count }: Attempt,
    isPublic: boolean,
    otherwise: () => GateAnswer | Promise<GateAnswer>,
  ): Promise<GateAnswer> {
    const row = await ledger.find(key);
    const tooMany = count.take(isPublic || row?.sent ? 'public' : 'new');
    if (tooMany !== undefined) return tooMany;
    if (!isActive(row, now())) return otherwise();
    const options = { price, until };
    const found =
      row.state !== 'found' && isAbandoned(row, now())
        ? await checkLateSettlement(request, payment, row, options)
        : await redeliver(request, payment, row, options);
    return found ?? unlessUncharged(await otherwise());
  }
}
