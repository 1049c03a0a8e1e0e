import { EDGE_ENDS, type Label, type RiskEdge, type RiskNode } from './graph.ts';
import {
  type MergedEdge,
  type MergedNode,
  type RiskRecord,
  type RiskSource,
  SOURCES,
} from './record.ts';

/** Where a fact was looked up, and on which day. */
export interface Citation {
  readonly source: string;
  readonly date: string;
}

/** Curated records cite for each fact where it is from. */
export interface CitedRecord extends RiskRecord {
  readonly citations?: Readonly<Record<string, Citation>>;
}

/** A record with who says so, and since when it says this. */
export interface SourcedRecord extends CitedRecord {
  readonly source: RiskSource;
  readonly updatedAt: number;
}

/** What a merge had to leave out. */
export interface MergeProblem {
  readonly kind: 'other-label' | 'edge-to-itself' | 'edge-of-wrong-ends' | 'edge-of-wrong-weight';
  readonly id: string;
  readonly source: RiskSource;
  readonly targetId?: string;
}

export interface Merged {
  readonly node: MergedNode;
  readonly edges: readonly MergedEdge[];
  readonly problems: readonly MergeProblem[];
}

const PREFIXES: Readonly<Record<string, Label>> = {
  pool: 'Pool',
  asset: 'Asset',
  protocol: 'Protocol',
  chain: 'Chain',
};

/** An id says what it names. */
export function labelOfId(id: string): Label | undefined {
  const prefix = id.slice(0, id.indexOf(':'));
  return Object.hasOwn(PREFIXES, prefix) ? PREFIXES[prefix] : undefined;
}

/**
 * One node from what all sources say of one id; undefined when none says anything. Each fact is the word of the
 * highest source that knows it, each edge by type and target likewise. Whether an edge's target exists is for the
 * store to know.
 */
export function mergeRecords(records: readonly SourcedRecord[]): Merged | undefined {
  const ranked = [...records].sort((a, b) => rank(a.source) - rank(b.source));
  const [first] = ranked;
  if (first === undefined) return undefined;
  const { id, label } = first.node;
  const problems: MergeProblem[] = [];
  const agreeing = ranked.filter(({ node, source }) => {
    if (node.label === label) return true;
    problems.push({ kind: 'other-label', id, source });
    return false;
  });
  const facts: Record<string, unknown> = {};
  const sources: Record<string, RiskSource> = {};
  for (const { node, source } of agreeing) {
    for (const [fact, value] of Object.entries(node.facts)) {
      if (value === undefined || value === null || Object.hasOwn(facts, fact)) continue;
      facts[fact] = value;
      sources[fact] = source;
    }
  }
  // Every node is called something.
  if (typeof facts.name !== 'string' || facts.name === '') {
    facts.name = id;
    sources.name = first.source;
  }
  const node = { id, label, facts } as unknown as RiskNode;
  const lastUpdatedAt = Math.max(...agreeing.map(({ updatedAt }) => updatedAt));
  const edges = mergeEdges(agreeing, problems);
  return { node: { node, sources, lastUpdatedAt }, edges, problems };
}

function mergeEdges(ranked: readonly SourcedRecord[], problems: MergeProblem[]): MergedEdge[] {
  const found = new Map<string, MergedEdge>();
  for (const { node, edges, source, updatedAt } of ranked) {
    for (const edge of edges) {
      const { type, targetId } = edge;
      const kind = faultOf(edge, node.label);
      if (kind !== undefined) {
        problems.push({ kind, id: node.id, source, targetId });
        continue;
      }
      const key = `${type} ${targetId}`;
      if (found.has(key)) continue;
      found.set(key, { edge, source, lastUpdatedAt: updatedAt });
    }
  }
  return [...found.values()];
}

function faultOf(edge: RiskEdge, from: Label): MergeProblem['kind'] | undefined {
  if (edge.sourceId === edge.targetId) return 'edge-to-itself';
  const ends: readonly (readonly [Label, Label])[] = Object.hasOwn(EDGE_ENDS, edge.type)
    ? EDGE_ENDS[edge.type]
    : [];
  const to = labelOfId(edge.targetId);
  if (!ends.some((pair) => pair[0] === from && pair[1] === to)) return 'edge-of-wrong-ends';
  return edge.weight > 0 && edge.weight <= 1 ? undefined : 'edge-of-wrong-weight';
}

/** A source that this version does not know, left by another one, has the last word. */
function rank(source: RiskSource): number {
  const at = SOURCES.indexOf(source);
  return at < 0 ? SOURCES.length : at;
}
