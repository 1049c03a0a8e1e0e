import type { Transition } from '../../domain/alerts/evaluate.ts';
import { type AlertResult, alerts } from '../../store/alerts/alerts.ts';
import { watchedSeries } from '../../store/alerts/watchedSeries.ts';
import { families } from '../../store/families/families.ts';
import type { Leadership, Queryable, Store } from '../../store/store.ts';
import type { AlertWake } from './alertWake.ts';
import { clockedFamilies, evaluateClocks } from './clockAlerts.ts';
import { evaluateSeries } from './evaluateFamily.ts';
import type { FamilyToWatch } from './watchedRules.ts';

/** An alert that fired or cleared. */
export interface AlertNews extends Transition {
  readonly name: string;
  readonly family: string;
  readonly chainId: number;
}

export interface AlertLoopDeps {
  readonly store: Store;
  readonly leadership: Leadership;
  /** The chain that this process leads. */
  readonly chainId: number;
  /** Every chain with an RPC URL. */
  readonly readChainIds: readonly number[];
  /** Families with alerts, of all chains. */
  readonly watched: readonly FamilyToWatch[];
  readonly wake: AlertWake;
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly onNews: (news: AlertNews) => void;
  /** A stored transition does not hold with the data of a chain that was unreachable before. */
  readonly onCorrected: (alert: Omit<AlertNews, keyof Transition>) => void;
  readonly onError: (error: unknown) => void;
}

const CLOCK_MS = 10_000;
/** Longer than it takes to read the head of a chain, or to find that it is unreachable. */
const START_SECONDS = 60;
/** Families that one transaction evaluates: their rows are locked meanwhile. */
const BATCH = 20;

/** Evaluates the alerts of a chain's families after its commits, in the session of its leader. Families that are not live are left out. */
export async function runAlerts(deps: AlertLoopDeps): Promise<void> {
  const { chainId, wake, signal } = deps;
  const own = deps.watched.filter(({ family }) =>
    family.chains.some((chain) => chain.chainId === chainId),
  );
  if (own.length === 0) return;
  const clocked = clockedFamilies(own, chainId);
  const byId = new Map(own.map((family) => [family.familyId, family]));
  /** Families that were not live when they were due, all of them at first. */
  let later = new Set(byId.keys());
  let clockAt = 0;
  const startedAt = deps.now();
  while (!signal.aborted) {
    try {
      const due = new Set([...wake.take(), ...later]);
      later = await evaluateAll([...due].flatMap((id) => byId.get(id) ?? []));
      if (performance.now() >= clockAt) {
        await checkClock();
        clockAt = performance.now() + CLOCK_MS;
      }
    } catch (error) {
      if (!signal.aborted) deps.onError(error);
      later = new Set(byId.keys());
    }
    await wake.wait(CLOCK_MS, signal);
  }

  /** Returns the families that are not live. */
  async function evaluateAll(due: readonly FamilyToWatch[]): Promise<Set<number>> {
    const skipped = new Set<number>();
    const left = [...due];
    while (left.length > 0 && !signal.aborted) {
      const batch = left.splice(0, BATCH);
      const ids = batch.map(({ familyId }) => familyId);
      const results = await deps.leadership.transaction(async (tx) => {
        // A reorg or another chain's fold must not change the ticks meanwhile.
        await families.lock(tx, ids);
        const { found, unfinished } = await evaluateBatch(tx, batch, skipped);
        await alerts.save(tx, found, deps.now());
        await finalize(tx, batch);
        left.push(...unfinished);
        return found;
      });
      tell(results);
    }
    return skipped;
  }

  async function evaluateBatch(
    tx: Queryable,
    batch: readonly FamilyToWatch[],
    skipped: Set<number>,
  ): Promise<{ found: AlertResult[]; unfinished: FamilyToWatch[] }> {
    const ids = batch.map(({ familyId }) => familyId);
    const rows = await watchedSeries.getFamilies(tx, ids, deps.readChainIds);
    const known = await alerts.getOfFamilies(tx, ids);
    const found: AlertResult[] = [];
    const unfinished: FamilyToWatch[] = [];
    for (const row of rows) {
      const { familyId } = row;
      const held = known.filter((one) => one.familyId === familyId);
      if (!row.isLive) {
        skipped.add(familyId);
        continue;
      }
      const family = byId.get(familyId)!;
      const results = await evaluateSeries(tx, family, row, held);
      found.push(...results);
      if (results.some(({ evaluatedUntil }) => evaluatedUntil < row.tickUntil))
        unfinished.push(family);
    }
    return { found, unfinished };
  }

  /** Only the leader of a family's own chain finalizes, so that two never announce the same. */
  async function finalize(tx: Queryable, some: readonly FamilyToWatch[]): Promise<void> {
    const ids = some.filter((one) => one.chainId === chainId).map(({ familyId }) => familyId);
    if (ids.length > 0) await alerts.finalize(tx, chainId, ids);
  }

  async function checkClock(): Promise<void> {
    if (clocked.length === 0) return;
    const ids = clocked.map(({ familyId }) => familyId);
    const since = deps.now() - startedAt < START_SECONDS ? startedAt : 0;
    const results = await deps.leadership.transaction(async (tx) => {
      // Every writer of alerts locks families before anything else.
      await families.lock(tx, ids);
      const now = deps.now();
      const found = await evaluateClocks(tx, chainId, clocked, { ...deps, since, now });
      await alerts.save(tx, found, now);
      await finalize(tx, clocked);
      return found;
    });
    tell(results);
  }

  function tell(results: readonly AlertResult[]): void {
    for (const { name, familyId, chainId: of, transitions, retracted } of results) {
      const { slug } = byId.get(familyId)!.family;
      for (const _ of retracted) deps.onCorrected({ name, family: slug, chainId: of });
      for (const transition of transitions) {
        deps.onNews({ ...transition, name, family: slug, chainId: of });
      }
    }
  }
}
