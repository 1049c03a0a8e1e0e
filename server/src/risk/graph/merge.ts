import type { Incident, RiskNode } from '../../domain/risk/graph.ts';
import {
  type MergedEdge,
  type MergedNode,
  type RiskSource,
  SOURCES,
  type SourcedRecord,
} from '../../domain/risk/record.ts';
import { mergeEdges } from './mergeEdges.ts';
import { mergeIncidents } from './mergeIncidents.ts';

/** What a merge had to omit. */
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

/**
 * Merges the records of all sources with one id into a node; undefined without any. Each fact comes from the highest
 * source that has it, as do all edges of one type. Incidents are combined. The store checks whether the target of an
 * edge exists.
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
  // Ordered by the highest source that has each, as each fact has one source.
  if (Object.hasOwn(facts, 'incidents')) facts.incidents = mergeIncidents(incidentsOf(agreeing));
  // Every node needs a name.
  if (typeof facts.name !== 'string' || facts.name === '') {
    facts.name = id;
    sources.name = first.source;
  }
  const node = { id, label, facts } as unknown as RiskNode;
  const lastUpdatedAt = Math.max(...agreeing.map(({ updatedAt }) => updatedAt));
  const edges = mergeEdges(agreeing, problems);
  return { node: { node, sources, lastUpdatedAt }, edges, problems };
}

function incidentsOf(ranked: readonly SourcedRecord[]): (readonly Incident[])[] {
  return ranked.flatMap(({ node }) => {
    const incidents = node.label === 'Protocol' ? node.facts.incidents : undefined;
    return Array.isArray(incidents) ? [incidents] : [];
  });
}

/** A source that only another version knows takes precedence. */
function rank(source: RiskSource): number {
  const at = SOURCES.indexOf(source);
  return at < 0 ? SOURCES.length : at;
}
