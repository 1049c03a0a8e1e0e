import type { IndexedGraph } from './indexedGraph.ts';
import { METHOD_VERSION } from './method.ts';
import { ownHazard } from './own.ts';
import type { OwnHazard } from './ownHazard.ts';
import { placedName } from './placedName.ts';
import { createReach, type Reached } from './reach.ts';
import { surroundingsOf } from './surroundings.ts';

export interface Assessment {
  readonly own: OwnHazard;
  /** Sum over all reached nodes, each counted once; percent per year. */
  readonly sum: number;
  /** The sum, or the minimum set by a floor or cap. The grade is based on it. */
  readonly hazard: number;
  readonly inputHash: string;
  /** The nodes that make up most of the hazard, heaviest first. */
  readonly heaviest: readonly HeavyNode[];
  /** Numbers of the other nodes with a floor that this one depends on with weight 1. */
  readonly floored: readonly number[];
}

export interface HeavyNode {
  readonly number: number;
  /** The floor that raises its hazard. */
  readonly because: string | undefined;
}

/** A node with a smaller share of the sum is not named as a reason. */
const WORTH_NAMING = 0.2;
const MAX_NAMED = 2;

export interface AssessOptions {
  /** Unix seconds. */
  readonly now: number;
  readonly hash: (text: string) => string;
  /** Replaces the hazard function, for comparisons. */
  readonly hazardOf?: typeof ownHazard;
}

/** Assesses nodes on demand, each once, because pools share their protocols. */
export function createAssess(
  graph: IndexedGraph,
  { now, hash, hazardOf = ownHazard }: AssessOptions,
): (number: number) => Assessment {
  const reach = createReach(graph);
  const owns: (Own | undefined)[] = new Array(graph.nodes.length);
  const assessments: (Assessment | undefined)[] = new Array(graph.nodes.length);

  function ownOf(number: number): Own {
    const known = owns[number];
    if (known) return known;
    const node = graph.nodes[number]!;
    const own = hazardOf(node, now, surroundingsOf(graph, number));
    // Only facts that change these values change the hash.
    const { hazard, atLeast, rows, floors, worst, raisedBy, likeIt } = own;
    const name = placedName(graph, number);
    const input = [node.id, name, hazard, atLeast, rows, floors, worst, raisedBy, likeIt];
    const made = { own, hash: hash(JSON.stringify(input)) };
    owns[number] = made;
    return made;
  }

  function make(number: number): Assessment {
    const reached = reach(number);
    const parts = Float64Array.from(
      reached.nodes,
      (other, place) => reached.weights[place]! * ownOf(other).own.hazard,
    );
    const sum = parts.reduce((total, part) => total + part, 0);
    const { own } = ownOf(number);
    // The node itself first, so that it is named before its dependencies.
    let hazard = Math.max(sum, own.atLeast);
    let holding = hazard > sum ? number : undefined;
    reached.nodes.forEach((other, place) => {
      const { atLeast } = ownOf(other).own;
      if (reached.weights[place] !== 1 || atLeast <= hazard) return;
      hazard = atLeast;
      holding = other;
    });
    return {
      own,
      sum,
      hazard,
      inputHash: hash(input(number, reached)),
      heaviest:
        holding === undefined
          ? heaviest(reached, parts, sum).map((other) => ({
              number: other,
              because: ownOf(other).own.raisedBy,
            }))
          : [{ number: holding, because: ownOf(holding).own.heldBy }],
      floored: [...reached.nodes].filter(
        (other, place) =>
          other !== number && reached.weights[place] === 1 && ownOf(other).own.floors.length > 0,
      ),
    };
  }

  function input(number: number, reached: Reached): string {
    const edges = graph.edges
      .slice(graph.offsets[number]!, graph.offsets[number + 1]!)
      .map(({ type, targetId }) => `${type} ${targetId}`)
      .sort();
    const nodes = Array.from(
      reached.nodes,
      (other, place) => `${reached.weights[place]} ${ownOf(other).hash}`,
    );
    return [METHOD_VERSION, graph.nodes[number]!.id, ...new Set(edges), ...nodes].join('\n');
  }

  return function assess(number) {
    const made = assessments[number] ?? make(number);
    assessments[number] = made;
    return made;
  };
}

interface Own {
  readonly own: OwnHazard;
  readonly hash: string;
}

function heaviest({ nodes }: Reached, parts: Float64Array, sum: number): number[] {
  return Array.from(nodes, (number, place) => ({ number, part: parts[place]! }))
    .sort((a, b) => b.part - a.part || a.number - b.number)
    .filter(({ part }, place) => place === 0 || part >= WORTH_NAMING * sum)
    .slice(0, MAX_NAMED)
    .map(({ number }) => number);
}
