import { chainNodeId } from '../../domain/risk/nodeId.ts';
import type { IndexedGraph } from './indexedGraph.ts';

/** Returns a node's name with its chain, if it has one: "USD Coin on Base". */
export function placedName(graph: IndexedGraph, number: number): string {
  const { label, facts } = graph.nodes[number]!;
  const slug = label === 'Pool' || label === 'Asset' ? facts.chain : undefined;
  if (slug === undefined) return facts.name;
  const chain = graph.numberOf.get(chainNodeId(slug));
  const place = ` on ${chain === undefined ? slug : graph.nodes[chain]!.facts.name}`;
  return facts.name.endsWith(place) ? facts.name : `${facts.name}${place}`;
}

/** Returns the label of each node within one text: its name, with the chain if another node has the same name. */
export function tellApart(
  graph: IndexedGraph,
  numbers: Iterable<number>,
): (number: number) => string {
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const number of new Set(numbers)) {
    const { name } = graph.nodes[number]!.facts;
    if (seen.has(name)) shared.add(name);
    seen.add(name);
  }
  return (number) => {
    const { name } = graph.nodes[number]!.facts;
    return shared.has(name) ? placedName(graph, number) : name;
  };
}
