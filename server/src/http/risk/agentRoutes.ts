import { Type } from 'typebox';
import type { Address } from '../../domain/hex.ts';
import { LABELS, type Label } from '../../domain/risk/graph.ts';
import { checkQuery } from '../../domain/risk/search/checkQuery.ts';
import { type Parsed, parseGrade, parseTvl } from '../../domain/risk/search/comparison.ts';
import type { SearchHit } from '../../domain/risk/search/searchDoc.ts';
import { toIso } from '../../domain/time.ts';
import type { GradedNode } from '../../store/risk/read.ts';
import { checksummed, isAddress, isRightlySpelled, WRONG_CHECKSUM } from '../checksum.ts';
import type { PaidRoute } from '../paid/paidRoute.ts';
import { type ParameterReader, readParameters } from '../parameters.ts';
import { BadParameters, NotFound } from '../problem.ts';
import type { RouteParameter, RouteRequest } from '../route.ts';
import { dependenciesExample, nodeExample, schemaExample, searchExample } from './agentExamples.ts';
import {
  dependenciesResult,
  describeModel,
  nodeResult,
  schemaResult,
  searchResult,
} from './agentSchemas.ts';
import type { LiveGraph } from './liveGraph.ts';

export interface AgentDeps {
  readonly graph: Pick<LiveGraph, 'current' | 'findNode' | 'getNodes'>;
  readonly methodVersion: string;
}

const PAID =
  'Paid per query (402, x402 version 2); only a 2xx is charged, so 400, 403, 404, 429 and 5xx are free.';

const nodeIdText =
  'Node id as a search hit gives it; looked up in any case. A colon may be raw or encoded.';

/** The four routes of the risk query API. What they sell is decided here; how it is paid is the gate's business. */
export function agentRoutes({ graph, methodVersion }: AgentDeps): PaidRoute[] {
  const model = { ...describeModel(), methodVersion };
  return [
    {
      path: '/api/v1/agent/schema',
      operationId: 'agentSchema',
      price: 'schema',
      summary: 'The data model',
      description: `Node types with their properties, edge types, grade letters and the version of the grading method. ${PAID}`,
      tag: 'risk',
      parameters: [],
      response: schemaResult,
      responseExample: schemaExample,
      problems: [],
      maxAge: 0,
      answer: async () => model,
    },
    {
      path: '/api/v1/agent/search',
      operationId: 'agentSearch',
      price: 'search',
      summary: 'Find pools, assets, protocols and chains',
      description: `Finds nodes by address, name or symbol, best first: an address or id itself, then names by their beginning, by words, and with small typing mistakes. Filters work inside the search. Hits carry no grade: a node call sells it. Always charged, also when nothing is found. ${PAID}`,
      tag: 'risk',
      parameters: searchParameters,
      response: searchResult,
      responseExample: searchExample,
      problems: [400],
      maxAge: 0,
      async answer(request) {
        const query = readSearch(request);
        return graph.current.search.search(query).map(presentHit);
      },
    },
    {
      path: '/api/v1/agent/node/{nodeId}',
      operationId: 'agentNode',
      price: 'node',
      summary: 'One node with its grade and the reasons for it',
      description: `Every fact that is known, the letter grade, and the rationale as questions and answers. 404 (free) when there is no such node. ${PAID}`,
      tag: 'risk',
      parameters: [
        {
          name: 'nodeId',
          in: 'path',
          required: true,
          description: nodeIdText,
          schema: Type.String({ minLength: 1, maxLength: 512 }),
          example: 'protocol:alpha-lending',
        },
      ],
      response: nodeResult,
      responseExample: nodeExample,
      problems: [400, 404],
      maxAge: 0,
      async answer({ path }) {
        const found = await findNode(graph, path.nodeId ?? '');
        const { grade, breakdown } = found.graded;
        // The store keeps no order of members.
        const riskBreakdown = breakdown.map(({ question, answer }) => ({ question, answer }));
        return { ...presentNode(found), _riskTier: grade, riskBreakdown };
      },
    },
    {
      path: '/api/v1/agent/dependencies',
      operationId: 'agentDependencies',
      price: 'dependencies',
      summary: 'What a pool depends on directly',
      description: `Edges that begin at the pool and the nodes they lead to, each with \`lastUpdatedAt\` and each node with its grade. 404 (free) when there is no such node, 400 when it is not a pool. ${PAID}`,
      tag: 'risk',
      parameters: [
        {
          name: 'nodeId',
          in: 'query',
          required: true,
          description: nodeIdText,
          schema: Type.String({ minLength: 1, maxLength: 512 }),
          example: 'pool:base:0x1111111111111111111111111111111111111111',
        },
      ],
      response: dependenciesResult,
      responseExample: dependenciesExample,
      problems: [400, 404],
      maxAge: 0,
      answer: (request) => dependencies(graph, request),
    },
  ];
}

async function dependencies(graph: AgentDeps['graph'], request: RouteRequest) {
  const nodeId = readParameters((read) => required(read, request, 'nodeId') ?? '', request);
  const view = graph.current;
  const found = await findNode(graph, nodeId);
  if (found.node.label !== 'Pool') {
    throw new BadParameters([
      { parameter: 'nodeId', reason: 'must be a pool; other nodes have no dependencies to sell' },
    ]);
  }
  const at = view.adjacency.find(found.node.id);
  // Imported a moment ago: the index follows.
  const edges = at === undefined ? [] : view.adjacency.dependenciesOf(at);
  const neighbors = await graph.getNodes([
    ...new Set(edges.map(({ target }) => view.adjacency.idAt(target))),
  ]);
  const known = new Set(neighbors.map(({ node }) => node.id));
  return {
    nodeId: found.node.id,
    _riskTier: found.graded.grade,
    edges: edges
      .map(({ type, target, lastUpdatedAt }) => ({
        type,
        sourceId: found.node.id,
        targetId: view.adjacency.idAt(target),
        properties: {},
        lastUpdatedAt: toIso(lastUpdatedAt),
      }))
      .filter(({ targetId }) => known.has(targetId)),
    neighbors: neighbors.map((neighbor) => ({
      ...presentNode(neighbor),
      _riskTier: neighbor.graded.grade,
      lastUpdatedAt: toIso(neighbor.lastUpdatedAt),
    })),
  };
}

async function findNode(graph: AgentDeps['graph'], id: string): Promise<GradedNode> {
  const found = await graph.findNode(id);
  if (found === undefined) throw new NotFound('there is no such node; search finds ids');
  return found;
}

function presentNode({ node }: GradedNode) {
  const { facts } = node;
  const properties =
    'address' in facts && facts.address !== undefined
      ? { ...facts, address: presentAddress(facts.address) }
      : facts;
  return { id: node.id, labels: [node.label], properties };
}

function presentHit({ id, label, name, network, value, address }: SearchHit) {
  const amount = label === 'Asset' ? { marketCapUsd: value } : { tvlUsd: value };
  const place =
    address !== undefined && isEvmAddress(address)
      ? { address: presentAddress(address) }
      : { uniqueKey: address ?? id.slice(id.indexOf(':') + 1) };
  return { id, label, name, network, ...amount, ...place };
}

function isEvmAddress(text: string): text is Address {
  return /^0x[0-9a-f]{40}$/.test(text);
}

/** Other chains' addresses are shown as they are. */
function presentAddress(address: string): string {
  return isEvmAddress(address) ? checksummed(address) : address;
}

function readSearch(request: RouteRequest) {
  return readParameters(
    (read) => ({
      q: readQuery(read, request),
      label: read.choice<Label>('label', LABELS),
      limit: read.integer('limit', { min: 1, max: 10, default: 10 }),
      tvl: parsed(read, 'tvl', read.text('tvl'), parseTvl),
      grade: parsed(read, 'grade', read.text('grade'), parseGrade),
    }),
    request,
  );
}

function readQuery(read: ParameterReader, request: RouteRequest): string {
  const q = parsed(read, 'q', required(read, request, 'q'), checkQuery) ?? '';
  if (isAddress(q) && !isRightlySpelled(q)) read.mistake('q', WRONG_CHECKSUM);
  return q;
}

/** The reader tells of repeated and empty ones; an absent one is told of here. */
function required(read: ParameterReader, request: RouteRequest, name: string): string | undefined {
  if (!request.query.has(name)) read.mistake(name, 'is missing; give it');
  return read.text(name);
}

function parsed<T>(
  read: ParameterReader,
  name: string,
  text: string | undefined,
  parse: (text: string) => Parsed<T>,
): T | undefined {
  if (text === undefined) return undefined;
  const result = parse(text);
  if (result.ok) return result.value;
  read.mistake(name, result.reason);
  return undefined;
}

const searchParameters: RouteParameter[] = [
  {
    name: 'q',
    in: 'query',
    required: true,
    description:
      'An address, or a name or symbol: 1 to 128 characters after trimming, without * and %.',
    schema: Type.String({ minLength: 1, maxLength: 128 }),
    example: 'usdc',
  },
  {
    name: 'label',
    in: 'query',
    required: false,
    description: 'Only nodes of this kind.',
    schema: Type.Enum([...LABELS]),
    example: 'Pool',
  },
  {
    name: 'limit',
    in: 'query',
    required: false,
    description: 'At most so many hits, 1 to 10; 10 by default.',
    schema: Type.Integer({ minimum: 1, maximum: 10, default: 10 }),
    example: '5',
  },
  {
    name: 'tvl',
    in: 'query',
    required: false,
    description:
      'Only nodes whose value locked compares so: >, >=, <, <= or = and a number in USD. For assets it speaks of the market capitalisation. A node whose value is unknown never matches.',
    schema: Type.String({ pattern: '^ *(>=?|<=?|=) *[0-9.eE+-]+ *$' }),
    example: '>5e8',
  },
  {
    name: 'grade',
    in: 'query',
    required: false,
    description:
      'Only nodes whose grade compares so: >, >=, <, <= or = and a letter, or a letter alone. A is the smallest: <=B means B or better.',
    schema: Type.String({ pattern: '^ *(>=?|<=?|=)? *[A-Fa-f] *$' }),
    example: '<=B',
  },
];
