import type { GradeResult } from '../../domain/risk/gradeResult.ts';
import type { RiskEdge, RiskNode } from '../../domain/risk/graph.ts';
import { affectedBy } from '../grade/affected.ts';
import { gradeGraph } from '../grade/gradeGraph.ts';
import { shortHash } from './shortHash.ts';

/** The functions of the grading method. */
export interface GradingMethod {
  readonly gradeGraph: typeof gradeGraph;
  readonly affectedBy: typeof affectedBy;
}

export type GradedRow = readonly [id: string, result: GradeResult];

/** Grades a graph. Takes its edges, then the changes (unless all nodes are graded), then the nodes. */
export interface GradeWork {
  addEdges(rows: readonly RiskEdge[]): void;
  addChanged(ids: readonly string[]): void;
  /**
   * Restricts the grading to nodes that the changes reach. Returns the nodes to add; undefined if they are `many` or
   * more, because then reading all nodes is faster.
   */
  reach(many: number): readonly string[] | undefined;
  addNodes(rows: readonly RiskNode[]): void;
  /** Returns the number of graded nodes. */
  grade(now: number): number;
  /** Returns, for each node, the changed nodes that it depends on, including itself, nearest first. */
  causes(ids: readonly string[]): readonly (readonly string[])[];
  /** Returns the next graded nodes, at most `count`; none once all were returned. */
  take(count: number): readonly GradedRow[];
}

export function createGradeWork(method: GradingMethod = { gradeGraph, affectedBy }): GradeWork {
  let edges: RiskEdge[] = [];
  const changed = new Set<string>();
  const nodes = new Map<string, RiskNode>();
  let affected: ReadonlySet<string> | undefined;
  let needed: ReadonlySet<string> | undefined;
  let rows: readonly GradedRow[] = [];
  let taken = 0;

  return {
    addEdges(added) {
      for (const edge of added) edges.push(edge);
    },
    addChanged(ids) {
      for (const id of ids) changed.add(id);
    },
    reach(many) {
      affected = method.affectedBy(edges, changed);
      const closed = reached(affected, targetsOf(edges));
      needed = closed;
      edges = edges.filter(({ sourceId }) => closed.has(sourceId));
      return closed.size < many ? [...closed] : undefined;
    },
    addNodes(added) {
      for (const node of added)
        if (needed === undefined || needed.has(node.id)) nodes.set(node.id, node);
    },
    grade(now) {
      const only = affected === undefined ? {} : { only: affected };
      rows = [...method.gradeGraph({ nodes, edges }, { now, hash: shortHash, ...only })];
      return rows.length;
    },
    causes(ids) {
      const targets = targetsOf(edges);
      return ids.map((id) => [...reached([id], targets)].filter((each) => changed.has(each)));
    },
    take(count) {
      const part = rows.slice(taken, taken + count);
      taken += part.length;
      return part;
    },
  };
}

/** Returns the nodes with all their direct and indirect dependencies. */
function reached(ids: Iterable<string>, targets: ReadonlyMap<string, string[]>): Set<string> {
  const found = new Set(ids);
  // A Set iterates in insertion order, and includes items that are added during the loop.
  for (const id of found) for (const target of targets.get(id) ?? []) found.add(target);
  return found;
}

function targetsOf(edges: readonly RiskEdge[]): Map<string, string[]> {
  const targets = new Map<string, string[]>();
  for (const { sourceId, targetId } of edges) {
    const known = targets.get(sourceId);
    if (known === undefined) targets.set(sourceId, [targetId]);
    else known.push(targetId);
  }
  return targets;
}
