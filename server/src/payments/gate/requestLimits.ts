import { type CreateBuckets, createTokenBuckets, type Rate } from '../../domain/tokenBuckets.ts';
import type { DecodedPayment } from '../authorization/decode.ts';
import type { GateAnswer, PricedRequest } from './gateTypes.ts';

/**
 * Limits the requests of one payer. Payments sent to a chain are public, and prove nothing about the sender: they count
 * against the client, and never against the payer.
 */
export interface RequestLimits {
  of(request: PricedRequest, payment: DecodedPayment): RequestCount;
}

/** One request with a verified signature: it counts once for each of its calls, regardless of retries. */
export interface RequestCount {
  /** Returns the rejection if it exceeds the limit. */
  take(payment: 'new' | 'public'): GateAnswer | undefined;
  /** The chain has its payment, which the ledger did not have: it counts against the client instead. */
  takeAsPublic(): GateAnswer | undefined;
}

export function createRequestLimits(
  rate: Rate,
  createBuckets: CreateBuckets = (_, own) => createTokenBuckets(own),
): RequestLimits {
  const payers = createBuckets('payers', rate);
  const replays = createBuckets('replays', rate);

  return {
    of({ client, calls }, { authorization: { from } }) {
      let taken: 'new' | 'public' | undefined;
      return { take, takeAsPublic };

      function take(payment: 'new' | 'public'): GateAnswer | undefined {
        if (taken !== undefined) return undefined;
        // A redelivery is one read, regardless of how many calls were paid for.
        const [buckets, key, sender, count] =
          payment === 'new'
            ? ([payers, from, 'payer', calls] as const)
            : ([replays, client, 'client', 1] as const);
        const wait = buckets.take(key, performance.now(), count);
        if (wait !== undefined) return tooMany(sender, wait);
        taken = payment;
        return undefined;
      }

      function takeAsPublic(): GateAnswer | undefined {
        if (taken === 'new') {
          payers.give(from, calls);
          taken = undefined;
        }
        return take('public');
      }
    },
  };
}

function tooMany(sender: 'payer' | 'client', seconds: number): GateAnswer {
  const what = sender === 'payer' ? 'requests' : 'repeated requests';
  const detail = `more ${what} than one ${sender} may send; wait ${seconds} s`;
  return { kind: 'problem', status: 429, detail, retryAfterSeconds: seconds };
}
