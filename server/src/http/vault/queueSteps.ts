import type { FamilyConfig } from '../../config/config.ts';
import { settledSteps } from '../../domain/vault/queueLevels.ts';
import type { QueueStep } from '../../domain/vault/waits.ts';
import { getQueueSteps } from '../../store/history/queueSteps.ts';
import { getQueueLevels } from '../../store/queues/queueLevels.ts';
import type { Queryable } from '../../store/store.ts';
import { KINDS } from '../../vaults/index.ts';

/** What happened in a family's queue after an instant, in order, whichever way its kind tells of it. */
export async function loadQueueSteps(
  db: Queryable,
  { slug, adapter }: FamilyConfig,
  after: number,
): Promise<readonly QueueStep[]> {
  // Only these vaults name in an event whom they pay.
  if (KINDS[adapter].queue === 'events') return getQueueSteps(db, slug, after);
  const [told, levels] = await Promise.all([
    getQueueSteps(db, slug, after),
    getQueueLevels(db, slug, after),
  ]);
  return settledSteps(told, levels);
}
