import { NotFound } from '../../problem.ts';
import type { Route } from '../../route.ts';
import { Problem } from '../../schemas.ts';
import { parametersOf } from '../operations.ts';

const DETAIL = 'points are no vault data, and this server has none';
const PATH = '/api/v1/users/wallet/{userAddress}/points';

/** Clients take its 404 for "none"; pages of other origins hear it only from a route that lets them ask. */
export function pointsRoute(): Route {
  return {
    path: PATH,
    access: 'open',
    operationId: 'previousUserPoints',
    summary: 'Points of a wallet, which the previous API had beside the vault data',
    description: 'Always 404, which clients of the previous API take for a wallet without points.',
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
