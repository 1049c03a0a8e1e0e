import type { ProtocolFacts, RiskEdge, RiskNode } from '../../domain/risk/graph.ts';
import { gradeGraph } from '../../risk/grade/gradeGraph.ts';
import { METHOD_VERSION } from '../../risk/grade/method.ts';
import { describeModel } from './agentSchemas.ts';

const POOL = 'pool:base:0x1111111111111111111111111111111111111111';
const PROTOCOL = 'protocol:alpha-lending';

export const schemaExample = { ...describeModel(), methodVersion: METHOD_VERSION };

export const searchExample = [
  {
    id: POOL,
    label: 'Pool',
    name: 'Alpha USDC',
    network: 'base',
    tvlUsd: 125_000_000,
    address: '0x1111111111111111111111111111111111111111',
  },
  {
    id: 'asset:base:0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
    label: 'Asset',
    name: 'USD Coin',
    network: 'base',
    marketCapUsd: 61_000_000_000,
    address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  },
];

const protocol = {
  name: 'Alpha Lending',
  slug: 'alpha-lending',
  symbol: 'ALPHA',
  category: 'Lending',
  chains: ['base', 'ethereum'],
  tvlUsd: 410_000_000,
  marketCapUsd: 90_000_000,
  audits: { status: 'reports', reports: 3 },
} satisfies ProtocolFacts;

/** Graded by the method itself, so that the examples match real responses. */
const graded = gradeGraph(
  {
    nodes: new Map(
      (
        [
          { id: PROTOCOL, label: 'Protocol', facts: protocol },
          {
            id: POOL,
            label: 'Pool',
            facts: { name: 'Alpha USDC', chain: 'base', assets: 'single' },
          },
          chain('ethereum', { name: 'Ethereum', kind: 'base-layer' }),
          chain('base', { name: 'Base', kind: 'rollup', stage: 1 }),
        ] satisfies RiskNode[]
      ).map((node) => [node.id, node]),
    ),
    edges: [
      edge('LIVES_ON', PROTOCOL, 'chain:base', 0.75),
      edge('LIVES_ON', PROTOCOL, 'chain:ethereum', 0.25),
      edge('OPERATED_BY', POOL, PROTOCOL, 1),
      edge('LIVES_ON', POOL, 'chain:base', 1),
    ],
  },
  { now: Date.UTC(2026, 2, 1) / 1000, hash: (text) => text },
);

export const nodeExample = {
  id: PROTOCOL,
  labels: ['Protocol'],
  properties: protocol,
  _riskTier: graded.get(PROTOCOL)!.grade,
  riskBreakdown: graded.get(PROTOCOL)!.breakdown,
};

export const dependenciesExample = {
  nodeId: POOL,
  _riskTier: graded.get(POOL)!.grade,
  edges: [
    {
      type: 'OPERATED_BY',
      sourceId: POOL,
      targetId: PROTOCOL,
      properties: {},
      lastUpdatedAt: '2026-03-01T12:00:00.000Z',
    },
  ],
  neighbors: [
    {
      id: nodeExample.id,
      labels: nodeExample.labels,
      properties: nodeExample.properties,
      _riskTier: nodeExample._riskTier,
      lastUpdatedAt: '2026-03-01T12:00:00.000Z',
    },
  ],
};

function chain(
  slug: string,
  facts: Omit<Extract<RiskNode, { label: 'Chain' }>['facts'], 'slug'>,
): Extract<RiskNode, { label: 'Chain' }> {
  return { id: `chain:${slug}`, label: 'Chain', facts: { slug, ...facts } };
}

function edge(
  type: RiskEdge['type'],
  sourceId: string,
  targetId: string,
  weight: number,
): RiskEdge {
  return { type, sourceId, targetId, weight };
}
