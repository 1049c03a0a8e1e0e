import { Type } from 'typebox';
import type { Config } from '../../../config/config.ts';
import { toIso } from '../../../domain/time.ts';
import type { Store } from '../../../store/store.ts';
import { getVaultsOf } from '../../../store/vaults/read.ts';
import { JsonText } from '../../jsonText.ts';
import { LEGACY_API_ENDED, NotReady } from '../../problem.ts';
import type { Route, RouteRequest } from '../../route.ts';
import { Shape } from '../../schemas.ts';
import { assetsOn } from '../../vault/familyAssets.ts';
import type { LegacyOperation } from '../operations.ts';
import { fill, findDeployment } from '../successor.ts';
import type { Asked, Bridge, KnownDeployment } from './bridge.ts';
import { historyBridge } from './history.ts';
import { getKnownDeployment } from './knownDeployment.ts';
import { userRedeemsBridge, vaultRedeemsBridge } from './pendingRedeems.ts';
import { performanceBridge } from './performance.ts';
import { tvlBridge, yieldBridge } from './series.ts';
import { snapshotBridge } from './snapshot.ts';

export interface BridgeDeps {
  readonly config: Config;
  readonly store: Pick<Store, 'reads'>;
  /** The current routes, whose responses are converted. */
  readonly today: readonly Route[];
  /** The last second in which the legacy API is served. */
  readonly until: number;
}

const BRIDGES: Readonly<Record<string, Bridge>> = {
  previousVault: snapshotBridge,
  previousVaultYield: yieldBridge,
  previousVaultTvl: tvlBridge,
  previousUserHistory: historyBridge,
  previousUserPendingRedeems: userRedeemsBridge,
  previousUserPerformance: performanceBridge,
  previousVaultPendingRedeems: vaultRedeemsBridge,
};

/**
 * Cached responses are found without checking the clock, so none is cached this close to the end; see responseCache.ts.
 */
const KEPT_SECONDS = 60;

/** Serves an operation of the legacy API in its own format until a day, and 410 afterwards. */
export function bridgedRoute(operation: LegacyOperation, gone: Route, deps: BridgeDeps): Route {
  const { config, store, today, until } = deps;
  const bridge = BRIDGES[operation.operationId]!;
  const from = today.find(({ operationId }) => operationId === bridge.from)!;
  const { successor, equivalent } = operation;
  const base = config.http.publicUrl ?? '';
  const day = toIso(until).slice(0, 10);
  const sunset = new Date(until * 1000).toUTCString();
  const deploymentOf = (path: RouteRequest['path']) => getKnownDeployment(config, path);

  return {
    ...gone,
    summary: `${operation.what} (legacy API, served until ${day})`,
    description: [
      `Returns the data of \`GET ${equivalent ? successor : from.path}\` in the format of the legacy API, until ${day} (UTC); then 410, as on a server without \`legacyApi\`.`,
      bridge.words,
      equivalent
        ? 'The `Link` header has the exact URL of the successor.'
        : `It has no equivalent; the wallet route, \`${successor}\`, replaces it.`,
      '404 if this server does not have the network or the vault.',
    ].join(' '),
    parameters: [...gone.parameters, ...(bridge.parameters ?? [])],
    response: Shape(
      {
        data: bridge.data,
        statusCode: Type.Integer({ description: 'Always 200.', examples: [200] }),
      },
      'A response of the legacy API.',
    ),
    responseExample: { data: bridge.example, statusCode: 200 },
    problems: [400, 404, 410, 503],
    maxAge: from.maxAge,
    headers({ path }) {
      const url = fill(successor, findDeployment(config, path));
      return {
        deprecation: LEGACY_API_ENDED.deprecation,
        sunset,
        ...(url !== null && { link: `<${base}${url}>; rel="successor-version"` }),
      };
    },
    families(request) {
      if (request.now + KEPT_SECONDS > until) return undefined;
      return from.families?.(toRequest(bridge.asked(deploymentOf(request.path)), request));
    },
    async answer(request) {
      if (request.now > until) return gone.answer(request);
      const deployment = deploymentOf(request.path);
      const asked = bridge.asked(deployment);
      const data = await bridge.present(await ask(asked, request), {
        deployment,
        request,
        chains: config.chains,
        askAgain: (query) => ask({ ...asked, query: { ...asked.query, ...query } }, request),
        loadAssets: () => loadAssets(deployment),
      });
      return { data, statusCode: 200 };
    },
  };

  async function ask(asked: Asked, request: RouteRequest): Promise<unknown> {
    const answer = await from.answer(toRequest(asked, request));
    return answer instanceof JsonText ? JSON.parse(answer.text) : answer;
  }

  async function loadAssets({ family, chain }: KnownDeployment) {
    const vaults = await getVaultsOf(store.reads, [family.slug]);
    const assets = assetsOn(family, chain.chainId, vaults);
    if (assets === undefined) throw new NotReady(`${family.slug} has not been read yet`);
    return assets;
  }
}

function toRequest({ path = {}, query = {} }: Asked, { now }: RouteRequest): RouteRequest {
  const values = Object.entries(query).map(([name, value]) => [name, [value]] as const);
  return { path, query: new Map(values), now };
}
