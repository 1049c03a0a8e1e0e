import { Type } from 'typebox';
import type { Config } from '../../config/config.ts';
import { ratio } from '../../domain/amount.ts';
import { toIso } from '../../domain/time.ts';
import { getHolders, getHoldersAt, type Holders } from '../../store/positions/holders.ts';
import type { Store } from '../../store/store.ts';
import { checksummed } from '../checksum.ts';
import { Headed } from '../jsonText.ts';
import { readParameters } from '../parameters.ts';
import { NotFound, noSuch } from '../problem.ts';
import type { Route } from '../route.ts';
import { optional, SLUG } from '../routeParameters.ts';
import {
  Address,
  Amount,
  AskedWhole,
  DateTime,
  Deprecated,
  List,
  Nullable,
  Percent,
  Shape,
} from '../schemas.ts';
import { findAsOf, getAsOfBlocks, isFound } from './asOf.ts';
import { asOfHeaders } from './asOfHeaders.ts';
import { asOfParameters, readAskedMoment } from './asOfParameters.ts';
import { AsOfField, presentAsOf } from './asOfSchema.ts';
import { timeOf } from './asOfTime.ts';
import { createStateReader } from './history.ts';
import { incompleteChainsField } from './historySchema.ts';
import { createScopes } from './historyScope.ts';

const LIMIT = { min: 1, max: 500, default: 10 } as const;

const holdersSchema = Shape(
  {
    at: Nullable(
      DateTime('The time of these holdings.'),
      'The time of these holdings: all chains have been indexed to it. Null before the first.',
    ),
    holders: Type.Integer({
      minimum: 0,
      description: 'Number of wallets with shares.',
      examples: [1250],
    }),
    shares: Amount('Total shares of all of them.'),
    largest: List(
      Shape(
        {
          wallet: Address('The wallet.'),
          shares: Amount('Its shares over all chains, including queued redemptions.'),
          sharesPct: Percent('Its part of all `shares`.'),
          pct: Deprecated(Percent('The same value.'), '`sharesPct`'),
        },
        'A wallet and its part.',
      ),
      'The largest holders, at most `limit`, largest first.',
    ),
    // As of a moment, nothing is missing: in a gap there is none.
    incompleteChains: Type.Optional(incompleteChainsField),
    asOf: AsOfField,
  },
  'The holders of a family.',
);

const example = {
  at: '2026-01-31T23:55:00.000Z',
  holders: 2,
  shares: '1000000000',
  largest: [
    {
      wallet: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      shares: '750000000',
      sharesPct: 75,
      pct: 75,
    },
    {
      wallet: '0xcA11bde05977b3631167028862bE2a173976CA11',
      shares: '250000000',
      sharesPct: 25,
      pct: 25,
    },
  ],
  incompleteChains: [],
};

/** GET /v1/vaults/{slug}/holders */
export function holdersRoute(deps: { readonly config: Config; readonly store: Store }): Route {
  const { config, store } = deps;
  const getStates = createStateReader(deps);
  const scopes = createScopes(config);
  return {
    path: '/v1/vaults/{slug}/holders',
    access: 'open',
    operationId: 'getHolders',
    summary: 'Get the largest holders',
    description:
      "Returns how many wallets have shares of a family, and the largest of them, up to the latest time that all its chains have been indexed to. A feeder is a holder of its master. Contracts that hold shares for others, such as the vault's own queue, are not holders: queued shares belong to their owner.",
    tag: 'vaults',
    parameters: [
      SLUG,
      optional('limit', AskedWhole(LIMIT), 'Maximum number of wallets in `largest`.', '10'),
      ...asOfParameters,
    ],
    response: holdersSchema,
    responseExample: example,
    problems: [400, 404, 409, 410, 429, 503],
    maxAge: 60,
    families: ({ path }) => [path.slug!],
    async answer(request) {
      const slug = request.path.slug!;
      const { limit, moment } = readParameters(
        (parameters) => ({
          limit: parameters.integer('limit', LIMIT),
          moment: readAskedMoment(parameters),
        }),
        request,
      );
      const family = config.families.find((one) => one.slug === slug);
      if (family === undefined) throw new NotFound(noSuch('vault family'));
      if (moment === undefined) {
        const states = await getStates(request.now);
        const { incompleteChains } = scopes(states, [family], undefined);
        return { ...present(await getHolders(store.reads, slug, limit)), incompleteChains };
      }
      const time = await timeOf(store.reads, config, moment, [family]);
      const found = (await findAsOf(store.reads, config, [family], time)).get(slug)!;
      if (!isFound(found)) throw found.error;
      const [then, blocks] = await Promise.all([
        getHoldersAt(store.reads, found.familyId, found.at, limit),
        getAsOfBlocks(store.reads, [{ family, asOf: found }]),
      ]);
      const body = { ...present(then), asOf: presentAsOf(found, blocks.get(slug)!) };
      return new Headed(body, asOfHeaders([found]));
    },
  };
}

function present({ until, holders, shares, largest }: Holders) {
  return {
    at: until === null ? null : toIso(until),
    holders,
    shares: shares.toString(),
    largest: largest.map(({ wallet, shares: own }) => {
      const sharesPct = ratio(own * 100n, shares);
      return { wallet: checksummed(wallet), shares: own.toString(), sharesPct, pct: sharesPct };
    }),
  };
}
