import { createHash } from 'node:crypto';
import { affectedBy } from '../../domain/risk/grade/affected.ts';
import { gradeGraph } from '../../domain/risk/grade/gradeGraph.ts';
import type { RiskGraph } from '../../domain/risk/grade/indexedGraph.ts';
import { METHOD_VERSION } from '../../domain/risk/grade/method.ts';
import type { RiskEdge, RiskNode } from '../../domain/risk/graph.ts';
import { riskEdges } from '../../store/risk/edges.ts';
import { riskGrades } from '../../store/risk/grades.ts';
import { riskImports } from '../../store/risk/imports.ts';
import { riskNodes } from '../../store/risk/nodes.ts';
import type { Queryable, Store } from '../../store/store.ts';

/** The grading method, as far as keeping grades needs it. */
export interface Grading {
  readonly methodVersion: string;
  readonly gradeGraph: typeof gradeGraph;
  readonly affectedBy: typeof affectedBy;
}

export const GRADING: Grading = { methodVersion: METHOD_VERSION, gradeGraph, affectedBy };

export interface Regraded {
  /** Nodes that were graded again. */
  readonly regraded: number;
  /** Nodes whose kept grade is another one now. */
  readonly changed: number;
}

type OnGraded = (done: number, total: number) => void;

const BATCH = 1_000;
/** From this part of the graph on, reading all of it is quicker than asking for ids. */
const MOST_OF_IT = 0.5;

/** Grades again what a change reaches, inside the transaction that changes it. */
export async function regradeReached(
  tx: Queryable,
  changed: ReadonlySet<string>,
  options: { readonly grading?: Grading; readonly now: number; readonly onGraded?: OnGraded },
): Promise<Regraded> {
  if (changed.size === 0) return { regraded: 0, changed: 0 };
  const { grading = GRADING } = options;
  const edges = await loadEdges(tx);
  const affected = grading.affectedBy(edges, changed);
  const needed = closureOf(affected, edges);
  const nodes = await loadNodes(tx, needed);
  const part = { nodes, edges: edges.filter(({ sourceId }) => needed.has(sourceId)) };
  return write(tx, part, affected, options);
}

/** Grades everything again, for a new method or because time has passed. */
export async function regradeAll(
  store: Pick<Store, 'transaction'>,
  options: { readonly grading?: Grading; readonly now: number; readonly onGraded?: OnGraded },
): Promise<Regraded> {
  return store.transaction(async (tx) => {
    await riskImports.lock(tx);
    const nodes = await loadNodes(tx, undefined);
    const graph = { nodes, edges: await loadEdges(tx) };
    const outcome = await write(tx, graph, undefined, options);
    if (outcome.changed > 0) await riskImports.raiseVersion(tx);
    return outcome;
  });
}

async function write(
  tx: Queryable,
  graph: RiskGraph,
  only: ReadonlySet<string> | undefined,
  options: { readonly grading?: Grading; readonly now: number; readonly onGraded?: OnGraded },
): Promise<Regraded> {
  const { grading = GRADING, now, onGraded } = options;
  const asked = only === undefined ? {} : { only };
  const rows = [...grading.gradeGraph(graph, { now, hash: shortHash, ...asked })];
  let changed = 0;
  for (let at = 0; at < rows.length; at += BATCH) {
    changed += await riskGrades.upsert(tx, rows.slice(at, at + BATCH), now);
    onGraded?.(Math.min(at + BATCH, rows.length), rows.length);
  }
  return { regraded: rows.length, changed };
}

async function loadEdges(tx: Queryable): Promise<RiskEdge[]> {
  const edges: RiskEdge[] = [];
  for await (const page of riskEdges.getAll(tx)) for (const edge of page) edges.push(edge);
  return edges;
}

/** All nodes when `ids` is undefined. */
async function loadNodes(
  tx: Queryable,
  ids: ReadonlySet<string> | undefined,
): Promise<Map<string, RiskNode>> {
  const nodes = new Map<string, RiskNode>();
  const counts = await riskNodes.getCounts(tx);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (ids !== undefined && ids.size < total * MOST_OF_IT) {
    for (const node of await riskNodes.getOfIds(tx, [...ids])) nodes.set(node.id, node);
    return nodes;
  }
  for await (const page of riskNodes.getAll(tx)) {
    for (const node of page) if (ids === undefined || ids.has(node.id)) nodes.set(node.id, node);
  }
  return nodes;
}

/** The nodes and all that they depend on, however far. */
function closureOf(ids: ReadonlySet<string>, edges: readonly RiskEdge[]): Set<string> {
  const targets = new Map<string, string[]>();
  for (const { sourceId, targetId } of edges) {
    const known = targets.get(sourceId);
    if (known === undefined) targets.set(sourceId, [targetId]);
    else known.push(targetId);
  }
  const reached = new Set(ids);
  // A set is walked in the order of insertion, also through what is added on the way.
  for (const id of reached) for (const target of targets.get(id) ?? []) reached.add(target);
  return reached;
}

/** Half of SHA-256 in hexadecimal: short enough to keep per row, long enough never to meet by chance. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
