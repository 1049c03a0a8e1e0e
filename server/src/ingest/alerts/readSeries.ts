import { type FamilySeries, WAIT_WINDOW } from '../../domain/alerts/observe.ts';
import type { AlertRule } from '../../domain/alerts/rule.ts';
import { settledSteps } from '../../domain/vault/queueLevels.ts';
import type { QueueStep } from '../../domain/vault/waits.ts';
import { watchedSeries } from '../../store/alerts/watchedSeries.ts';
import { getQueueSteps } from '../../store/history/queueSteps.ts';
import { getQueueLevels } from '../../store/queues/queueLevels.ts';
import type { Queryable } from '../../store/store.ts';
import { KINDS } from '../../vaults/index.ts';
import type { FamilyToWatch } from './watchedRules.ts';

export interface SeriesSpan {
  readonly after: number;
  readonly until: number;
}

/** Reads what the rules need: windows start before the first time to evaluate. */
export async function readSeries(
  db: Queryable,
  family: FamilyToWatch,
  rules: readonly AlertRule[],
  { after, until }: SeriesSpan,
): Promise<FamilySeries> {
  const has = (...kinds: AlertRule['kind'][]) => rules.some(({ kind }) => kinds.includes(kind));
  const from = after - Math.max(0, ...rules.map(({ within }) => within));
  const { familyId } = family;
  const [ticks, flows, queueSteps, governance] = await Promise.all([
    watchedSeries.getTicks(db, familyId, from, until),
    has('large-deposit', 'large-exit')
      ? watchedSeries.getFlows(db, familyId, from, until)
      : { deposits: [], exits: [] },
    has('wait-above') ? readSteps(db, family, after - WAIT_WINDOW, until) : [],
    has('governance') ? watchedSeries.getGovernanceTimes(db, familyId, from, until) : [],
  ]);
  return { ticks, ...flows, queueSteps, governance };
}

/** Steps of the redemption queue on every chain, in order of time. */
async function readSteps(
  db: Queryable,
  { family }: FamilyToWatch,
  after: number,
  until: number,
): Promise<QueueStep[]> {
  // Only the events of these vaults name the paid wallet.
  const isRecorded = KINDS[family.adapter].queue === 'events';
  const steps: QueueStep[] = [];
  for (const { chainId } of family.chains) {
    const span = { slug: family.slug, chainId, after, until };
    const recorded = await getQueueSteps(
      db,
      span,
      isRecorded ? ['redeem', 'cancel', 'withdraw'] : ['redeem', 'cancel'],
    );
    steps.push(
      ...(isRecorded
        ? recorded
        : settledSteps(recorded, await getQueueLevels(db, span), new Map())),
    );
  }
  return steps.sort((a, b) => a.at - b.at);
}
