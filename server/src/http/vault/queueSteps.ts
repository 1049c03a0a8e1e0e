import type { FamilyConfig } from '../../config/config.ts';
import { DAY } from '../../domain/time.ts';
import { type HeldLevels, settledSteps } from '../../domain/vault/queueLevels.ts';
import type { QueueStep } from '../../domain/vault/waits.ts';
import { getQueueSteps, type QueueSpan } from '../../store/history/queueSteps.ts';
import { getQueueLevels } from '../../store/queues/queueLevels.ts';
import type { Queryable } from '../../store/store.ts';
import { KINDS } from '../../vaults/index.ts';

/** Page size: limits how long the event loop is blocked. */
const PAGE_SECONDS = 30 * DAY;

/**
 * Returns the events of a family's queue on a chain, in order, for any vault kind, a page at a time. `held` is the
 * pending amount of each wallet, updated to the end of the page.
 */
export async function* readQueueSteps(
  db: Queryable,
  { slug, adapter }: FamilyConfig,
  span: Omit<QueueSpan, 'slug'>,
  held: HeldLevels,
): AsyncGenerator<readonly QueueStep[]> {
  // Only the events of these vaults name the paid wallet.
  const namesWallet = KINDS[adapter].queue === 'events';
  const types = namesWallet
    ? (['redeem', 'cancel', 'withdraw'] as const)
    : (['redeem', 'cancel'] as const);
  const levels = namesWallet ? [] : await getQueueLevels(db, { slug, ...span });
  let next = 0;
  for (let after = span.after; after < span.until; after += PAGE_SECONDS) {
    const until = Math.min(span.until, after + PAGE_SECONDS);
    const steps = await getQueueSteps(db, { slug, chainId: span.chainId, after, until }, types);
    const first = next;
    while (next < levels.length && levels[next]!.at <= until) next++;
    yield namesWallet ? steps : settledSteps(steps, levels.slice(first, next), held);
  }
}
