import type { Config, FamilyConfig } from '../../config/config.ts';
import type { Address } from '../../domain/hex.ts';
import { DAY } from '../../domain/time.ts';
import type { HistoryType } from '../../domain/vault/interpret.ts';
import { HISTORY_TYPE } from '../../store/history/history.ts';
import { type HistoryRow, type Home, historyPages } from '../../store/history/read.ts';
import { createReadStateReader, type ReadStates } from '../../store/sources/readState.ts';
import type { Store } from '../../store/store.ts';
import { checksummed, type ParameterReader, readParameters } from '../parameters.ts';
import { BadParameters, NotFound } from '../problem.ts';
import type { Route } from '../route.ts';
import { openCursor, sealCursor } from './cursor.ts';
import {
  CHAIN_ID,
  HISTORY_LIMIT,
  historyExample,
  historyPage,
  historyParameters,
  PERIODS,
  TYPES,
} from './historySchema.ts';

export interface HistoryDeps {
  readonly config: Config;
  readonly store: Pick<Store, 'reads'>;
  /** See loadCursorKey. */
  readonly cursorKey: Uint8Array;
}

/** What wallets did, over all chains in one order. */
export function historyRoutes({ config, store, cursorKey }: HistoryDeps): Route[] {
  const slugs = config.families.map(({ slug }) => slug);
  const getStates = createReadStateReader(store.reads);
  return [
    {
      path: '/v1/history',
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
      // Few ask for a later page twice: it is made for its reader and not kept.
      families: ({ query }) => (query.has('cursor') ? undefined : (query.get('family') ?? slugs)),
      async answer(request) {
        const { limit, cursor: given, ...filters } = readParameters(readAsked, request);
        const families = familiesOf(config, filters.family);
        const text = JSON.stringify(filters);
        const cursor = given === undefined ? undefined : openCursor(cursorKey, text, given);
        if (given !== undefined && cursor === undefined) throw foreignCursor();
        const states = await getStates(request.now);
        const homes = homesOf(families, states, filters.chainId);
        const after = cursor?.after ?? startOf(filters.period, request.now);
        const rows = await historyPages.getPage(store.reads, {
          homes,
          familyId: families.length === 1 ? homes[0]?.familyId : undefined,
          wallet: filters.user,
          type: filters.type,
          oneChain: filters.chainId !== undefined,
          after,
          below: cursor?.place,
          // One more tells whether another page follows.
          limit: limit + 1,
        });
        const shown = rows.slice(0, limit);
        const next = rows.length > limit ? { place: shown.at(-1)!, after } : null;
        const vaults = new Map(homes.map(({ familyId, address }) => [familyId, address]));
        return {
          items: shown.map((row) => present(row, vaults.get(row.familyId)!)),
          nextCursor: next && sealCursor(cursorKey, text, next),
          incompleteChains: incompleteChains(config, families, states, filters.chainId),
        };
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

function homesOf(
  families: readonly FamilyConfig[],
  states: ReadStates,
  chainId: number | undefined,
) {
  return families.flatMap(({ slug, address, chains }): (Home & { address: Address })[] => {
    const familyId = states.familyId(slug);
    // Not yet known to the store: it has no rows.
    if (familyId === undefined) return [];
    return chains
      .filter((chain) => chainId === undefined || chain.chainId === chainId)
      .map((chain) => ({ familyId, chainId: chain.chainId, address }));
  });
}

function incompleteChains(
  config: Config,
  families: readonly FamilyConfig[],
  states: ReadStates,
  only: number | undefined,
) {
  const unconfigured = new Set(
    config.chains.flatMap(({ chainId, rpcUrls }) => (rpcUrls.length === 0 ? [chainId] : [])),
  );
  return families.flatMap(({ slug, chains }) =>
    chains.flatMap(({ chainId }) => {
      if (only !== undefined && chainId !== only) return [];
      const reason = unconfigured.has(chainId) ? 'unconfigured' : states.stateOf(slug, chainId);
      return reason === 'current' ? [] : [{ family: slug, chainId, reason }];
    }),
  );
}

const TYPE_NAMES = new Map(
  Object.entries(HISTORY_TYPE).map(([name, type]) => [type, name as HistoryType]),
);

function present(row: HistoryRow, vault: Address) {
  return {
    type: TYPE_NAMES.get(row.type)!,
    chainId: row.chainId,
    vaultAddress: checksummed(vault),
    user: checksummed(row.wallet),
    assets: row.assets,
    shares: row.shares,
    transactionHash: row.txHash,
    blockTimestamp: row.blockTime,
  };
}
