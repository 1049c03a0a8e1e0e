import type { Config } from '../config/config.ts';
import type { Hex } from '../domain/hex.ts';
import type { Store } from '../store/store.ts';
import { alertsRoute } from './alerts.ts';
import { embedRoute } from './embed/embedRoute.ts';
import { legacyRoutes } from './legacy/routes.ts';
import { methodologyRoute } from './risk/methodologyRoute.ts';
import type { Route } from './route.ts';
import { exitsRoute } from './vault/exits.ts';
import { exitTermsRoute } from './vault/exitTerms.ts';
import { governanceRoute } from './vault/governance.ts';
import { historyRoutes } from './vault/history.ts';
import { holdersRoute } from './vault/holders.ts';
import { ledgerRoute } from './vault/ledger.ts';
import type { LiveChains } from './vault/liveChains.ts';
import { lotsRoute } from './vault/lots.ts';
import { movementsRoute } from './vault/movements.ts';
import { pendingDepositRoutes } from './vault/pendingDeposits.ts';
import { pendingRedeemRoutes } from './vault/pendingRedeems.ts';
import { performanceRoutes } from './vault/performance.ts';
import { seriesRoutes } from './vault/series.ts';
import { snapshotRoutes } from './vault/snapshot.ts';
import { statementRoutes } from './vault/statement.ts';
import { yieldRoute } from './vault/yield.ts';

export interface ApiDeps {
  readonly config: Config;
  readonly store: Store;
  /** Signs history cursors. */
  readonly cursorKey: Hex;
  /** Reads pending redemptions and deposits. */
  readonly chains: LiveChains;
}

/** Every route of the vault data API and of the legacy API. The documents are generated from the same list. */
export function apiRoutes(deps: ApiDeps): Route[] {
  const today = [
    ...snapshotRoutes(deps),
    ...seriesRoutes(deps),
    exitsRoute(deps),
    exitTermsRoute(deps),
    yieldRoute(deps),
    holdersRoute(deps),
    ...historyRoutes(deps),
    governanceRoute(deps),
    ...pendingRedeemRoutes(deps),
    ...pendingDepositRoutes(deps),
    ...performanceRoutes(deps),
    movementsRoute(deps),
    ledgerRoute(deps),
    lotsRoute(deps),
    ...statementRoutes(deps),
    alertsRoute(deps),
    methodologyRoute(),
  ];
  return [...today, embedRoute({ ...deps, today }), ...legacyRoutes({ ...deps, today })];
}
