import type { GradeResult } from '../gradeResult.ts';
import { GRADES } from '../graph.ts';
import { type Assessment, createAssess } from './assess.ts';
import { type IndexedGraph, indexGraph, type RiskGraph } from './indexedGraph.ts';
import { gradeOf, METHOD_VERSION, scoreOf } from './method.ts';
import { breakdown, type Dependency, type PassedFloor } from './rationale.ts';
import { byText } from './sortOrder.ts';

export interface GradeOptions {
  /** Unix seconds: ages and the time since an incident are counted up to here. */
  readonly now: number;
  readonly hash: (text: string) => string;
  /** Grade these alone; the whole graph is still what they are graded by. */
  readonly only?: ReadonlySet<string>;
}

/** The grade of every node: same graph, same `now`, same result, in whatever order nodes and edges come. */
export function gradeGraph(graph: RiskGraph, options: GradeOptions): Map<string, GradeResult> {
  const indexed = indexGraph(graph);
  const assess = createAssess(indexed, options);
  const wanted = options.only ?? graph.nodes.keys();
  const results = new Map<string, GradeResult>();
  for (const id of wanted) {
    const number = indexed.numberOf.get(id);
    if (number !== undefined) results.set(id, result(indexed, assess, number));
  }
  return results;
}

function result(
  graph: IndexedGraph,
  assess: (number: number) => Assessment,
  number: number,
): GradeResult {
  const { hazard, own, inputHash, heaviest, floored } = assess(number);
  const grade = gradeOf(hazard);
  return {
    grade,
    score: scoreOf(hazard),
    coverage: own.asked === 0 ? 1 : own.known / own.asked,
    breakdown: breakdown({
      grade,
      own,
      dependencies: dependencies(graph, assess, number),
      heaviest: heaviest.map((other) => (other === number ? undefined : nameOf(graph, other))),
      passedFloors: floored.flatMap((other) => passedFloor(graph, assess(other), other)),
    }),
    methodVersion: METHOD_VERSION,
    inputHash,
  };
}

function dependencies(
  graph: IndexedGraph,
  assess: (number: number) => Assessment,
  number: number,
): Dependency[] {
  return graph.edges
    .slice(graph.offsets[number]!, graph.offsets[number + 1]!)
    .sort((a, b) => byText(a.type, b.type) || byText(a.targetId, b.targetId))
    .filter(
      // The same dependency told by two sources is one dependency.
      ({ type, targetId }, place, all) =>
        type !== all[place - 1]?.type || targetId !== all[place - 1]?.targetId,
    )
    .map(({ type, targetId }) => {
      const target = graph.numberOf.get(targetId)!;
      return { type, name: nameOf(graph, target), grade: gradeOf(assess(target).hazard) };
    });
}

/** The worst floor of a node that this one rests on; the others say nothing more. */
function passedFloor(graph: IndexedGraph, { own }: Assessment, number: number): PassedFloor[] {
  const worst = [...own.floors].sort(
    (a, b) => GRADES.indexOf(b.grade) - GRADES.indexOf(a.grade),
  )[0];
  return worst === undefined ? [] : [{ ...worst, name: nameOf(graph, number) }];
}

function nameOf(graph: IndexedGraph, number: number): string {
  return graph.nodes[number]!.facts.name;
}
