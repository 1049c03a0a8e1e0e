import { chainSlug } from '../../../domain/risk/aliases.ts';
import type { EdgeType, RiskEdge } from '../../../domain/risk/graph.ts';
import { chainNodeId } from '../../../domain/risk/nodeId.ts';
import type { RiskRecord } from '../../../domain/risk/record.ts';

export function edge(type: EdgeType, sourceId: string, targetId: string, weight = 1): RiskEdge {
  return { type, sourceId, targetId, weight };
}

/** A chain of which only the name is known. */
export function chainByName(name: string): RiskRecord {
  const slug = chainSlug(name);
  return { node: { id: chainNodeId(slug), label: 'Chain', facts: { name, slug } }, edges: [] };
}
