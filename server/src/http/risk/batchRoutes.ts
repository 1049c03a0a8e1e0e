import { Type } from 'typebox';
import type { PaidRoute } from '../paid/paidRoute.ts';
import { BadParameters, NotFound, noSuch } from '../problem.ts';
import type { RouteRequest } from '../route.ts';
import { required } from '../routeParameters.ts';
import { dependenciesExample, nodeExample } from './agentExamples.ts';
import { AMBIGUOUS, NODE_NAME, ofChain, PAID } from './agentParameters.ts';
import { dependenciesResult, nodeResult } from './agentSchemas.ts';
import { type DependencyGraph, sellDependencies } from './dependencies.ts';
import type { LiveGraph } from './liveGraph.ts';
import { findNodeId, MAX_NODES, readNodeNames } from './namedNode.ts';
import { presentGraded } from './presentNode.ts';

type BatchGraph = DependencyGraph & Pick<LiveGraph, 'findByKey'>;

const EACH =
  "Each id counts as one call in the price, the payer's rate limit, and its settled calls; the sum is one payment. Results have the order of the ids. One unknown id fails the entire request: the 404 (free) names it. 400 (free) if a node is listed twice.";

const nodeIds = (example: string) =>
  required(
    'nodeIds',
    Type.String({ minLength: 1, maxLength: 1_400 }),
    `1 to ${MAX_NODES} nodes, separated by commas, each listed once. ${NODE_NAME}`,
    example,
  );

const CALLS = {
  max: MAX_NODES,
  // Directories probe routes without parameters and expect an invoice: it is for one node.
  of: (request: RouteRequest) => (request.query.has('nodeIds') ? readNodeNames(request).length : 1),
};

/** Sells several nodes for one payment. */
export function batchRoutes(graph: BatchGraph): PaidRoute[] {
  return [
    {
      path: '/api/v1/agent/nodes',
      access: 'paid',
      operationId: 'agentNodes',
      price: 'node',
      calls: CALLS,
      summary: 'Get several nodes with their grades and the reasons',
      description: `Returns up to ${MAX_NODES} nodes, each as \`/api/v1/agent/node/{nodeId}\` does. ${EACH} ${AMBIGUOUS} ${PAID}`,
      tag: 'risk',
      parameters: [nodeIds('protocol:alpha-lending,chain:base'), ofChain],
      response: Type.Array(nodeResult, {
        minItems: 1,
        maxItems: MAX_NODES,
        description: 'The nodes, in the order of the request.',
      }),
      responseExample: [nodeExample],
      problems: [400, 404],
      maxAge: 0,
      async answer(request) {
        const named = await findNodeIds(graph, request);
        const { nodes } = await graph.getNodes([...named.keys()]);
        const byId = new Map(nodes.map((node) => [node.node.id, node]));
        refuseUnknown(named, (id) => byId.has(id));
        return [...named.keys()].map((id) => presentGraded(byId.get(id)!));
      },
    },
    {
      path: '/api/v1/agent/dependencies/batch',
      access: 'paid',
      operationId: 'agentDependenciesBatch',
      price: 'dependencies',
      calls: CALLS,
      summary: 'Get the direct dependencies of several pools',
      description: `Returns the direct dependencies of up to ${MAX_NODES} pools, each as \`/api/v1/agent/dependencies\` does. ${EACH} 400 (free) when a node is not a pool. ${AMBIGUOUS} ${PAID}`,
      tag: 'risk',
      parameters: [
        nodeIds(
          'pool:base:0x1111111111111111111111111111111111111111,pool:base:0x2222222222222222222222222222222222222222',
        ),
        ofChain,
      ],
      response: Type.Array(dependenciesResult, {
        minItems: 1,
        maxItems: MAX_NODES,
        description: 'The dependencies of each pool, in the order of the request.',
      }),
      responseExample: [dependenciesExample],
      problems: [400, 404],
      maxAge: 0,
      async answer(request) {
        const named = await findNodeIds(graph, request, 'Pool');
        const { nodes } = await graph.getNodes([...named.keys()]);
        const known = new Set(nodes.map(({ node }) => node.id));
        // A replica may not have a node yet that is in memory.
        const { adjacency } = graph.current;
        refuseUnknown(named, (id) => known.has(id) || adjacency.find(id) !== undefined);
        const results: unknown[] = [];
        // Sequential: a request must not use every connection of the store.
        for (const [id, name] of named) {
          results.push(await sellDependencies(graph, id, { parameter: 'nodeIds', name }));
        }
        return results;
      },
    },
  ];
}

/** Returns the name of each node by id, in the order of the request. */
async function findNodeIds(
  graph: BatchGraph,
  request: RouteRequest,
  label?: 'Pool',
): Promise<ReadonlyMap<string, string>> {
  const named = new Map<string, string>();
  for (const name of readNodeNames(request)) {
    // A name that matches no node stands for itself, and is missing like an unknown id.
    const id = (await findNodeId(graph, name, label)) ?? name.text;
    const other = named.get(id);
    if (other !== undefined) {
      const reason = `names one node twice (${other}, ${name.text}); list each node once`;
      throw new BadParameters([{ parameter: 'nodeIds', reason }]);
    }
    named.set(id, name.text);
  }
  return named;
}

function refuseUnknown(named: ReadonlyMap<string, string>, isKnown: (id: string) => boolean): void {
  const unknown = [...named].filter(([id]) => !isKnown(id)).map(([, name]) => name);
  if (unknown.length > 0) throw new NotFound(noSuch('node', unknown));
}
