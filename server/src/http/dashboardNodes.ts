import type { FamilyNodes } from '@assay/client';
import type { Config } from '../config/config.ts';
import { chainSlug } from '../domain/risk/aliases.ts';
import { poolId } from '../domain/risk/nodeId.ts';
import { getPoolVenues } from '../store/pools/venues.ts';
import type { Store } from '../store/store.ts';
import { type AnswerBytes, createAnswerBytes } from './answerBytes.ts';
import { NotFound, noSuch } from './problem.ts';
import { poolFamilyOf } from './vault/loadSnapshot.ts';

/** The risk nodes of a family and its pools, so that pages can link to their grades. A node id is free; its grade is not. */
export type DashboardNodes = (slug: string) => Promise<AnswerBytes>;

const MAX_AGE_SECONDS = 60;

export function createDashboardNodes({
  config,
  store,
}: {
  readonly config: Config;
  readonly store: Pick<Store, 'reads'>;
}): DashboardNodes {
  const names = new Map(config.chains.map(({ chainId, name }) => [chainId, name]));
  return async (slug) => {
    const family = config.families.find((one) => one.slug === slug);
    if (family === undefined) throw new NotFound(noSuch('vault family'));
    const venues = await getPoolVenues(store.reads, poolFamilyOf(config, family).slug);
    const home = family.chains.find(({ role }) => role === 'settlement') ?? family.chains[0]!;
    const nodes: FamilyNodes = {
      vault: nodeOf(home.chainId, home.address),
      pools: venues.map(({ chainId, offchainId, venue }) => ({
        ...{ chainId, offchainId },
        nodeId: nodeOf(chainId, venue),
      })),
    };
    const body = JSON.stringify(nodes);
    return createAnswerBytes({ body, access: 'probe', maxAge: MAX_AGE_SECONDS });
  };

  function nodeOf(chainId: number, address: string): string {
    return poolId(chainSlug(names.get(chainId)!), address);
  }
}
