import type { Config, FamilyConfig } from '../../config/config.ts';
import type { Hex } from '../../domain/hex.ts';
import { DAY } from '../../domain/time.ts';
import { historyPages } from '../../store/history/read.ts';
import { createReadStateReader } from '../../store/sources/readState.ts';
import type { Store } from '../../store/store.ts';
import { JsonText } from '../jsonText.ts';
import { type ParameterReader, readParameters } from '../parameters.ts';
import { BadParameters, NotFound, noSuch } from '../problem.ts';
import type { Route } from '../route.ts';
import { CHAIN_ID } from '../routeParameters.ts';
import { getStaleSeconds } from '../status.ts';
import { findAdditionalVaults } from './additionalVaults.ts';
import { openCursor, sealCursor } from './cursor.ts';
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

/** Deposits and redemptions over all chains in one order. */
export function historyRoutes({ config, store, cursorKey }: HistoryDeps): Route[] {
  const getStates = createStateReader({ config, store });
  const scopes = createScopes(config);
  return [
    {
      path: '/v1/history',
      access: 'open',
      operationId: 'getHistory',
      summary: 'List deposits and redemptions',
      description:
        'Returns deposits and redemptions over all chains, newest first: by block time, chain id, block number, and log index, all descending. Filters combine. Paging returns every item once, even while new ones arrive. Chains that could not be read completely are listed in incompleteChains; that is not an error.',
      tag: 'history',
      parameters: historyParameters,
      response: historyPage,
      responseExample: historyExample,
      problems: [400, 404, 429],
      maxAge: 5,
      // Later pages and pages of a wallet are rarely requested twice, so they are not cached.
      families: ({ query }) =>
        query.has('cursor') || query.has('user') || query.has('transactionHash')
          ? undefined
          : (query.get('family') ?? 'all'),
      async answer(request) {
        const { limit, cursor: given, ...filters } = readParameters(readAsked, request);
        const families = familiesOf(config, filters.family);
        const text = JSON.stringify(filters);
        const cursor = given === undefined ? undefined : openCursor(cursorKey, text, given);
        if (given !== undefined && cursor === undefined) throw foreignCursor();
        const scope = scopes(await getStates(request.now), families, filters.chainId);
        const after = cursor?.after ?? startOf(filters.period, request.now);
        const rows = await historyPages.getPage(store.reads, {
          deployments: scope.deployments,
          familyId: families.length === 1 ? scope.deployments[0]?.familyId : undefined,
          wallet: filters.user,
          transaction: filters.transactionHash,
          type: filters.type,
          oneChain: filters.chainId !== undefined,
          after,
          below: cursor?.place,
          // One more row shows whether another page follows.
          limit: limit + 1,
        });
        const others = scope.hasFurther
          ? await findAdditionalVaults(store.reads, rows.again())
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

/** Reads how far every family is on its chains. */
export function createStateReader({ config, store }: Omit<HistoryDeps, 'cursorKey'>) {
  return createReadStateReader(store.reads, getStaleSeconds(config.chains));
}

function readAsked(parameters: ParameterReader) {
  const family = parameters.text('family');
  const type = parameters.choice('type', TYPES);
  if (type === 'large-deposit' && family === undefined) {
    parameters.mistake(
      'type',
      'large-deposit needs family: set it to the slug of one vault family',
    );
  }
  return {
    family,
    user: parameters.address('user', parameters.text('user')),
    transactionHash: readHash(parameters),
    chainId: parameters.optionalInteger('chainId', CHAIN_ID),
    type,
    period: parameters.choice('period', PERIODS),
    cursor: parameters.text('cursor'),
    limit: parameters.integer('limit', HISTORY_LIMIT),
  };
}

function readHash(parameters: ParameterReader): Hex | undefined {
  const text = parameters.text('transactionHash')?.toLowerCase();
  if (text === undefined || /^0x[0-9a-f]{64}$/.test(text)) return text as Hex | undefined;
  parameters.mistake('transactionHash', 'must be a hash: 0x and 64 hexadecimal digits');
  return undefined;
}

function familiesOf({ families }: Config, slug: string | undefined): readonly FamilyConfig[] {
  if (slug === undefined) return families;
  const found = families.filter((family) => family.slug === slug);
  if (found.length === 0) throw new NotFound(noSuch('vault family'));
  return found;
}

/** The cursor is not of this server, or was returned for other filters. */
export function foreignCursor(): BadParameters {
  const reason =
    'is not a nextCursor of this server for these filters: pass it unchanged, with the filters of the first page';
  return new BadParameters([{ parameter: 'cursor', reason }]);
}

/** Only items newer than this; −1 is before all of them. */
function startOf(period: (typeof PERIODS)[number] | undefined, now: number): number {
  return period === undefined ? -1 : now - Number.parseInt(period, 10) * DAY;
}
