import { loadBuilt } from '../loadBuilt.ts';
/** Types of the server's built search; the benchmark loads server/dist, so that the shipped code is measured. */
export interface Node {
  readonly id: string;
  readonly label: 'Pool' | 'Asset' | 'Protocol' | 'Chain';
  readonly name: string;
  readonly symbol?: string | undefined;
  readonly address?: string | undefined;
  readonly network: string;
  readonly value: number | null;
  readonly grade: 'A' | 'B' | 'C' | 'D' | 'E' | 'F';
}

export interface Edge {
  readonly type: string;
  readonly sourceId: string;
  readonly targetId: string;
  readonly weight: number;
  readonly lastUpdatedAt: number;
}

export interface Query {
  readonly q: string;
  readonly limit: number;
  readonly label?: Node['label'];
  readonly tvl?: { readonly operator: string; readonly value: number };
  readonly grade?: { readonly operator: string; readonly value: Node['grade'] };
}

export interface Index {
  readonly ids: unknown;
  search(query: Query): { readonly id: string; readonly name: string }[];
}

export interface Adjacency {
  find(id: string): number | undefined;
  dependenciesOf(node: number): unknown[];
}

export interface Engine {
  buildSearchIndex(nodes: Iterable<Node>): Index;
  buildAdjacency(ids: unknown, edges: Iterable<Edge>): Adjacency;
}

export async function loadEngine(): Promise<Engine> {
  const search = await loadBuilt('risk/search/searchIndex.js');
  const adjacency = await loadBuilt('risk/graph/adjacency.js');
  return { ...search, ...adjacency };
}
