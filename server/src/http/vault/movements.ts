import { comparePlaces } from '../../domain/order.ts';
import type { LedgerRow } from '../../store/movements/ledger.ts';
import { readParameters } from '../parameters.ts';
import type { Route } from '../route.ts';
import { CHAIN_ID } from '../routeParameters.ts';
import { seal, unseal } from '../seal.ts';
import { methodParameter, readMethod } from './costMethod.ts';
import { createStateReader, foreignCursor, type HistoryDeps } from './history.ts';
import { HISTORY_LIMIT } from './historySchema.ts';
import { createScopes } from './historyScope.ts';
import { type LedgerItem, loadLedger, worthInUsd } from './ledger.ts';
import { movementsExample, movementsPage, movementsParameters } from './movementsSchema.ts';
import { readWallet } from './walletParameters.ts';

/** GET /v1/users/{walletAddress}/movements */
export function movementsRoute(deps: HistoryDeps): Route {
  const { config, cursorKey } = deps;
  const getStates = createStateReader(deps);
  const scopes = createScopes(config);
  return {
    path: '/v1/users/{walletAddress}/movements',
    access: 'open',
    operationId: 'getMovements',
    summary: 'List the share movements of a wallet',
    description:
      "Returns every movement of a wallet's shares, newest first, with its effect on the cost basis and its result, as in the performance by the same cost method: over all pages, costs add up to the cost basis, results to the realized profit or loss. Queued shares move when they are paid. Filters combine. Paging returns every item once, even while new ones arrive. Chains that could not be read completely are listed in incompleteChains; that is not an error.",
    tag: 'wallets',
    parameters: [...movementsParameters, methodParameter],
    response: movementsPage,
    responseExample: movementsExample,
    problems: [400, 404, 429],
    maxAge: 5,
    async answer(request) {
      const method = readMethod(request);
      const { chainId, given, limit } = readParameters(
        (parameters) => ({
          chainId: parameters.optionalInteger('chainId', CHAIN_ID),
          given: parameters.text('cursor'),
          limit: parameters.integer('limit', HISTORY_LIMIT),
        }),
        request,
      );
      const { wallet, asked } = readWallet(request, config);
      const slugs = asked.map(({ slug }) => slug);
      const family = slugs.length === 1 ? slugs[0] : undefined;
      const purpose = `movements 1 ${JSON.stringify({ wallet, family, chainId, method })}`;
      const cursor = given === undefined ? undefined : unseal(cursorKey, purpose, given);
      if (given !== undefined && cursor === undefined) throw foreignCursor();
      const [items, states] = await Promise.all([
        loadLedger(deps, wallet, asked, method),
        getStates(request.now),
      ]);
      const ordered = items
        .filter(({ row }) => chainId === undefined || row.chainId === chainId)
        .sort((a, b) => compare(b.row, a.row));
      const start = cursor === undefined ? undefined : placeIn(cursor);
      const rest = start ? ordered.filter(({ row }) => compare(row, start) < 0) : ordered;
      const page = rest.slice(0, limit);
      const last = rest.length > limit ? page.at(-1)!.row : undefined;
      return {
        items: page.map(present),
        nextCursor: last === undefined ? null : seal(cursorKey, purpose, textOf(last)),
        incompleteChains: scopes(states, asked, chainId).incompleteChains,
      };
    },
  };
}

type Place = Pick<LedgerRow, 'at' | 'chainId' | 'blockNumber' | 'logIndex' | 'part' | 'slug'>;

/** Families can share a log: their slugs come last. */
function compare(a: Place, b: Place): number {
  return (
    comparePlaces({ ...a, blockTime: a.at }, { ...b, blockTime: b.at }) ||
    a.part - b.part ||
    (a.slug < b.slug ? -1 : a.slug > b.slug ? 1 : 0)
  );
}

function textOf({ at, chainId, blockNumber, logIndex, part, slug }: Place): string {
  return [at, chainId, blockNumber, logIndex, part, slug].join(',');
}

function placeIn(text: string): Place {
  const [at, chainId, blockNumber, logIndex, part, slug] = text.split(',');
  return {
    at: Number(at),
    chainId: Number(chainId),
    blockNumber: Number(blockNumber),
    logIndex: Number(logIndex),
    part: Number(part),
    slug: slug!,
  };
}

function present({ row, change: { cost, result } }: LedgerItem) {
  const { chainId, blockNumber, logIndex } = row;
  const isSent = row.kind === 'sent';
  return {
    id: [chainId, blockNumber, logIndex, row.part].join('-'),
    family: row.slug,
    chainId,
    type: row.kind,
    shares: row.shares.toString(),
    assets: isSent ? null : row.assets.toString(),
    baseAssetDecimals: row.assetDecimals,
    cost: cost.toString(),
    result: result?.toString() ?? null,
    usd: isSent ? null : worthInUsd(row),
    transactionHash: row.transaction,
    blockTimestamp: row.at,
    blockNumber,
    logIndex,
  };
}
