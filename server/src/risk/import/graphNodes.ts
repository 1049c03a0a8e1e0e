import type { ChainConfig } from '../../config/config.ts';
import type { Address } from '../../domain/hex.ts';
import { chainSlug, protocolSlug } from '../../domain/risk/aliases.ts';
import type { EdgeType, RiskEdge, RiskNode } from '../../domain/risk/graph.ts';
import { assetId, chainNodeId, protocolId } from '../../domain/risk/nodeId.ts';

/** Type, target, and weight of an edge. */
export type EdgeRow = readonly [EdgeType, string, number];

/** A node with its edges. */
export interface GraphNode {
  readonly node: RiskNode;
  readonly edges: readonly RiskEdge[];
}

/** The nodes of a graph by id. Each `add` returns the node's id. */
export interface GraphNodes {
  /** Keeps the facts of a node that was added before, and adds the missing ones. */
  add(node: RiskNode, edges: readonly EdgeRow[]): string;
  addChain(chainId: number): string;
  /** Undefined for a name without letters and digits. */
  addProtocol(name: string): string | undefined;
  addAsset(chainId: number, address: Address, symbol: string, name?: string): string;
  slugOf(chainId: number): string;
  getAll(): GraphNode[];
}

export function createGraphNodes(chains: readonly ChainConfig[]): GraphNodes {
  const found = new Map<string, { node: RiskNode; edges: Map<string, RiskEdge> }>();
  const slugs = new Map(chains.map(({ chainId, name }) => [chainId, chainSlug(name)]));
  const slugOf = (chainId: number) => slugs.get(chainId)!;
  return { add, addChain, addProtocol, addAsset, slugOf, getAll };

  function add(node: RiskNode, edges: readonly EdgeRow[]): string {
    const held = found.get(node.id) ?? { node, edges: new Map() };
    const facts = { ...present(node.facts), ...present(held.node.facts) };
    held.node = { ...held.node, facts } as RiskNode;
    for (const [type, targetId, weight] of edges) {
      const key = `${type} ${targetId}`;
      if (targetId === node.id || weight <= 0 || held.edges.has(key)) continue;
      held.edges.set(key, { type, sourceId: node.id, targetId, weight: Math.min(1, weight) });
    }
    found.set(node.id, held);
    return node.id;
  }

  function addChain(chainId: number): string {
    const slug = slugOf(chainId);
    const name = chains.find((chain) => chain.chainId === chainId)!.name;
    const facts = { name: titled(name), slug, chainId };
    return add({ id: chainNodeId(slug), label: 'Chain', facts }, []);
  }

  function addProtocol(name: string): string | undefined {
    const slug = protocolSlug(name);
    if (slug === '') return undefined;
    return add({ id: protocolId(slug), label: 'Protocol', facts: { name, slug } }, []);
  }

  function addAsset(chainId: number, address: Address, symbol: string, name?: string): string {
    const chain = slugOf(chainId);
    const facts = { name: name || symbol || address, symbol, chain, address };
    const id = assetId(chain, address);
    return add({ id, label: 'Asset', facts }, [['LIVES_ON', addChain(chainId), 1]]);
  }

  function getAll(): GraphNode[] {
    return [...found.values()].map(({ node, edges }) => ({ node, edges: [...edges.values()] }));
  }
}

/** An empty name or symbol is no fact. */
function present(facts: object): object {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== ''));
}

function titled(name: string): string {
  return name.replace(/(^|-)(\p{L})/gu, (_, dash: string, letter: string) => {
    return `${dash && ' '}${letter.toUpperCase()}`;
  });
}
