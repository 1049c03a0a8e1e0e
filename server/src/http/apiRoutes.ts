import type { Config } from '../config/config.ts';
import type { Hex } from '../domain/hex.ts';
import type { Store } from '../store/store.ts';
import { previousRoutes } from './previous/routes.ts';
import { methodologyRoute } from './risk/methodologyRoute.ts';
import type { Route } from './route.ts';
import { exitsRoute } from './vault/exits.ts';
import { historyRoutes } from './vault/history.ts';
import { holdersRoute } from './vault/holders.ts';
import { ledgerRoute } from './vault/ledger.ts';
import type { LiveChains } from './vault/liveChains.ts';
import { pendingDepositRoutes } from './vault/pendingDeposits.ts';
import { pendingRedeemRoutes } from './vault/pendingRedeems.ts';
import { performanceRoutes } from './vault/performance.ts';
import { seriesRoutes } from './vault/series.ts';
import { snapshotRoutes } from './vault/snapshot.ts';

export interface ApiDeps {
  readonly config: Config;
  readonly store: Store;
  /** Seals history cursors. */
  readonly cursorKey: Hex;
  /** Where pending redemptions and deposits are read. */
  readonly chains: LiveChains;
}

/** Every route of the vault data API and of the one before it: what is served is what is documented. */
export function apiRoutes(deps: ApiDeps): Route[] {
  const today = [
    ...snapshotRoutes(deps),
    ...seriesRoutes(deps),
    exitsRoute(deps),
    holdersRoute(deps),
    ...historyRoutes(deps),
    ...pendingRedeemRoutes(deps),
    ...pendingDepositRoutes(deps),
    ...performanceRoutes(deps),
    ledgerRoute(deps),
    methodologyRoute(),
  ];
  return [...today, ...previousRoutes({ ...deps, today })];
}
