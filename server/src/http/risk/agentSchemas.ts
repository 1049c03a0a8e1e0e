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
  'Node id: pool:<chain>:<address or key>, asset:<chain>:<address>, protocol:<slug>, or chain:<slug>, in lower case.',
  'pool:base:0x1111111111111111111111111111111111111111',
);
const label = NodeLabel('Kind of node.');
const riskTier = Grade('Letter grade, A (safest) to F (riskiest).');
const lastUpdatedAt = DateTime('When a known fact last changed.');
const edgeType = OneOf(Object.keys(EDGE_ENDS), 'How the source depends on the target.');

const property = Shape(
  {
    name: Text('Name of the property.', 'tvlUsd'),
    type: Text('JSON type of its value.', 'number'),
    description: Text('What it means, and its unit.'),
  },
  'A property.',
);

export const schemaResult = Shape(
  {
    nodeTypes: List(
      Shape(
        {
          label,
          properties: List(property, 'Properties that a node with this label can have.'),
        },
        'A kind of node.',
      ),
      'The kinds of node.',
    ),
    edgeTypes: List(
      Shape({ type: edgeType, from: label, to: label }, 'A kind of edge.'),
      'The kinds of edges, and what each can connect: the source depends on the target.',
    ),
    grades: List(riskTier, 'The grades, safest first.'),
    methodVersion: Text('Version of the grading method.'),
  },
  'The data model.',
);

const hitFields = {
  id,
  label,
  name: Text('Name.'),
  network: Text(
    'Slug of its chain; multichain for a protocol on several chains, unknown if no source has it.',
    'base',
  ),
};
const value = (what: string) => Nullable(Usd(`${what}.`), `${what}. In USD; null when unknown.`);
const place = {
  address: Type.Optional(
    Text(
      'Address, on any chain; on EVM chains with its EIP-55 checksum, on others in their own format.',
    ),
  ),
  uniqueKey: Type.Optional(Text('The key in its id, if it has no address.')),
};

export const searchResult = Type.Array(
  Type.Union([
    Shape(
      { ...hitFields, tvlUsd: value('Total value locked'), ...place },
      'A pool, a protocol, or a chain.',
    ),
    Shape({ ...hitFields, marketCapUsd: value('Market cap, for assets'), ...place }, 'An asset.'),
  ]),
  { maxItems: 10, description: 'Up to 10 results, best match first, without grades.' },
);

const node = {
  id,
  labels: List(label, 'The only label.'),
  properties: AnyFields(
    'Every known fact; unknown facts are absent. GET /api/v1/agent/schema lists them by label.',
  ),
};

const reason = Shape(
  { question: Text('The question.'), answer: Text('The known facts, in plain language.') },
  'One reason for the grade.',
);

export const nodeResult = Shape(
  {
    ...node,
    _riskTier: riskTier,
    riskBreakdown: List(reason, 'Why it has this grade; the last row is the summary.'),
  },
  'A node with its grade.',
);

const edge = Shape(
  {
    type: edgeType,
    sourceId: id,
    targetId: id,
    properties: AnyFields('Known facts about the edge itself.'),
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
      Shape({ ...node, _riskTier: riskTier, lastUpdatedAt }, 'The target of an edge.'),
      'The targets of the edges.',
    ),
  },
  'The direct dependencies of a pool.',
);

/** The response of `schema` except for its version: it changes only with the server. */
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
