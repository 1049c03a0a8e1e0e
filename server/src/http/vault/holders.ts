import { Type } from 'typebox';
import type { Config } from '../../config/config.ts';
import { ratio } from '../../domain/amount.ts';
import { getHolders } from '../../store/positions/holders.ts';
import type { Store } from '../../store/store.ts';
import { checksummed } from '../checksum.ts';
import { NotFound } from '../problem.ts';
import type { Route } from '../route.ts';
import { SLUG } from '../routeParameters.ts';
import { Address, Amount, List, Percent, Shape } from '../schemas.ts';

const LARGEST = 10;

const holdersSchema = Shape(
  {
    holders: Type.Integer({
      minimum: 0,
      description: 'Wallets that have shares.',
      examples: [1250],
    }),
    shares: Amount('Shares of all of them.'),
    largest: List(
      Shape(
        {
          wallet: Address('The wallet.'),
          shares: Amount('Its shares over all chains, those in queued redemptions too.'),
          pct: Percent('Part of `shares` of all.'),
        },
        'A wallet and its part.',
      ),
      `The largest, at most ${LARGEST}, biggest first.`,
    ),
  },
  "Who holds a family's shares.",
);

const example = {
  holders: 2,
  shares: '1000000000',
  largest: [
    { wallet: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', shares: '750000000', pct: 75 },
    { wallet: '0xcA11bde05977b3631167028862bE2a173976CA11', shares: '250000000', pct: 25 },
  ],
};

/** GET /v1/vaults/{slug}/holders */
export function holdersRoute(deps: { readonly config: Config; readonly store: Store }): Route {
  const { config, store } = deps;
  const slugs = new Set(config.families.map(({ slug }) => slug));
  return {
    path: '/v1/vaults/{slug}/holders',
    access: 'open',
    operationId: 'getHolders',
    summary: 'The largest holders',
    description:
      "Beyond the interface: how many wallets have shares of a family, and the largest of them, up to the last instant that all its chains have passed. A feeder is a holder of its master; contracts that hold shares for others, such as the vault's own queue, are not: what waits there is its owner's.",
    tag: 'vaults',
    parameters: [SLUG],
    response: holdersSchema,
    responseExample: example,
    problems: [400, 404, 429],
    maxAge: 60,
    families: ({ path }) => [path.slug!],
    async answer({ path }) {
      const slug = path.slug!;
      if (!slugs.has(slug)) throw new NotFound(`there is no vault family ${slug}`);
      const { holders, shares, largest } = await getHolders(store.reads, slug, LARGEST);
      return {
        holders,
        shares: shares.toString(),
        largest: largest.map(({ wallet, shares: own }) => ({
          wallet: checksummed(wallet),
          shares: own.toString(),
          pct: ratio(own * 100n, shares),
        })),
      };
    },
  };
}
