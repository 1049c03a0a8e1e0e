import { METHOD_VERSION } from '../../domain/risk/grade/method.ts';
import type { RiskNode } from '../../domain/risk/graph.ts';
import type { GradeWork } from '../../riskThread/gradeWork.ts';
import { inParts, type Running } from '../../riskThread/running.ts';
import { startWork } from '../../riskThread/start.ts';
import { riskEdges } from '../../store/risk/edges.ts';
import { riskGrades } from '../../store/risk/grades.ts';
import { riskImports } from '../../store/risk/imports.ts';
import { riskNodes } from '../../store/risk/nodes.ts';
import type { Queryable, Store } from '../../store/store.ts';

/** The grading method, as far as keeping grades needs it. */
export interface Grading {
  readonly methodVersion: string;
  /** For a graph of so many nodes. */
  start(nodes: number): Running<GradeWork>;
}

export const GRADING: Grading = {
  methodVersion: METHOD_VERSION,
  start: (nodes) => startWork('grade', nodes),
};

export interface Regraded {
  /** Nodes that were graded again. */
  readonly regraded: number;
  /** Nodes whose kept grade is another one now. */
  readonly changed: number;
}

export interface RegradeOptions {
  readonly grading?: Grading;
  /** Unix seconds. */
  readonly now: number;
  readonly onGraded?: (done: number, total: number) => void;
}

/** Of nodes and grades: each batch is read or written in one go on the event loop. */
const BATCH = 500;
/** From this part of the graph on, reading all of it is quicker than asking for ids. */
const MOST_OF_IT = 0.5;

/** Grades again what a change reaches, inside the transaction that changes it. */
export async function regradeReached(
  tx: Queryable,
  changed: ReadonlySet<string>,
  options: RegradeOptions,
): Promise<Regraded> {
  if (changed.size === 0) return { regraded: 0, changed: 0 };
  return regrade(tx, options, async (work, total) => {
    await inParts([...changed], (part) => work.call('addChanged', part));
    return work.call('reach', total * MOST_OF_IT);
  });
}

/** Grades everything again, for a new method or because time has passed. */
export async function regradeAll(
  store: Pick<Store, 'transaction'>,
  options: RegradeOptions,
): Promise<Regraded> {
  return store.transaction(async (tx) => {
    await riskImports.lock(tx);
    const outcome = await regrade(tx, options, async () => undefined);
    if (outcome.changed > 0) await riskImports.raiseVersion(tx);
    return outcome;
  });
}

/** `choose`: which nodes are needed, once the edges are known; undefined for all. */
async function regrade(
  tx: Queryable,
  options: RegradeOptions,
  choose: (work: Running<GradeWork>, total: number) => Promise<readonly string[] | undefined>,
): Promise<Regraded> {
  const { grading = GRADING, now } = options;
  const counts = await riskNodes.getCounts(tx);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const work = grading.start(total);
  try {
    for await (const page of riskEdges.getAll(tx)) {
      await inParts(page, (part) => work.call('addEdges', part));
    }
    const needed = await choose(work, total);
    for await (const page of needed === undefined ? riskNodes.getAll(tx) : getNodes(tx, needed)) {
      await inParts(page, (part) => work.call('addNodes', part));
    }
    const regraded = await work.call('grade', now);
    return { regraded, changed: await write(tx, work, regraded, options) };
  } finally {
    await work.close();
  }
}

async function* getNodes(tx: Queryable, ids: readonly string[]): AsyncGenerator<RiskNode[]> {
  for (let at = 0; at < ids.length; at += BATCH) {
    yield await riskNodes.getOfIds(tx, ids.slice(at, at + BATCH));
  }
}

/** The result is how many kept grades are others now. */
async function write(
  tx: Queryable,
  work: Running<GradeWork>,
  total: number,
  { now, onGraded }: RegradeOptions,
): Promise<number> {
  let changed = 0;
  for (let done = 0; done < total; ) {
    const rows = await work.call('take', BATCH);
    changed += await riskGrades.upsert(tx, rows, now);
    done += rows.length;
    onGraded?.(done, total);
  }
  return changed;
}
