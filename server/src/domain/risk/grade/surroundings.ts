import type { IndexedGraph } from './indexedGraph.ts';
import type { Surroundings } from './lossBands.ts';

/** Along edges that begin at the node alone, so that a change there reaches it like any other. */
export function surroundingsOf(graph: IndexedGraph, number: number): Surroundings {
  if (graph.nodes[number]!.label !== 'Protocol') return {};
  let onRollup: boolean | undefined;
  for (let at = graph.offsets[number]!; at < graph.offsets[number + 1]!; at += 1) {
    const chain = graph.nodes[graph.targets[at]!]!;
    if (graph.edges[at]!.type !== 'LIVES_ON' || chain.label !== 'Chain') continue;
    const { kind } = chain.facts;
    if (kind !== undefined) onRollup = onRollup === true || kind === 'rollup';
  }
  return onRollup === undefined ? {} : { onRollup };
}
