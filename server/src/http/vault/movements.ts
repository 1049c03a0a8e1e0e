import type { FamilyConfig } from '../../config/config.ts';
import { worth } from '../../domain/amount.ts';
import type { Address } from '../../domain/hex.ts';
import { comparePlaces } from '../../domain/order.ts';
import type { CostMethod } from '../../domain/wallet/accounting/costMethod.ts';
import { type LedgerChange, ledgerOf } from '../../domain/wallet/ledger.ts';
import { type AccountMove, MAX_MOVEMENTS } from '../../store/movements/accounting.ts';
import { getMoveDetails, type MoveDetail } from '../../store/movements/details.ts';
import { getVaultsOf } from '../../store/vaults/read.ts';
import { readParameters } from '../parameters.ts';
import type { Route } from '../route.ts';
import { CHAIN_ID } from '../routeParameters.ts';
import { seal, unseal } from '../seal.ts';
import { methodParameter, readMethod, readMoves } from './costMethod.ts';
import { createStateReader, foreignCursor, type HistoryDeps } from './history.ts';
import { HISTORY_LIMIT } from './historySchema.ts';
import { createScopes } from './historyScope.ts';
import { movementsExample, movementsPage, movementsParameters } from './movementsSchema.ts';
import { readWallet } from './walletParameters.ts';

/** GET /v1/users/{walletAddress}/movements */
export function movementsRoute(deps: HistoryDeps): Route {
  const { config, cursorKey, store } = deps;
  const getStates = createStateReader(deps);
  const scopes = createScopes(config);
  return {
    path: '/v1/users/{walletAddress}/movements',
    access: 'open',
    operationId: 'getMovements',
    summary: 'List the share movements of a wallet',
    description: `Returns every movement of a wallet's shares, newest first, with its effect on the cost basis and its result, as in the performance by the same cost method: over all pages, costs add up to the cost basis, results to the realized profit or loss. Queued shares move when they are paid. Filters combine. Paging returns every item once, even while new ones arrive. Chains that could not be read completely are listed in incompleteChains; that is not an error. A request computes at most ${MAX_MOVEMENTS.toLocaleString('en')} movements: a wallet with more is rejected, or needs \`family\`.`,
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
      const start = cursor === undefined ? undefined : placeIn(cursor);
      const [items, states, vaults] = await Promise.all([
        // Cost depends on everything before a movement, and on nothing after it.
        loadItems(wallet, asked, method, start && start.at + 1),
        getStates(request.now),
        getVaultsOf(store.reads, slugs),
      ]);
      const ordered = items
        .filter(({ row }) => chainId === undefined || row.chainId === chainId)
        .sort((a, b) => compare(b.row, a.row));
      const rest = start ? ordered.filter(({ row }) => compare(row, start) < 0) : ordered;
      const page = rest.slice(0, limit);
      const last = rest.length > limit ? page.at(-1)!.row : undefined;
      const details = await getMoveDetails(
        store.reads,
        wallet,
        page.map(({ row }) => row),
        (slug) => asked.find((family) => family.slug === slug)?.priceFeed ?? '',
        config.prices.maxAgeSeconds,
      );
      return {
        items: page.map((item, i) => {
          const { slug, chainId } = item.row;
          const vault = vaults.find((one) => one.slug === slug && one.chainId === chainId)!;
          return present(item, details[i]!, vault.assetDecimals);
        }),
        nextCursor: last === undefined ? null : seal(cursorKey, purpose, textOf(last)),
        incompleteChains: scopes(states, asked, chainId).incompleteChains,
      };
    },
  };

  async function loadItems(
    wallet: Address,
    families: readonly FamilyConfig[],
    method: CostMethod,
    before: number | undefined,
  ): Promise<Item[]> {
    const range = before === undefined ? {} : { before };
    const found = await readMoves(store.reads, { wallets: [wallet], families, ...range });
    return found.flatMap(({ moves }) => {
      const changes = ledgerOf(moves, method);
      return moves.map((row, i) => ({ row, change: changes[i]! }));
    });
  }
}

interface Item {
  readonly row: AccountMove;
  readonly change: LedgerChange;
}

type Place = Pick<AccountMove, 'at' | 'chainId' | 'blockNumber' | 'logIndex' | 'part' | 'slug'>;

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

function present(
  { row, change: { cost, result } }: Item,
  { price, transaction }: MoveDetail,
  assetDecimals: number,
) {
  const { chainId, blockNumber, logIndex } = row;
  const isSent = row.kind === 'sent';
  return {
    id: [chainId, blockNumber, logIndex, row.part].join('-'),
    family: row.slug,
    chainId,
    type: row.kind,
    shares: row.shares.toString(),
    assets: isSent ? null : row.assets.toString(),
    baseAssetDecimals: assetDecimals,
    cost: cost.toString(),
    result: result?.toString() ?? null,
    usd: isSent || price === null ? null : worth(row.assets, assetDecimals, price),
    transactionHash: transaction,
    blockTimestamp: row.at,
    blockNumber,
    logIndex,
  };
}
