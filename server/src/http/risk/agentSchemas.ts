import { Type } from 'typebox';
import { EDGE_ENDS, GRADES, LABELS } from '../../domain/risk/graph.ts';
import { NODE_PROPERTIES } from './nodeProperties.ts';

const id = Type.String({
  description:
    'Node id: pool:<chain>:<address or key>, asset:<chain>:<address>, protocol:<slug> or chain:<slug>, in lower case.',
  examples: ['pool:base:0x1111111111111111111111111111111111111111'],
});

const label = Type.Enum([...LABELS], { description: 'Kind of node.' });

const riskTier = Type.Enum([...GRADES], {
  description: 'Letter grade, A safest to F riskiest; the only risk value there is.',
});

const lastUpdatedAt = Type.String({
  format: 'date-time',
  description: 'When anything that is known of it last changed, UTC.',
});

const edgeType = Type.Enum(Object.keys(EDGE_ENDS), {
  description: 'What the source has to do with the target.',
});

const properties = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'Every fact that is known; one that is not known is absent. GET /api/v1/agent/schema lists them by label.',
});

export const schemaResult = Type.Object({
  nodeTypes: Type.Array(
    Type.Object({
      label,
      properties: Type.Array(
        Type.Object({
          name: Type.String({ description: 'Name of the property.' }),
          type: Type.String({ description: 'JSON type of its value.' }),
          description: Type.String({ description: 'What it says, and in which unit.' }),
        }),
        { description: 'Properties that a node of this label may have.' },
      ),
    }),
    { description: 'The kinds of node.' },
  ),
  edgeTypes: Type.Array(
    Type.Object({
      type: edgeType,
      from: label,
      to: label,
    }),
    { description: 'The kinds of edge, and what each may join: the source depends on the target.' },
  ),
  grades: Type.Array(riskTier, { description: 'The letters, safest first.' }),
  methodVersion: Type.String({ description: 'Version of the grading method.' }),
});

const hitFields = {
  id,
  label,
  name: Type.String({ description: 'Name.' }),
  network: Type.String({
    description:
      'Slug of its chain; multichain for a protocol on several, unknown where no source says.',
  }),
};
const value = (description: string) =>
  Type.Union([Type.Number(), Type.Null()], {
    description: `${description} In USD; null when unknown.`,
  });
const place = {
  address: Type.Optional(
    Type.String({
      description:
        'Address, on whichever chain; on EVM chains with its EIP-55 checksum, on others as it is written there.',
    }),
  ),
  uniqueKey: Type.Optional(
    Type.String({ description: 'What names it in its id, where it has no address.' }),
  ),
};

export const searchResult = Type.Array(
  Type.Union([
    Type.Object({ ...hitFields, tvlUsd: value('Value locked.'), ...place }),
    Type.Object({
      ...hitFields,
      marketCapUsd: value('Market capitalisation, for assets.'),
      ...place,
    }),
  ]),
  { maxItems: 10, description: 'At most 10 hits, best first. They carry no grade.' },
);

const node = { id, labels: Type.Array(label, { description: 'Its one label.' }), properties };

export const nodeResult = Type.Object({
  ...node,
  _riskTier: riskTier,
  riskBreakdown: Type.Array(
    Type.Object({
      question: Type.String({ description: 'What was asked.' }),
      answer: Type.String({ description: 'What is known, in plain words.' }),
    }),
    { description: 'Why it has this grade; the last row sums up.' },
  ),
});

export const dependenciesResult = Type.Object({
  nodeId: id,
  _riskTier: riskTier,
  edges: Type.Array(
    Type.Object({
      type: edgeType,
      sourceId: id,
      targetId: id,
      properties: Type.Record(Type.String(), Type.Unknown(), {
        description: 'What is known of the edge itself.',
      }),
      lastUpdatedAt,
    }),
    { description: 'Direct dependencies of the pool, one hop away.' },
  ),
  neighbors: Type.Array(Type.Object({ ...node, _riskTier: riskTier, lastUpdatedAt }), {
    description: 'The nodes that the edges lead to.',
  }),
});

/** The answer of `schema`, but for its version: it changes with the server only. */
export function describeModel() {
  return {
    nodeTypes: LABELS.map((name) => ({
      label: name,
      properties: Object.entries(NODE_PROPERTIES[name]).map(([property, schema]) => {
        const { type, description } = schema as { type?: string; description?: string };
        return { name: property, type: type ?? 'object', description: description ?? '' };
      }),
    })),
    edgeTypes: Object.entries(EDGE_ENDS).flatMap(([type, ends]) =>
      ends.map(([from, to]) => ({ type, from, to })),
    ),
    grades: [...GRADES],
  };
}
