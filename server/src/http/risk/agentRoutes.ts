import { Type } from 'typebox';
import { LABELS, type Label } from '../../domain/risk/graph.ts';
import { checkQuery } from '../../domain/risk/search/checkQuery.ts';
import { type Parsed, parseGrade, parseTvl } from '../../domain/risk/search/comparison.ts';
import type { SearchHit, SearchQuery } from '../../domain/risk/search/searchDoc.ts';
import { buildSearchIndex } from '../../domain/risk/search/searchIndex.ts';
import { isAddress, isRightlySpelled, WRONG_CHECKSUM } from '../checksum.ts';
import type { PaidRoute } from '../paid/paidRoute.ts';
import { type ParameterReader, readParameters } from '../parameters.ts';
import type { RouteParameter, RouteRequest } from '../route.ts';
import { inPath, optional, required } from '../routeParameters.ts';
import { AskedWhole } from '../schemas.ts';
import { dependenciesExample, nodeExample, schemaExample, searchExample } from './agentExamples.ts';
import {
  dependenciesResult,
  describeModel,
  nodeResult,
  schemaResult,
  searchResult,
} from './agentSchemas.ts';
import { type DependencyGraph, sellDependencies } from './dependencies.ts';
import type { LiveGraph } from './liveGraph.ts';
import { existing, presentAddress, presentNode } from './presentNode.ts';

export interface AgentDeps {
  readonly graph: DependencyGraph & Pick<LiveGraph, 'findNode' | 'isBehind' | 'getOutlinesOf'>;
  readonly methodVersion: string;
}

const PAID =
  'Paid per query (402, x402 version 2); only a 2xx is charged, so 400, 403, 404, 429 and 5xx are free.';

const nodeIdText =
  'Node id as a search hit gives it; looked up in any case. A colon may be raw or encoded.';

const askedNodeId = Type.String({ minLength: 1, maxLength: 512 });
const SEARCH_LIMIT = { min: 1, max: 10, default: 10 } as const;

/** The four routes of the risk query API. What they sell is decided here; how it is paid is the gate's business. */
export function agentRoutes({ graph, methodVersion }: AgentDeps): PaidRoute[] {
  const model = { ...describeModel(), methodVersion };
  return [
    {
      path: '/api/v1/agent/schema',
      access: 'paid',
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
      access: 'paid',
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
        return (await sellSearch(graph, readSearch(request))).map(presentHit);
      },
    },
    {
      path: '/api/v1/agent/node/{nodeId}',
      access: 'paid',
      operationId: 'agentNode',
      price: 'node',
      summary: 'One node with its grade and the reasons for it',
      description: `Every fact that is known, the letter grade, and the rationale as questions and answers. 404 (free) when there is no such node. ${PAID}`,
      tag: 'risk',
      parameters: [inPath('nodeId', askedNodeId, nodeIdText, 'protocol:alpha-lending')],
      response: nodeResult,
      responseExample: nodeExample,
      problems: [400, 404],
      maxAge: 0,
      async answer({ path }) {
        const node = existing(await graph.findNode(path.nodeId ?? ''));
        const { grade, breakdown } = node.graded;
        // The store keeps no order of members.
        const riskBreakdown = breakdown.map(({ question, answer }) => ({ question, answer }));
        return { ...presentNode(node), _riskTier: grade, riskBreakdown };
      },
    },
    {
      path: '/api/v1/agent/dependencies',
      access: 'paid',
      operationId: 'agentDependencies',
      price: 'dependencies',
      summary: 'What a pool depends on directly',
      description: `Edges that begin at the pool and the nodes they lead to, each with \`lastUpdatedAt\` and each node with its grade. 404 (free) when there is no such node, 400 when it is not a pool. ${PAID}`,
      tag: 'risk',
      parameters: [
        required(
          'nodeId',
          askedNodeId,
          nodeIdText,
          'pool:base:0x1111111111111111111111111111111111111111',
        ),
      ],
      response: dependenciesResult,
      responseExample: dependenciesExample,
      problems: [400, 404],
      maxAge: 0,
      answer: (request) => sellDependencies(graph, readNodeId(request)),
    },
  ];
}

/** While the view in memory follows the store, what it found is sold as the store has it now. */
async function sellSearch(graph: AgentDeps['graph'], query: SearchQuery): Promise<SearchHit[]> {
  const hits = graph.current.search.search(query);
  if (!graph.isBehind || hits.length === 0) return hits;
  const found = await graph.getOutlinesOf(hits.map(({ id }) => id));
  return buildSearchIndex(found).search(query);
}

function readNodeId(request: RouteRequest): string {
  return readParameters((read) => readRequired(read, request, 'nodeId') ?? '', request);
}

function presentHit({ id, label, name, network, value, address, uniqueKey }: SearchHit) {
  const amount = label === 'Asset' ? { marketCapUsd: value } : { tvlUsd: value };
  const place =
    address !== undefined
      ? { address: presentAddress(address) }
      : { uniqueKey: uniqueKey ?? id.slice(id.indexOf(':') + 1) };
  return { id, label, name, network, ...amount, ...place };
}

function readSearch(request: RouteRequest) {
  return readParameters(
    (read) => ({
      q: readQuery(read, request),
      label: read.choice<Label>('label', LABELS),
      limit: read.integer('limit', SEARCH_LIMIT),
      tvl: parsed(read, 'tvl', read.text('tvl'), parseTvl),
      grade: parsed(read, 'grade', read.text('grade'), parseGrade),
    }),
    request,
  );
}

function readQuery(read: ParameterReader, request: RouteRequest): string {
  const q = parsed(read, 'q', readRequired(read, request, 'q'), checkQuery) ?? '';
  if (isAddress(q) && !isRightlySpelled(q)) read.mistake('q', WRONG_CHECKSUM);
  return q;
}

/** The reader tells of repeated and empty ones; an absent one is told of here. */
function readRequired(
  read: ParameterReader,
  request: RouteRequest,
  name: string,
): string | undefined {
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
  required(
    'q',
    Type.String({ minLength: 1, maxLength: 128 }),
    'An address, or a name or symbol: 1 to 128 characters after trimming, without * and %.',
    'usdc',
  ),
  optional('label', Type.Enum([...LABELS]), 'Only nodes of this kind.', 'Pool'),
  optional('limit', AskedWhole(SEARCH_LIMIT), 'At most so many hits, 1 to 10; 10 by default.', '5'),
  optional(
    'tvl',
    Type.String({ pattern: '^ *(>=?|<=?|=) *[0-9.eE+-]+ *$' }),
    'Only nodes whose value locked compares so: >, >=, <, <= or = and a number in USD. For assets it speaks of the market capitalisation. A node whose value is unknown never matches.',
    '>5e8',
  ),
  optional(
    'grade',
    Type.String({ pattern: '^ *(>=?|<=?|=)? *[A-Fa-f] *$' }),
    'Only nodes whose grade compares so: >, >=, <, <= or = and a letter, or a letter alone. A is the smallest: <=B means B or better.',
    '<=B',
  ),
];
