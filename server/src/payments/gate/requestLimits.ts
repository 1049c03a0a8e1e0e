import { type CreateBuckets, createTokenBuckets, type Rate } from '../../domain/tokenBuckets.ts';
import type { DecodedPayment } from '../authorization/decode.ts';
import type { GateAnswer, PricedRequest } from './gateTypes.ts';

/**
 * How much one payer may send. What was sent to a chain is public, and proves nothing of who sends it here: it counts
 * against that client and that payment, and never against the payer.
 */
export interface RequestLimits {
  of(request: PricedRequest, payment: DecodedPayment): RequestCount;
}

/** One request with a proven signature: it counts once, however often it is tried. */
export interface RequestCount {
  /** Whether its payer may send nothing new now; nothing is counted. */
  isFull(): boolean;
  /** What it is told when it is one too many. */
  take(payment: 'new' | 'public'): GateAnswer | undefined;
}

export function createRequestLimits(
  rate: Rate,
  createBuckets: CreateBuckets = (_, own) => createTokenBuckets(own),
): RequestLimits {
  const payers = createBuckets('payers', rate);
  const replays = createBuckets('replays', rate);

  return {
    of({ client }, { authorization: { from, nonce } }) {
      let taken = false;
      return {
        isFull: () => !taken && payers.wait(from, performance.now()) !== undefined,
        take(payment) {
          if (taken) return undefined;
          const wait =
            payment === 'new'
              ? payers.take(from, performance.now())
              : replays.take(`${client} ${from} ${nonce}`, performance.now());
          taken = wait === undefined;
          return taken ? undefined : tooMany(wait!);
        },
      };
    },
  };
}

function tooMany(seconds: number): GateAnswer {
  const detail = `more requests than one payer may send; wait ${seconds} s`;
  return { kind: 'problem', status: 429, detail, retryAfterSeconds: seconds };
}
