import { type CreateBuckets, createTokenBuckets, type Rate } from '../../domain/tokenBuckets.ts';
import { createFairSemaphore, type FairSemaphore } from './fairSemaphore.ts';

/** Concurrent work for keys that never paid; the rest waits. */
const MAX_AT_ONCE = 8;
/** Keys are free to create: above this number, the client with the most waiting is rejected. */
const MAX_WAITING = 200;

/**
 * Creates the queue for the RPC requests of keys that never paid: signatures of contract wallets and first
 * verifications. The rate bounds RPC requests and CPU in total, across the processes that share the buckets; clients
 * take turns.
 */
export function createNewPayers(
  rate: Rate,
  createBuckets: CreateBuckets = (_, own) => createTokenBuckets(own),
): FairSemaphore {
  const buckets = createBuckets('new payers', rate);
  const pace = {
    take: () => buckets.take('all', performance.now()) === undefined,
    everyMs: Math.ceil(1_000 / rate.perSecond),
  };
  return createFairSemaphore({
    atOnce: MAX_AT_ONCE,
    maxWaiting: MAX_WAITING,
    ...(rate.perSecond > 0 && { pace }),
  });
}
