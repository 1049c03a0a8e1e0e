import { Type } from 'typebox';
import type { ParameterReader } from '../parameters.ts';
import type { RouteRequest } from '../route.ts';
import { oneChain } from '../routeParameters.ts';

export const PAID =
  'Paid per request (402, x402 version 2). Only a 2xx is charged; 400, 403, 404, 429, and 5xx are free.';

export const NODE_NAME =
  'Node id, or the `address` or `uniqueKey` of a search result, in any case. A colon can be raw or encoded. Text that starts with pool:, asset:, protocol:, or chain: is an id.';

export const AMBIGUOUS =
  '400 (free) if an address or unique key matches several nodes; `candidates` has their ids.';

export const askedNodeId = Type.String({ minLength: 1, maxLength: 512 });

export const ofChain = oneChain(
  'With an address or unique key: only nodes on this chain. Not used with an id.',
);

/** The reader reports repeated and empty parameters; a missing one is reported here. */
export function readRequired(
  read: ParameterReader,
  request: RouteRequest,
  name: string,
): string | undefined {
  if (!request.query.has(name)) read.mistake(name, 'is missing; set it');
  return read.text(name);
}
