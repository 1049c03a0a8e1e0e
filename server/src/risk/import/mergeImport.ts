import type { MergedEdge, MergedNode } from '../../domain/risk/record.ts';
import type { GraphChange } from '../../store/risk/change.ts';
import { riskEdges } from '../../store/risk/edges.ts';
import { riskGrades } from '../../store/risk/grades.ts';
import { riskNodes } from '../../store/risk/nodes.ts';
import { riskRecords } from '../../store/risk/records.ts';
import { mergeRecords } from '../graph/merge.ts';
import { batches } from './batches.ts';
import type { LeftOutList } from './leftOut.ts';

export interface MergeImport {
  readonly change: GraphChange;
  /** Nodes whose record of this source changed. */
  readonly touched: readonly string[];
  /** The ones among them that the source no longer has. */
  readonly lost: ReadonlySet<string>;
  readonly leftOut: LeftOutList;
  /** Unix seconds. */
  readonly now: number;
  /** Called after each step, including the last. */
  readonly onMerged: (done: number, total: number) => void;
}

/** Merges the touched nodes from all sources again. Returns the nodes whose grade may have changed. */
export async function mergeImport(given: MergeImport): Promise<Set<string>> {
  const { change, touched, now, leftOut, onMerged } = given;
  const changed = new Set<string>();
  const cameOrWent: string[] = [];
  const edges = new Map<string, readonly MergedEdge[]>();
  const total = touched.length * 2;
  let done = 0;
  for (const batch of batches(touched)) {
    await mergeNodes(given, batch, { changed, cameOrWent, edges });
    done += batch.length;
    onMerged(done, total);
  }
  // All nodes first, because writing an edge checks that its target exists.
  for (const batch of batches(touched)) {
    const { changed: from, dangling } = await change.write(async (tx) => {
      const rows = batch.flatMap((id) => edges.get(id) ?? []);
      return {
        changed: await riskEdges.replaceOf(tx, batch, rows),
        dangling: await riskEdges.getDanglingOf(tx, batch, tx.version),
      };
    });
    for (const id of from) changed.add(id);
    for (const { sourceId, type, targetId } of dangling) {
      leftOut.add('edge-to-nowhere', `${sourceId} ${type} → ${targetId}`);
    }
    done += batch.length;
    onMerged(done, total);
  }
  for (const batch of batches(cameOrWent)) {
    for (const id of await change.write((tx) => riskEdges.settle(tx, batch, now))) changed.add(id);
  }
  return changed;
}

interface Found {
  /** Nodes whose facts changed. */
  readonly changed: Set<string>;
  /** Nodes that were added or removed. */
  readonly cameOrWent: string[];
  readonly edges: Map<string, readonly MergedEdge[]>;
}

async function mergeNodes(
  { change, lost, leftOut, now }: MergeImport,
  batch: readonly string[],
  { changed, cameOrWent, edges }: Found,
): Promise<void> {
  await change.write(async (tx) => {
    const records = await riskRecords.getOfIds(tx, batch, tx.version);
    const nodes: MergedNode[] = [];
    for (const id of batch) {
      const merged = mergeRecords(records.get(id) ?? []);
      if (merged === undefined) continue;
      edges.set(id, merged.edges);
      // A removed record has no time, but its removal is a change too.
      const since = Math.max(merged.node.lastUpdatedAt, lost.has(id) ? now : 0);
      nodes.push({ ...merged.node, lastUpdatedAt: since });
      for (const problem of merged.problems) {
        leftOut.add(problem.kind, [problem.id, problem.targetId].filter(Boolean).join(' → '));
      }
    }
    for (const { id, created } of await riskNodes.write(tx, nodes)) {
      changed.add(id);
      if (created) cameOrWent.push(id);
    }
    const without = batch.filter((id) => !records.has(id));
    const removed = await riskNodes.remove(tx, without);
    await riskGrades.remove(tx, removed);
    cameOrWent.push(...removed);
  });
}
