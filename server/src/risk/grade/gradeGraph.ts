import type { GradeResult } from '../../domain/risk/gradeResult.ts';
import type { RiskEdge } from '../../domain/risk/graph.ts';
import { type Assessment, createAssess } from './assess.ts';
import { type IndexedGraph, indexGraph, type RiskGraph } from './indexedGraph.ts';
import { gradeOf, METHOD_VERSION, scoreOf } from './method.ts';
import { worstFirst } from './ownHazard.ts';
import { tellApart } from './placedName.ts';
import { breakdown, type Dependency, type PassedFloor } from './rationale.ts';
import { byText } from './sortOrder.ts';

export interface GradeOptions {
  /** Unix seconds: the time up to which ages are counted. */
  readonly now: number;
  readonly hash: (text: string) => string;
  /** Grade only these nodes. Their grades still use the entire graph. */
  readonly only?: ReadonlySet<string>;
}

/** Grades every node. Deterministic for the same graph and `now`, regardless of the order of nodes and edges. */
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
  const edges = dependencies(graph, number);
  const named = edges.map(({ targetId }) => graph.numberOf.get(targetId)!);
  const heavy = heaviest.map((each) => each.number);
  const nameOf = tellApart(graph, [number, ...named, ...heavy, ...floored]);
  return {
    grade,
    score: scoreOf(hazard),
    coverage: own.asked === 0 ? 1 : own.known / own.asked,
    breakdown: breakdown({
      grade,
      own,
      dependencies: edges.map(({ type }, place): Dependency => {
        const target = named[place]!;
        return { type, name: nameOf(target), grade: gradeOf(assess(target).hazard) };
      }),
      heaviest: heaviest.map(({ number: other, because }) => ({
        name: other === number ? undefined : nameOf(other),
        because,
      })),
      likeIt: likeIt(graph, assess, number, edges),
      passedFloors: floored.flatMap((other) => passedFloor(assess(other), nameOf(other))),
    }),
    methodVersion: METHOD_VERSION,
    inputHash,
  };
}

function dependencies(graph: IndexedGraph, number: number): RiskEdge[] {
  return graph.edges
    .slice(graph.offsets[number]!, graph.offsets[number + 1]!)
    .sort((a, b) => byText(a.type, b.type) || byText(a.targetId, b.targetId))
    .filter(
      // A dependency that two sources list counts once.
      ({ type, targetId }, place, all) =>
        type !== all[place - 1]?.type || targetId !== all[place - 1]?.targetId,
    );
}

/** A pool uses the counts of its operator, because pools were not counted. */
function likeIt(
  graph: IndexedGraph,
  assess: (number: number) => Assessment,
  number: number,
  edges: readonly RiskEdge[],
): string {
  const operator = edges.find(({ type }) => type === 'OPERATED_BY');
  const counted = operator === undefined ? number : graph.numberOf.get(operator.targetId)!;
  return assess(counted).own.likeIt ?? 'Not known: it is not known whose contracts it runs on.';
}

/** Returns the worst floor of a node that this one depends on. The others add no information. */
function passedFloor({ own }: Assessment, name: string): PassedFloor[] {
  const worst = [...own.floors].sort(worstFirst)[0];
  return worst === undefined ? [] : [{ ...worst, name }];
}
