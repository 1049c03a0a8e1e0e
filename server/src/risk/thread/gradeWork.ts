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

/** Grades a graph: its edges, then what changed, if not all is to be graded, then the nodes that are needed for it. */
export interface GradeWork {
  addEdges(rows: readonly RiskEdge[]): void;
  addChanged(ids: readonly string[]): void;
  /**
   * From here on only what the changes reach is graded. The result are the nodes that are needed for it; undefined
   * when they are `many` or more, which is when reading all nodes is quicker than asking for these.
   */
  reach(many: number): readonly string[] | undefined;
  addNodes(rows: readonly RiskNode[]): void;
  /** How many were graded. */
  grade(now: number): number;
  /** For each node the changed ones that it depends on, the nearest first, itself included. */
  causes(ids: readonly string[]): readonly (readonly string[])[];
  /** The next of the graded, at most `count`; none when all were taken. */
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

/** The nodes and all that they depend on, however far. */
function reached(ids: Iterable<string>, targets: ReadonlyMap<string, string[]>): Set<string> {
  const found = new Set(ids);
  // A set is walked in the order of insertion, also through what is added on the way.
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
