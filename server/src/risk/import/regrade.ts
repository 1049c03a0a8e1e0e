import type { RiskNode } from '../../domain/risk/graph.ts';
import { eventNotes } from '../../store/events/notes.ts';
import { beginChange, type GraphChange } from '../../store/risk/change.ts';
import { riskEdges } from '../../store/risk/edges.ts';
import { riskGrades } from '../../store/risk/grades.ts';
import { withGraphLock } from '../../store/risk/graphLock.ts';
import { riskNodes } from '../../store/risk/nodes.ts';
import type { Queryable, Store } from '../../store/store.ts';
import { METHOD_VERSION } from '../grade/method.ts';
import type { GradeWork } from '../thread/gradeWork.ts';
import { inParts, type Running } from '../thread/running.ts';
import { startWork } from '../thread/start.ts';
import { BATCH, batches } from './batches.ts';
import { type GradeChange, getGradeChanges } from './gradeChanges.ts';

/** The grading method, as far as stored grades depend on it. */
export interface Grading {
  readonly methodVersion: string;
  /** Starts grading a graph with this many nodes. */
  start(nodes: number): Running<GradeWork>;
}

export const GRADING: Grading = {
  methodVersion: METHOD_VERSION,
  start: (nodes) => startWork('grade', nodes),
};

export interface Regraded {
  /** Nodes that were graded again. */
  readonly regraded: number;
  /** Nodes whose stored grade, score, or reasons changed. */
  readonly changed: number;
}

export interface RegradeOptions {
  readonly grading?: Grading;
  /** Unix seconds. */
  readonly now: number;
  readonly signal?: AbortSignal;
  readonly onGraded?: (done: number, total: number) => void;
}

/** For a larger share of the graph, reading all nodes is faster than reading by id. */
const REACH_SHARE = 0.5;

/** Grades the nodes that a change reaches, in its transaction. Returns each changed grade with its cause. */
export async function regradeReached(
  db: Queryable,
  change: GraphChange,
  changed: ReadonlySet<string>,
  options: RegradeOptions,
): Promise<Regraded & { readonly gradeChanges: readonly GradeChange[] }> {
  if (changed.size === 0) return { regraded: 0, changed: 0, gradeChanges: [] };
  let gradeChanges: readonly GradeChange[] = [];
  const counts = await regrade(db, change, options, {
    async choose(work, total) {
      await inParts([...changed], (part) => work.call('addChanged', part));
      return work.call('reach', total * REACH_SHARE);
    },
    async whenWritten(work) {
      gradeChanges = await getGradeChanges(db, change, work);
    },
  });
  return { ...counts, gradeChanges };
}

/** Grades everything again, for a new method or because time has passed. */
export async function regradeAll(
  store: Pick<Store, 'query' | 'transaction' | 'lead'>,
  options: RegradeOptions,
): Promise<Regraded> {
  return withGraphLock(
    store,
    async (leadership) => {
      const change = await beginChange(store, leadership);
      try {
        const outcome = await regrade(store, change, options, { choose: async () => undefined });
        if (outcome.changed > 0) {
          const letters = await riskGrades.getChanged(store, change.version);
          const ids = letters.map(({ id }) => id);
          await change.finish((tx) => eventNotes.grades(tx, ids, options.now));
        } else await change.discard();
        return outcome;
      } catch (error) {
        if (options.signal?.aborted !== true) await change.discard().catch(() => undefined);
        throw error;
      }
    },
    options.signal,
  );
}

interface RegradeSteps {
  /** Selects the nodes to grade, once the edges are known; undefined for all. */
  choose(work: Running<GradeWork>, total: number): Promise<readonly string[] | undefined>;
  whenWritten?(work: Running<GradeWork>): Promise<void>;
}

async function regrade(
  db: Queryable,
  change: GraphChange,
  options: RegradeOptions,
  { choose, whenWritten }: RegradeSteps,
): Promise<Regraded> {
  const { grading = GRADING, now, signal } = options;
  const { version } = change;
  const counts = await riskNodes.getCounts(db, version);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const work = grading.start(total);
  try {
    for await (const page of riskEdges.getAll(db, version)) {
      signal?.throwIfAborted();
      await inParts(page, (part) => work.call('addEdges', part));
    }
    const needed = await choose(work, total);
    const pages =
      needed === undefined ? riskNodes.getAll(db, version) : getNodes(db, needed, version);
    for await (const page of pages) {
      signal?.throwIfAborted();
      await inParts(page, (part) => work.call('addNodes', part));
    }
    const regraded = await work.call('grade', now);
    const rewritten = await write(change, work, regraded, options);
    if (rewritten > 0) await whenWritten?.(work);
    return { regraded, changed: rewritten };
  } finally {
    await work.close();
  }
}

async function* getNodes(
  db: Queryable,
  ids: readonly string[],
  version: number,
): AsyncGenerator<RiskNode[]> {
  for (const batch of batches(ids)) yield await riskNodes.getOfIds(db, batch, version);
}

/** Returns the number of stored grades that changed. */
async function write(
  change: GraphChange,
  work: Running<GradeWork>,
  total: number,
  { now, signal, onGraded }: RegradeOptions,
): Promise<number> {
  let changed = 0;
  for (let done = 0; done < total; ) {
    signal?.throwIfAborted();
    const rows = await work.call('take', BATCH);
    changed += await change.write((tx) => riskGrades.write(tx, rows, now));
    done += rows.length;
    onGraded?.(done, total);
  }
  return changed;
}
