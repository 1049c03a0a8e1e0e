import { Type } from 'typebox';
import { governance } from '../../store/governance/governance.ts';
import { governanceReads } from '../../store/governance/governanceReads.ts';
import { type ParameterReader, readParameters } from '../parameters.ts';
import { NotFound, noSuch } from '../problem.ts';
import type { Route } from '../route.ts';
import { CHAIN_ID, oneChain, optional, SLUG } from '../routeParameters.ts';
import { AskedWhole, List, Shape } from '../schemas.ts';
import { openCursor, sealCursor } from './cursor.ts';
import { governanceItem, governanceItemExample, presentChange } from './governanceItem.ts';
import { createStateReader, foreignCursor, type HistoryDeps } from './history.ts';
import { HISTORY_LIMIT, incompleteChain } from './historySchema.ts';
import { createScopes } from './historyScope.ts';
import { nextCursor } from './nextCursor.ts';

const response = Shape(
  {
    items: List(
      governanceItem,
      'Newest first, by block time, chain id, block number, and log index.',
    ),
    nextCursor,
    incompleteChains: List(
      incompleteChain,
      'Every chain of the family whose changes could not be read completely. Indexed items of it are still returned.',
    ),
  },
  'One page of governance history.',
);

const example = {
  items: [governanceItemExample],
  nextCursor: 'm5sUYcOQv1yYt1Jq0yqTnDE3Njk4NjA4MDAsODQ1Myw0MTQxMjA1MCwxMiwtMQ',
  incompleteChains: [{ family: 'svcusd', chainId: 42_161, reason: 'unconfigured' as const }],
};

/** GET /v1/vaults/{slug}/governance */
export function governanceRoute({ config, store, cursorKey }: HistoryDeps): Route {
  const getStates = createStateReader({ config, store });
  const scopes = createScopes(config);
  const families = new Map(config.families.map((family) => [family.slug, family]));
  return {
    path: '/v1/vaults/{slug}/governance',
    access: 'open',
    operationId: 'getGovernance',
    summary: 'List governance changes',
    description:
      "Returns changes of owners, roles, caps, fees, oracles, pauses, timelocks, and proxies of a family's contracts, newest first: by block time, chain id, block number, and log index, all descending. They are read from the contracts that the server indexes, and from those under `watch` in the configuration, from the first block on. A change without an event is not listed. Chains that could not be read completely are listed in incompleteChains; that is not an error.",
    tag: 'vaults',
    parameters: [
      SLUG,
      oneChain('Only this chain. A chain without the family returns an empty page.'),
      optional(
        'cursor',
        Type.String(),
        'nextCursor of the previous page, unchanged and with the same chainId; only limit may differ.',
        example.nextCursor,
      ),
      optional('limit', AskedWhole(HISTORY_LIMIT), 'Maximum number of items on the page.', '20'),
    ],
    response,
    responseExample: example,
    problems: [400, 404, 429],
    maxAge: 5,
    families: ({ path, query }) => (query.has('cursor') ? undefined : [path.slug!]),
    async answer(request) {
      const { limit, cursor: given, chainId } = readParameters(readAsked, request);
      const slug = request.path.slug!;
      const text = `governance ${JSON.stringify({ slug, chainId })}`;
      const cursor = given === undefined ? undefined : openCursor(cursorKey, text, given);
      if (given !== undefined && cursor === undefined) throw foreignCursor();
      const family = families.get(slug);
      if (family === undefined) throw new NotFound(noSuch('vault family'));
      const scope = scopes(await getStates(request.now), [family], chainId);
      const familyId = scope.deployments[0]?.familyId;
      const { incompleteChains } = scope;
      if (familyId === undefined) return { items: [], nextCursor: null, incompleteChains };
      const chainIds = scope.deployments.map((deployment) => deployment.chainId);
      const [rows, unread] = await Promise.all([
        // One more row shows whether another page follows.
        governance.getPage(store.reads, {
          ...{ familyId, chainIds, below: cursor?.place, limit: limit + 1 },
        }),
        governanceReads.getIncomplete(store.reads, familyId),
      ]);
      const page = rows.slice(0, limit);
      const place = page.at(-1);
      const hasMore = rows.length > limit;
      return {
        items: page.map((row) => presentChange(row, slug)),
        nextCursor: hasMore ? sealCursor(cursorKey, text, { place: place!, after: -1 }) : null,
        incompleteChains: [
          ...incompleteChains,
          ...chainIds
            .filter((id) => unread.includes(id))
            .filter((id) => incompleteChains.every((one) => one.chainId !== id))
            .map((id) => ({ family: slug, chainId: id, reason: 'syncing' as const })),
        ],
      };
    },
  };
}

function readAsked(parameters: ParameterReader) {
  return {
    chainId: parameters.optionalInteger('chainId', CHAIN_ID),
    cursor: parameters.text('cursor'),
    limit: parameters.integer('limit', HISTORY_LIMIT),
  };
}
