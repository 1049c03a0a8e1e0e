import type { Config, FamilyConfig } from '../../config/config.ts';
import type { Hex } from '../../domain/hex.ts';
import { DAY } from '../../domain/time.ts';
import { historyPages } from '../../store/history/read.ts';
import { createReadStateReader } from '../../store/sources/readState.ts';
import type { Store } from '../../store/store.ts';
import { JsonText } from '../jsonText.ts';
import { type ParameterReader, readParameters } from '../parameters.ts';
import { BadParameters, NotFound } from '../problem.ts';
import type { Route } from '../route.ts';
import { CHAIN_ID } from '../routeParameters.ts';
import { patienceOf } from '../status.ts';
import { openCursor, sealCursor } from './cursor.ts';
import { furtherVaults } from './furtherVaults.ts';
import {
  HISTORY_LIMIT,
  historyExample,
  historyPage,
  historyParameters,
  PERIODS,
  TYPES,
} from './historySchema.ts';
import { createScopes } from './historyScope.ts';
import { itemsText } from './historyText.ts';

export interface HistoryDeps {
  readonly config: Config;
  readonly store: Pick<Store, 'reads'>;
  /** See loadCursorKey. */
  readonly cursorKey: Hex;
}

/** What wallets did, over all chains in one order. */
export function historyRoutes({ config, store, cursorKey }: HistoryDeps): Route[] {
  const getStates = createReadStateReader(store.reads, patienceOf(config.chains));
  const scopes = createScopes(config);
  return [
    {
      path: '/v1/history',
      access: 'open',
      operationId: 'getHistory',
      summary: 'Deposits and exits',
      description:
        'What wallets did, over all chains: newest first, by block time, chain id, block number and log index, all descending. Filters combine. Paging gives every item once while new ones arrive. A chain that could not be read in full is named in incompleteChains; that is no error.',
      tag: 'history',
      parameters: historyParameters,
      response: historyPage,
      responseExample: historyExample,
      problems: [400, 404, 429],
      maxAge: 5,
      // Few ask twice for a later page, or for a wallet's: it is made for its reader and not kept.
      families: ({ query }) =>
        query.has('cursor') || query.has('user') ? undefined : (query.get('family') ?? 'all'),
      async answer(request) {
        const { limit, cursor: given, ...filters } = readParameters(readAsked, request);
        const families = familiesOf(config, filters.family);
        const text = JSON.stringify(filters);
        const cursor = given === undefined ? undefined : openCursor(cursorKey, text, given);
        if (given !== undefined && cursor === undefined) throw foreignCursor();
        const scope = scopes(await getStates(request.now), families, filters.chainId);
        const after = cursor?.after ?? startOf(filters.period, request.now);
        const rows = await historyPages.getPage(store.reads, {
          homes: scope.homes,
          familyId: families.length === 1 ? scope.homes[0]?.familyId : undefined,
          wallet: filters.user,
          type: filters.type,
          oneChain: filters.chainId !== undefined,
          after,
          below: cursor?.place,
          // One more tells whether another page follows.
          limit: limit + 1,
        });
        const others = scope.hasFurther
          ? await furtherVaults(store.reads, rows.again())
          : undefined;
        const items = itemsText(rows, limit, scope.vaults, others);
        const next = rows.hasMore
          ? sealCursor(cursorKey, text, { place: rows.place(), after })
          : null;
        const incomplete = JSON.stringify(scope.incompleteChains);
        return new JsonText(
          `{"items":[${items}],"nextCursor":${JSON.stringify(next)},"incompleteChains":${incomplete}}`,
        );
      },
    },
  ];
}

function readAsked(parameters: ParameterReader) {
  const family = parameters.text('family');
  const type = parameters.choice('type', TYPES);
  if (type === 'large-deposit' && family === undefined) {
    parameters.mistake('type', 'large-deposit needs family: give the slug of one vault family');
  }
  return {
    family,
    user: parameters.address('user', parameters.text('user')),
    chainId: parameters.optionalInteger('chainId', CHAIN_ID),
    type,
    period: parameters.choice('period', PERIODS),
    cursor: parameters.text('cursor'),
    limit: parameters.integer('limit', HISTORY_LIMIT),
  };
}

function familiesOf({ families }: Config, slug: string | undefined): readonly FamilyConfig[] {
  if (slug === undefined) return families;
  const found = families.filter((family) => family.slug === slug);
  if (found.length === 0) throw new NotFound('there is no vault family with that slug');
  return found;
}

function foreignCursor(): BadParameters {
  const reason =
    'is not a nextCursor of this server for these filters: pass it back unchanged, with the filters of the first page';
  return new BadParameters([{ parameter: 'cursor', reason }]);
}

/** Items newer than this count; −1 is before all of them. */
function startOf(period: (typeof PERIODS)[number] | undefined, now: number): number {
  return period === undefined ? -1 : now - Number.parseInt(period, 10) * DAY;
}
