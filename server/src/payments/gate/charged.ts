import type { DecodedPayment } from '../authorization/decode.ts';
import type { Unrecorded } from '../settlement/unrecorded.ts';
import { Crowded, type FairSemaphore } from './fairSemaphore.ts';
import type { GateAnswer, PricedRequest } from './gateTypes.ts';
import { chargedBefore, open } from './refusals.ts';

/** Checks on chain whether a payment without a ledger record was charged; undefined if it was not. */
export type FindCharged = (
  request: PricedRequest,
  payment: DecodedPayment,
) => Promise<GateAnswer | undefined>;

export function createFindCharged(deps: {
  readonly unrecorded: Pick<Unrecorded, 'find'>;
  readonly newPayers: FairSemaphore;
  readonly onError: (error: unknown) => void;
}): FindCharged {
  return async ({ client }, { authorization }) => {
    try {
      const found = await deps.newPayers.run(client, () => deps.unrecorded.find(authorization));
      if (found === 'found') return chargedBefore();
      return found === 'known' ? open() : undefined;
    } catch (error) {
      // The response must not claim that nothing was charged.
      if (!(error instanceof Crowded)) deps.onError(error);
      return open();
    }
  };
}
