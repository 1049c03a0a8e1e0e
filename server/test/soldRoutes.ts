import { MAX_RESOURCE_LENGTH } from '../src/http/paid/resource.ts';
import { agentRoutes } from '../src/http/risk/agentRoutes.ts';
import type { LiveGraph } from '../src/http/risk/liveGraph.ts';
import { METHOD_VERSION } from '../src/risk/grade/method.ts';

/** Returns the paid routes with their descriptions and handlers that return a different response every time. */
export function soldRoutes() {
  let made = 0;
  const routes = agentRoutes({ graph: {} as LiveGraph, methodVersion: METHOD_VERSION });
  return routes.map((route) => ({ ...route, answer: async () => ({ made: made++ }) }));
}

/** Returns the longest URL that a route allows, padded in the path parameter or, without one, in the query. */
export function longestUrl(path: string, length = MAX_RESOURCE_LENGTH): string {
  const rest = (taken: string) => 'x'.repeat(length - taken.length);
  if (path.includes('{')) return path.replace('{nodeId}', rest(path.replace('{nodeId}', '')));
  return `${path}?q=${rest(`${path}?q=`)}`;
}
