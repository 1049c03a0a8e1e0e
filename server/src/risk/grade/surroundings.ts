import { isRollup } from './chain.ts';
import type { IndexedGraph } from './indexedGraph.ts';
import type { Surroundings } from './lossBands.ts';

/** Uses only edges that begin at the node, so that every change there reaches it. */
export function surroundingsOf(graph: IndexedGraph, number: number): Surroundings {
  if (graph.nodes[number]!.label !== 'Protocol') return {};
  const known: (boolean | undefined)[] = [];
  for (let at = graph.offsets[number]!; at < graph.offsets[number + 1]!; at += 1) {
    const chain = graph.nodes[graph.targets[at]!]!;
    if (graph.edges[at]!.type === 'LIVES_ON' && chain.label === 'Chain')
      known.push(isRollup(chain.facts));
  }
  if (known.includes(true)) return { onRollup: true };
  // An unknown chain may be a rollup.
  return known.length === 0 || known.includes(undefined) ? {} : { onRollup: false };
}
