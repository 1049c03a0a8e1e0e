import type { FamilyConfig } from '../../config/config.ts';
import { DAY } from '../../domain/time.ts';
import { type HeldLevels, settledSteps } from '../../domain/vault/queueLevels.ts';
import type { QueueStep } from '../../domain/vault/waits.ts';
import { getQueueSteps, type QueueSpan } from '../../store/history/queueSteps.ts';
import { getQueueLevels } from '../../store/queues/queueLevels.ts';
import type { Queryable } from '../../store/store.ts';
import { KINDS } from '../../vaults/index.ts';

/** Of a long past so much is read in one go, while nobody else has the event loop. */
const PAGE_SECONDS = 30 * DAY;

/**
 * What happened in a family's queue on a chain, in order, whichever way its kind tells of it, a page at a time. `held`
 * is what wallets had waiting at the beginning, and at the end what they have then.
 */
export async function* readQueueSteps(
  db: Queryable,
  { slug, adapter }: FamilyConfig,
  span: Omit<QueueSpan, 'slug'>,
  held: HeldLevels,
): AsyncGenerator<readonly QueueStep[]> {
  // Only these vaults name in an event whom they pay.
  const isTold = KINDS[adapter].queue === 'events';
  const types = isTold
    ? (['redeem', 'cancel', 'withdraw'] as const)
    : (['redeem', 'cancel'] as const);
  const levels = isTold ? [] : await getQueueLevels(db, { slug, ...span });
  let next = 0;
  for (let after = span.after; after < span.until; after += PAGE_SECONDS) {
    const until = Math.min(span.until, after + PAGE_SECONDS);
    const told = await getQueueSteps(db, { slug, chainId: span.chainId, after, until }, types);
    const first = next;
    while (next < levels.length && levels[next]!.at <= until) next++;
    yield isTold ? told : settledSteps(told, levels.slice(first, next), held);
  }
}
