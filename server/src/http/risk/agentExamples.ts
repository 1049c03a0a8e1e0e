import { describeModel } from './agentSchemas.ts';

const POOL = 'pool:base:0x1111111111111111111111111111111111111111';

export const schemaExample = { ...describeModel(), methodVersion: '2026-11.2' };

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

export const nodeExample = {
  id: 'protocol:alpha-lending',
  labels: ['Protocol'],
  properties: {
    name: 'Alpha Lending',
    slug: 'alpha-lending',
    category: 'Lending',
    chains: ['base', 'ethereum'],
    tvlUsd: 410_000_000,
    audits: { status: 'reports', reports: 3 },
  },
  _riskTier: 'B',
  riskBreakdown: [
    { question: 'Has the code been audited?', answer: 'Yes: 3 reports can be read.' },
    { question: 'Why this grade?', answer: 'Audited and widely used; nothing weighs against it.' },
  ],
};

export const dependenciesExample = {
  nodeId: POOL,
  _riskTier: 'B',
  edges: [
    {
      type: 'OPERATED_BY',
      sourceId: POOL,
      targetId: 'protocol:alpha-lending',
      properties: {},
      lastUpdatedAt: '2026-03-01T12:00:00.000Z',
    },
  ],
  neighbors: [
    {
      id: nodeExample.id,
      labels: nodeExample.labels,
      properties: nodeExample.properties,
      _riskTier: 'B',
      lastUpdatedAt: '2026-03-01T12:00:00.000Z',
    },
  ],
};
