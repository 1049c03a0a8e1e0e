import { createRandom } from '../random.ts';
import type { Edge, Node } from './server.ts';

const CHAINS = 500;
const PROTOCOLS = 10_000;

/** Generates a graph shaped like the real one: most nodes are pools on one chain, of one protocol, with one or two assets. */
export function largeGraph(total: number): { nodes: Map<string, Node>; edges: Edge[] } {
  const random = createRandom(7);
  const nodes = new Map<string, Node>();
  const edges: Edge[] = [];
  const add = (id: string, label: string, facts: Node['facts']): string => {
    nodes.set(id, { id, label, facts: { name: id, slug: id, ...facts } });
    return id;
  };
  const join = (type: string, sourceId: string, targetId: string, weight = 1): void => {
    edges.push({ type, sourceId, targetId, weight });
  };
  const chains = Array.from({ length: CHAINS }, (_, number) =>
    add(`chain:${number}`, 'Chain', { kind: 'other', tvlUsd: 10 ** (5 + random.below(6)) }),
  );
  const protocols = Array.from({ length: PROTOCOLS }, (_, number) => {
    const id = add(`protocol:${number}`, 'Protocol', {
      category: 'Lending',
      tvlUsd: 10 ** (3 + random.below(7)),
    });
    join('LIVES_ON', id, chains[random.below(CHAINS)]!, 0.5);
    return id;
  });
  const assets: string[] = [];
  while (nodes.size < total / 2) {
    const id = add(`asset:${nodes.size}`, 'Asset', {
      kind: 'other',
      marketCapUsd: 10 ** (4 + random.below(7)),
    });
    join('LIVES_ON', id, chains[random.below(CHAINS)]!);
    if (random.below(4) === 0) join('ISSUED_BY', id, protocols[random.below(PROTOCOLS)]!);
    assets.push(id);
  }
  while (nodes.size < total) {
    const id = add(`pool:${nodes.size}`, 'Pool', {
      chain: 'x',
      assets: 'single',
      tvlUsd: 10 ** (3 + random.below(6)),
    });
    join('LIVES_ON', id, chains[random.below(CHAINS)]!);
    join('OPERATED_BY', id, protocols[random.below(PROTOCOLS)]!);
    for (let leg = 0; leg < 2; leg += 1)
      join('ACCEPTS_DEPOSITS_IN', id, assets[random.below(assets.length)]!);
    if (random.below(2) === 0) join('PRICED_BY', id, protocols[random.below(PROTOCOLS)]!, 0.25);
  }
  return { nodes, edges };
}
