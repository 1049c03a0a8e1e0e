import type { DashboardPools } from '@assay/client';
import type { Config } from '../config/config.ts';
import { type AnswerBytes, createAnswerBytes } from './answerBytes.ts';
import { cachedFor } from './cachedFor.ts';
import type { Route } from './route.ts';

const CACHED_SECONDS = 300;

interface Snapshot {
  readonly stats: {
    readonly pools: readonly Omit<DashboardPools['pools'][number], 'family'>[];
  };
}

/** The pools of all families by name, so that a search needs one request. */
export function createDashboardPools({
  config,
  routes,
  now,
}: {
  readonly config: Config;
  /** The API's own routes. */
  readonly routes: readonly Route[];
  readonly now: () => number;
}): () => Promise<AnswerBytes> {
  const route = routes.find((one) => one.operationId === 'getVault');
  return cachedFor(CACHED_SECONDS, now, async () => {
    const pools: DashboardPools['pools'][number][] = [];
    // One after the other, because requests of other clients come first. A family that cannot be read is left out.
    for (const { slug } of config.families) {
      const asked = { path: { slug }, query: new Map(), now: now() };
      const snapshot = (await route?.answer(asked).catch(() => undefined)) as Snapshot | undefined;
      for (const { name, chainId, protocolName } of snapshot?.stats.pools ?? []) {
        pools.push({ family: slug, name, chainId, protocolName });
      }
    }
    const body = JSON.stringify({ pools } satisfies DashboardPools);
    return createAnswerBytes({ body, access: 'probe', maxAge: CACHED_SECONDS });
  });
}
