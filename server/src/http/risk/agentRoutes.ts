import { Type } from 'typebox';
import { LABELS, type Label } from '../../domain/risk/graph.ts';
import { checkQuery } from '../../risk/search/checkQuery.ts';
import { type Parsed, parseGrade, parseTvl } from '../../risk/search/comparison.ts';
import { buildSearchIndex } from '../../risk/search/searchIndex.ts';
import type { SearchHit, SearchQuery } from '../../risk/search/searchQuery.ts';
import { isAddress, isRightlySpelled, WRONG_CHECKSUM } from '../checksum.ts';
import type { PaidRoute } from '../paid/paidRoute.ts';
import { type ParameterReader, readParameters } from '../parameters.ts';
import type { RouteParameter, RouteRequest } from '../route.ts';
import { inPath, optional, required } from '../routeParameters.ts';
import { AskedWhole } from '../schemas.ts';
import { dependenciesExample, nodeExample, schemaExample, searchExample } from './agentExamples.ts';
import {
  AMBIGUOUS,
  askedNodeId,
  NODE_NAME,
  ofChain,
  PAID,
  readRequired,
} from './agentParameters.ts';
import {
  dependenciesResult,
  describeModel,
  nodeResult,
  schemaResult,
  searchResult,
} from './agentSchemas.ts';
import { batchRoutes } from './batchRoutes.ts';
import { type DependencyGraph, sellDependencies } from './dependencies.ts';
import type { LiveGraph } from './liveGraph.ts';
import { findNodeId, readNodeName } from './namedNode.ts';
import { existing, presentAddress, presentGraded } from './presentNode.ts';

export interface AgentDeps {
  readonly graph: DependencyGraph &
    Pick<LiveGraph, 'findNode' | 'findByKey' | 'isBehind' | 'getOutlinesOf'>;
  readonly methodVersion: string;
}

const SEARCH_LIMIT = { min: 1, max: 10, default: 10 } as const;

/** The routes of the risk API. They define the products; the gate handles the payment. */
export function agentRoutes({ graph, methodVersion }: AgentDeps): PaidRoute[] {
  const model = { ...describeModel(), methodVersion };
  return [
    {
      path: '/api/v1/agent/schema',
      access: 'paid',
      operationId: 'agentSchema',
      price: 'schema',
      summary: 'Get the data model',
      description: `Returns node types with their properties, edge types, grades, and the version of the grading method. ${PAID}`,
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
      summary: 'Find pools, assets, protocols, and chains',
      description: `Finds nodes by address, name, or symbol, best match first: exact addresses and ids, then names by prefix, by word, and with small typos. Filters apply inside the search. Results have no grade; buy it with a node request. A search without results is charged too. ${PAID}`,
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
      summary: 'Get a node with its grade and the reasons',
      description: `Returns every known fact, the letter grade, and the rationale as questions and answers. 404 (free) if there is no such node. ${AMBIGUOUS} ${PAID}`,
      tag: 'risk',
      parameters: [inPath('nodeId', askedNodeId, NODE_NAME, 'protocol:alpha-lending'), ofChain],
      response: nodeResult,
      responseExample: nodeExample,
      problems: [400, 404],
      maxAge: 0,
      async answer(request) {
        const name = readNodeName(request, () => request.path.nodeId ?? '');
        const id = await findNodeId(graph, name);
        return presentGraded(existing(id === undefined ? undefined : await graph.findNode(id)));
      },
    },
    {
      path: '/api/v1/agent/dependencies',
      access: 'paid',
      operationId: 'agentDependencies',
      price: 'dependencies',
      summary: 'Get the direct dependencies of a pool',
      description: `Returns the edges from the pool and their target nodes, each with \`lastUpdatedAt\`, and each node with its grade. 404 (free) if there is no such node, 400 (free) if it is not a pool. ${AMBIGUOUS} If a pool and its token share an address, the address means the pool. ${PAID}`,
      tag: 'risk',
      parameters: [
        required(
          'nodeId',
          askedNodeId,
          NODE_NAME,
          'pool:base:0x1111111111111111111111111111111111111111',
        ),
        ofChain,
      ],
      response: dependenciesResult,
      responseExample: dependenciesExample,
      problems: [400, 404],
      maxAge: 0,
      async answer(request) {
        const name = readNodeName(request, (read) => readRequired(read, request, 'nodeId') ?? '');
        return sellDependencies(graph, existing(await findNodeId(graph, name, 'Pool')));
      },
    },
    ...batchRoutes(graph),
  ];
}

/** While the view in memory lags behind the store, results are read from the store. */
async function sellSearch(graph: AgentDeps['graph'], query: SearchQuery): Promise<SearchHit[]> {
  const hits = graph.current.search.search(query);
  if (!graph.isBehind || hits.length === 0) return hits;
  const found = await graph.getOutlinesOf(hits.map(({ id }) => id));
  return buildSearchIndex(found).search(query);
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
    'Address, name, or symbol: 1 to 128 characters after trimming, without * and %.',
    'usdc',
  ),
  optional('label', Type.Enum([...LABELS]), 'Only nodes of this kind.', 'Pool'),
  optional(
    'limit',
    AskedWhole(SEARCH_LIMIT),
    'Maximum number of results, 1 to 10. Default: 10.',
    '5',
  ),
  optional(
    'tvl',
    Type.String({ pattern: '^ *(>=?|<=?|=) *[0-9.eE+-]+ *$' }),
    'Filter by TVL: >, >=, <, <=, or =, and a number in USD. For assets, the market cap is compared. A node with an unknown value never matches.',
    '>5e8',
  ),
  optional(
    'grade',
    Type.String({ pattern: '^ *(>=?|<=?|=)? *[A-Fa-f] *$' }),
    'Filter by grade: >, >=, <, <=, or =, and a letter, or only a letter. A is the smallest: <=B means B or better.',
    '<=B',
  ),
];
