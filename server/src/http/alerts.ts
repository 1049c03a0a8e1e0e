import type { Config } from '../config/config.ts';
import { presentTransition, presentUnit, presentValue } from '../domain/alerts/present.ts';
import { unitOf } from '../domain/alerts/rule.ts';
import { ALERT_STATUS } from '../store/alerts/alerts.ts';
import { alertLists, type ListedAlert, type ListedTransition } from '../store/alerts/readAlerts.ts';
import type { Store } from '../store/store.ts';
import { alertsExample, alertsSchema } from './alertsSchema.ts';
import { readParameters } from './parameters.ts';
import { NotFound, noSuch } from './problem.ts';
import type { Route } from './route.ts';
import { oneFamily } from './routeParameters.ts';

const RECENT = 100;

/** GET /v1/alerts */
export function alertsRoute(deps: { readonly config: Config; readonly store: Store }): Route {
  const { config, store } = deps;
  const slugs = new Set(config.families.map(({ slug }) => slug));
  const names = (config.alerts?.rules ?? []).map(({ name }) => name);
  return {
    path: '/v1/alerts',
    access: 'open',
    operationId: 'getAlerts',
    summary: 'List alerts',
    description: `Returns the state of each configured alert, and the last ${RECENT} times that one fired or cleared. An alert that fired at a block that a reorg removed is retracted: it is no longer listed, and the state is the one before. Alerts are evaluated at data points while a family is followed at the head of its chains. Alerts are configured by the operator; without any, both lists are empty.`,
    tag: 'vaults',
    parameters: [oneFamily('Slug of one vault family. Default: all families.')],
    response: alertsSchema,
    responseExample: alertsExample,
    problems: [400, 404, 429],
    maxAge: 5,
    async answer(request) {
      const { family } = readParameters(
        (parameters) => ({ family: parameters.text('family') }),
        request,
      );
      if (family !== undefined && !slugs.has(family)) throw new NotFound(noSuch('vault family'));
      const [all, recent] = await Promise.all([
        alertLists.getAll(store.reads, names, family ?? null),
        alertLists.getRecent(store.reads, names, family ?? null, RECENT),
      ]);
      return {
        alerts: all.filter((alert) => slugs.has(alert.family)).map(presentAlert),
        recent: recent.filter((row) => slugs.has(row.family)).map(presentRecent),
      };
    },
  };
}

function presentAlert(alert: ListedAlert) {
  const { name, kind, family, chainId, active, since, value, assetDecimals } = alert;
  return {
    ...{ name, kind, family, chainId },
    state: active ? ('firing' as const) : ('clear' as const),
    since,
    value: value === null ? null : presentValue(kind, value),
    unit: presentUnit(kind),
    decimals: unitOf(kind) === 'assets' ? assetDecimals : null,
  };
}

function presentRecent(row: ListedTransition) {
  const { family, chainId, blockNumber, status } = row;
  const isFired = status === ALERT_STATUS.fired;
  return { ...presentTransition({ ...row, isFired }), family, chainId, blockNumber };
}
