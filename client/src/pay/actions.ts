// Generated from the server's routes by generate/generate.ts; run `npm test -- client/generate -u` to update it.
import type * as types from '../api/types.ts';
import { paidAction } from './paidAction.ts';

/**
 * Get the data model. Returns node types with their properties, edge types, grades, and the version of the grading method. Paid per request (402, x402 version 2). Only a 2xx is charged; 400, 403, 404, 429, and 5xx are free. Price: 0.001 USD (1000 base units), unless the 402 shows another price.
 *
 * @example
 * const { data, payment } = await agentSchema(client, payer);
 * console.log(data, payment?.amount);
 */
export const agentSchema = /* @__PURE__ */ paidAction<types.AgentSchemaParameters, types.RiskSchema, types.RiskSchema>(
  '/api/v1/agent/schema',
);

/**
 * Find pools, assets, protocols, and chains. Finds nodes by address, name, or symbol, best match first: exact addresses and ids, then names by prefix, by word, and with small typos. Filters apply inside the search. Results have no grade; buy it with a node request. A search without results is charged too. Paid per request (402, x402 version 2). Only a 2xx is charged; 400, 403, 404, 429, and 5xx are free. Price: 0.001 USD (1000 base units), unless the 402 shows another price.
 *
 * @example
 * const { data, payment } = await agentSearch(client, payer, { q: 'usdc' });
 * console.log(data, payment?.amount);
 */
export const agentSearch = /* @__PURE__ */ paidAction<types.AgentSearchParameters, readonly (types.LockedValueHit | types.AssetHit)[], readonly (types.LockedValueHit | types.AssetHit)[]>(
  '/api/v1/agent/search',
  'q label limit tvl grade',
);

/**
 * Get a node with its grade and the reasons. Returns every known fact, the letter grade, and the rationale as questions and answers. 404 (free) if there is no such node. 400 (free) if an address or unique key matches several nodes; `candidates` has their ids. Paid per request (402, x402 version 2). Only a 2xx is charged; 400, 403, 404, 429, and 5xx are free. Price: 0.05 USD (50000 base units), unless the 402 shows another price.
 *
 * @example
 * const { data, payment } = await agentNode(client, payer, { nodeId: 'chain:base', maxAmount: 50_000n });
 * console.log(data, payment?.amount);
 */
export const agentNode = /* @__PURE__ */ paidAction<types.AgentNodeParameters, types.RiskNode, types.RiskNode>(
  '/api/v1/agent/node/{nodeId}',
  'chainId',
);

/**
 * Get the direct dependencies of a pool. Returns the edges from the pool and their target nodes, each with `lastUpdatedAt`, and each node with its grade. 404 (free) if there is no such node, 400 (free) if it is not a pool. 400 (free) if an address or unique key matches several nodes; `candidates` has their ids. If a pool and its token share an address, the address means the pool. Paid per request (402, x402 version 2). Only a 2xx is charged; 400, 403, 404, 429, and 5xx are free. Price: 1.00 USD (1000000 base units), unless the 402 shows another price.
 *
 * @example
 * const found = await agentSearch(client, payer, { q: 'alpha', label: 'Pool', limit: 1 });
 * const nodeId = found.data[0]?.id ?? '';
 * const { data, payment } = await agentDependencies(client, payer, { nodeId });
 * console.log(data, payment?.amount);
 */
export const agentDependencies = /* @__PURE__ */ paidAction<types.AgentDependenciesParameters, types.RiskDependencies, types.RiskDependencies>(
  '/api/v1/agent/dependencies',
  'nodeId chainId',
);

/**
 * Get several nodes with their grades and the reasons. Returns up to 20 nodes, each as `/api/v1/agent/node/{nodeId}` does. Each id counts as one call in the price, the payer's rate limit, and its settled calls; the sum is one payment. Results have the order of the ids. One unknown id fails the entire request: the 404 (free) names it. 400 (free) if a node is listed twice. 400 (free) if an address or unique key matches several nodes; `candidates` has their ids. Paid per request (402, x402 version 2). Only a 2xx is charged; 400, 403, 404, 429, and 5xx are free. Price: 0.05 USD (50000 base units) per id, unless the 402 shows another price.
 *
 * @example
 * const { data, payment } = await agentNodes(client, payer, { nodeIds: 'protocol:alpha-lending,chain:base' });
 * console.log(data, payment?.amount);
 */
export const agentNodes = /* @__PURE__ */ paidAction<types.AgentNodesParameters, readonly types.RiskNode[], readonly types.RiskNode[]>(
  '/api/v1/agent/nodes',
  'nodeIds chainId',
);

/**
 * Get the direct dependencies of several pools. Returns the direct dependencies of up to 20 pools, each as `/api/v1/agent/dependencies` does. Each id counts as one call in the price, the payer's rate limit, and its settled calls; the sum is one payment. Results have the order of the ids. One unknown id fails the entire request: the 404 (free) names it. 400 (free) if a node is listed twice. 400 (free) when a node is not a pool. 400 (free) if an address or unique key matches several nodes; `candidates` has their ids. Paid per request (402, x402 version 2). Only a 2xx is charged; 400, 403, 404, 429, and 5xx are free. Price: 1.00 USD (1000000 base units) per id, unless the 402 shows another price.
 *
 * @example
 * const found = await agentSearch(client, payer, { q: 'alpha', label: 'Pool', limit: 2 });
 * const nodeIds = found.data.map(({ id }) => id).join(',');
 * const { data, payment } = await agentDependenciesBatch(client, payer, { nodeIds });
 * console.log(data, payment?.amount);
 */
export const agentDependenciesBatch = /* @__PURE__ */ paidAction<types.AgentDependenciesBatchParameters, readonly types.RiskDependencies[], readonly types.RiskDependencies[]>(
  '/api/v1/agent/dependencies/batch',
  'nodeIds chainId',
);
