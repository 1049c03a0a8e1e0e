import { Type } from 'typebox';
import { EDGE_ENDS, GRADES, LABELS } from '../../domain/risk/graph.ts';
import {
  AnyFields,
  DateTime,
  Grade,
  List,
  NodeLabel,
  Nullable,
  OneOf,
  Shape,
  Text,
  Usd,
} from '../schemas.ts';
import { NODE_PROPERTIES } from './nodeProperties.ts';

const id = Text(
  'Node id: pool:<chain>:<address or key>, asset:<chain>:<address>, protocol:<slug> or chain:<slug>, in lower case.',
  'pool:base:0x1111111111111111111111111111111111111111',
);
const label = NodeLabel('Kind of node.');
const riskTier = Grade('Letter grade, A safest to F riskiest; the only risk value there is.');
const lastUpdatedAt = DateTime('When anything that is known of it last changed.');
const edgeType = OneOf(Object.keys(EDGE_ENDS), 'What the source has to do with the target.');

const property = Shape(
  {
    name: Text('Name of the property.', 'tvlUsd'),
    type: Text('JSON type of its value.', 'number'),
    description: Text('What it says, and in which unit.'),
  },
  'A property.',
);

export const schemaResult = Shape(
  {
    nodeTypes: List(
      Shape(
        {
          label,
          properties: List(property, 'Properties that a node of this label may have.'),
        },
        'A kind of node.',
      ),
      'The kinds of node.',
    ),
    edgeTypes: List(
      Shape({ type: edgeType, from: label, to: label }, 'A kind of edge.'),
      'The kinds of edge, and what each may join: the source depends on the target.',
    ),
    grades: List(riskTier, 'The letters, safest first.'),
    methodVersion: Text('Version of the grading method.'),
  },
  'The data model.',
);

const hitFields = {
  id,
  label,
  name: Text('Name.'),
  network: Text(
    'Slug of its chain; multichain for a protocol on several, unknown where no source says.',
    'base',
  ),
};
const value = (what: string) => Nullable(Usd(`${what}.`), `${what}. In USD; null when unknown.`);
const place = {
  address: Type.Optional(
    Text(
      'Address, on whichever chain; on EVM chains with its EIP-55 checksum, on others as it is written there.',
    ),
  ),
  uniqueKey: Type.Optional(Text('What names it in its id, where it has no address.')),
};

export const searchResult = Type.Array(
  Type.Union([
    Shape(
      { ...hitFields, tvlUsd: value('Value locked'), ...place },
      'A pool, a protocol or a chain.',
    ),
    Shape(
      { ...hitFields, marketCapUsd: value('Market capitalisation, for assets'), ...place },
      'An asset.',
    ),
  ]),
  { maxItems: 10, description: 'At most 10 hits, best first. They carry no grade.' },
);

const node = {
  id,
  labels: List(label, 'Its one label.'),
  properties: AnyFields(
    'Every fact that is known; one that is not known is absent. GET /api/v1/agent/schema lists them by label.',
  ),
};

const reason = Shape(
  { question: Text('What was asked.'), answer: Text('What is known, in plain words.') },
  'One reason for the grade.',
);

export const nodeResult = Shape(
  {
    ...node,
    _riskTier: riskTier,
    riskBreakdown: List(reason, 'Why it has this grade; the last row sums up.'),
  },
  'A node with its grade.',
);

const edge = Shape(
  {
    type: edgeType,
    sourceId: id,
    targetId: id,
    properties: AnyFields('What is known of the edge itself.'),
    lastUpdatedAt,
  },
  'A dependency.',
);

export const dependenciesResult = Shape(
  {
    nodeId: id,
    _riskTier: riskTier,
    edges: List(edge, 'Direct dependencies of the pool, one hop away.'),
    neighbors: List(
      Shape({ ...node, _riskTier: riskTier, lastUpdatedAt }, 'A node that an edge leads to.'),
      'The nodes that the edges lead to.',
    ),
  },
  'What a pool depends on directly.',
);

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
