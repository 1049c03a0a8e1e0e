// Written from the server's routes by generate/generate.ts; `npm test -- client/generate -u` writes it anew.
import type * as types from '../api/types.ts';
import { paidAction } from './paidAction.ts';

/** The data model. Node types with their properties, edge types, grade letters and the version of the grading method. Paid per query (402, x402 version 2); only a 2xx is charged, so 400, 403, 404, 429 and 5xx are free. Price: 0.001 USD (1000 base units), unless the 402 says otherwise. */
export const agentSchema = /* @__PURE__ */ paidAction<types.AgentSchemaParameters, types.RiskSchema, types.RiskSchema>(
  '/api/v1/agent/schema',
  '',
  '',
);

/** Find pools, assets, protocols and chains. Finds nodes by address, name or symbol, best first: an address or id itself, then names by their beginning, by words, and with small typing mistakes. Filters work inside the search. Hits carry no grade: a node call sells it. Always charged, also when nothing is found. Paid per query (402, x402 version 2); only a 2xx is charged, so 400, 403, 404, 429 and 5xx are free. Price: 0.001 USD (1000 base units), unless the 402 says otherwise. */
export const agentSearch = /* @__PURE__ */ paidAction<types.AgentSearchParameters, readonly (types.LockedValueHit | types.AssetHit)[], readonly (types.LockedValueHit | types.AssetHit)[]>(
  '/api/v1/agent/search',
  'q label limit tvl grade',
  '',
);

/** One node with its grade and the reasons for it. Every fact that is known, the letter grade, and the rationale as questions and answers. 404 (free) when there is no such node. Paid per query (402, x402 version 2); only a 2xx is charged, so 400, 403, 404, 429 and 5xx are free. Price: 0.05 USD (50000 base units), unless the 402 says otherwise. */
export const agentNode = /* @__PURE__ */ paidAction<types.AgentNodeParameters, types.RiskNode, types.RiskNode>(
  '/api/v1/agent/node/{nodeId}',
  '',
  '',
);

/** What a pool depends on directly. Edges that begin at the pool and the nodes they lead to, each with `lastUpdatedAt` and each node with its grade. 404 (free) when there is no such node, 400 when it is not a pool. Paid per query (402, x402 version 2); only a 2xx is charged, so 400, 403, 404, 429 and 5xx are free. Price: 1.00 USD (1000000 base units), unless the 402 says otherwise. */
export const agentDependencies = /* @__PURE__ */ paidAction<types.AgentDependenciesParameters, types.RiskDependencies, types.RiskDependencies>(
  '/api/v1/agent/dependencies',
  'nodeId',
  '',
);
