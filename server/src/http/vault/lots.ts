import type { Config } from '../../config/config.ts';
import type { Hex } from '../../domain/hex.ts';
import { getNewestRatios } from '../../store/prices/read.ts';
import type { Store } from '../../store/store.ts';
import { vaults } from '../../store/vaults/vaults.ts';
import { checksummed } from '../checksum.ts';
import { readParameters } from '../parameters.ts';
import type { Route, RouteRequest } from '../route.ts';
import { seal, unseal } from '../seal.ts';
import { readMethod, readMoves } from './costMethod.ts';
import { createStateReader, foreignCursor } from './history.ts';
import { createScopes } from './historyScope.ts';
import { closedLots, isAfter, openLots } from './lotItems.ts';
import { LOT_STATES, LOTS_LIMIT, lotsExample, lotsParameters, lotsSchema } from './lotsSchema.ts';
import { chainsOf, factsOf } from './performance.ts';
import { readWallet } from './walletParameters.ts';

export interface LotsDeps {
  readonly config: Config;
  readonly store: Store;
  /** See loadCursorKey. */
  readonly cursorKey: Hex;
}

const DESCRIPTION = `Returns the lots of a wallet: shares that came in together, with their cost, the time that they came in, and their holding period. A lot is opened by a deposit, by shares received from another wallet (at their value then), or by shares that cost nothing.

- Shares that leave take entire lots in the order of \`method\`, and a part of the last one: that part's cost is rounded down, and the rest stays with the lot. At average cost the oldest lot leaves first, and all lots have the same cost per share.
- The lots of a family span all its chains. Open lots add up to sharesBalance, costBasis, currentValue, and unrealized of the performance by the same method; closed lots add up to realized.
- Shares in a queued redemption belong to the wallet until they are paid.`;

/** GET /v1/users/{walletAddress}/lots */
export function lotsRoute({ config, store, cursorKey }: LotsDeps): Route {
  const getStates = createStateReader({ config, store });
  const scopes = createScopes(config);
  return {
    path: '/v1/users/{walletAddress}/lots',
    access: 'open',
    operationId: 'getLots',
    summary: 'List the lots of a wallet',
    description: DESCRIPTION,
    tag: 'wallets',
    parameters: lotsParameters,
    response: lotsSchema,
    responseExample: lotsExample,
    problems: [400, 404, 429],
    maxAge: 5,
    families: ({ query }) => (query.has('cursor') ? undefined : (query.get('family') ?? 'all')),
    async answer(request) {
      const method = readMethod(request);
      const { state, cursor, limit } = readPage(request);
      const { wallet, asked } = readWallet(request, config);
      const purpose = `lots 1 ${JSON.stringify([wallet, asked.length === 1 && asked[0]!.slug, method, state])}`;
      const after = cursor === undefined ? [] : openKey(cursorKey, purpose, cursor);
      const [states, found, ratioOf, rows] = await Promise.all([
        getStates(request.now),
        readMoves(store.reads, { wallets: [wallet], families: asked }),
        getNewestRatios(store.reads, asked.flatMap(chainsOf)),
        vaults.getAll(store.reads),
      ]);
      const lots = found.flatMap(({ familyId, slug, moves }) => {
        const facts = factsOf(asked.find((family) => family.slug === slug)!, { familyId }, rows);
        if (facts === undefined) return [];
        const ratioOn = (chainId: number) => ratioOf(slug, chainId);
        const of = { moves, method, facts, now: request.now, ratioOn };
        return state === 'closed' ? closedLots(of) : openLots(of);
      });
      const rest = after.length === 0 ? lots : lots.filter(({ key }) => isAfter(key, after));
      const page = rest.slice(0, limit);
      const hasMore = rest.length > limit;
      return {
        wallet: checksummed(wallet),
        items: page.map(({ item }) => item),
        nextCursor: hasMore ? seal(cursorKey, purpose, page.at(-1)!.key.join(',')) : null,
        incompleteChains: scopes(states, asked, undefined).incompleteChains,
      };
    },
  };
}

function readPage(request: RouteRequest) {
  return readParameters(
    (parameters) => ({
      state: parameters.choice('state', LOT_STATES) ?? 'open',
      cursor: parameters.text('cursor'),
      limit: parameters.integer('limit', LOTS_LIMIT),
    }),
    request,
  );
}

function openKey(key: Hex, purpose: string, cursor: string): number[] {
  const fields = unseal(key, purpose, cursor);
  if (fields === undefined) throw foreignCursor();
  return fields.split(',').map(Number);
}
