import { NotFound } from '../../problem.ts';
import type { Route } from '../../route.ts';
import { Problem } from '../../schemas.ts';
import { parametersOf } from '../operations.ts';

const DETAIL = 'there is no such resource: points are not vault data';
const PATH = '/api/v1/users/wallet/{userAddress}/points';

/** Clients read its 404 as "none"; pages of other origins can read it only from a route with CORS. */
export function pointsRoute(): Route {
  return {
    path: PATH,
    access: 'open',
    operationId: 'previousUserPoints',
    summary: 'Points of a wallet (legacy API)',
    description: 'Always 404, which clients of the legacy API read as a wallet without points.',
    tag: 'previous',
    parameters: parametersOf(PATH),
    response: Problem,
    responseExample: { type: 'about:blank', title: 'Not Found', status: 404, detail: DETAIL },
    problems: [400, 404],
    maxAge: 0,
    async answer() {
      throw new NotFound(DETAIL);
    },
  };
}
