import { Type } from 'typebox';
import type { Config } from '../../../config/config.ts';
import { toIso } from '../../../domain/time.ts';
import type { Store } from '../../../store/store.ts';
import { getVaultsOf } from '../../../store/vaults/read.ts';
import { JsonText } from '../../jsonText.ts';
import { NotReady, PREVIOUS_API_ENDED } from '../../problem.ts';
import type { Route, RouteRequest } from '../../route.ts';
import { Shape } from '../../schemas.ts';
import { assetsOn } from '../../vault/familyAssets.ts';
import type { Previous } from '../operations.ts';
import { fill, findPlace } from '../successor.ts';
import type { Asked, Bridge, KnownPlace } from './bridge.ts';
import { historyBridge } from './history.ts';
import { knownPlace } from './knownPlace.ts';
import { userRedeemsBridge, vaultRedeemsBridge } from './pendingRedeems.ts';
import { performanceBridge } from './performance.ts';
import { tvlBridge, yieldBridge } from './series.ts';
import { snapshotBridge } from './snapshot.ts';

export interface BridgeDeps {
  readonly config: Config;
  readonly store: Pick<Store, 'reads'>;
  /** The routes of today: what they answer is what is answered. */
  readonly today: readonly Route[];
  /** The last second in which the previous API is answered. */
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

/** Kept answers are found without a look at the clock, so none is kept this near to the end; see keptAnswers.ts. */
const KEPT_SECONDS = 60;

/** An operation of the previous API in its own shape up to a day, and as `gone` says afterwards. */
export function bridgedRoute(previous: Previous, gone: Route, deps: BridgeDeps): Route {
  const { config, store, today, until } = deps;
  const bridge = BRIDGES[previous.operationId]!;
  const from = today.find(({ operationId }) => operationId === bridge.from)!;
  const successor = previous.partOf ?? previous.successor;
  const base = config.http.publicUrl ?? '';
  const day = toIso(until).slice(0, 10);
  const sunset = new Date(until * 1000).toUTCString();
  const placeOf = (path: RouteRequest['path']) => knownPlace(config, path);

  return {
    ...gone,
    summary: `${previous.what} of the previous API, answered up to ${day}`,
    description: [
      `Answered in the shape of the previous API from the figures of \`GET ${successor}\`, up to ${day} (UTC); then 410, as where this server has no \`previousApi\`.`,
      bridge.words,
      'The `Link` header has the exact URL of the successor. 404 when the network or the vault is not known here.',
    ].join(' '),
    parameters: [...gone.parameters, ...(bridge.parameters ?? [])],
    response: Shape(
      {
        data: bridge.data,
        statusCode: Type.Integer({ description: 'Always 200.', examples: [200] }),
      },
      'An answer of the previous API.',
    ),
    responseExample: { data: bridge.example, statusCode: 200 },
    problems: [400, 404, 410, 503],
    maxAge: from.maxAge,
    headers({ path }) {
      const link = `<${base}${fill(successor, findPlace(config, path))}>; rel="successor-version"`;
      return { deprecation: PREVIOUS_API_ENDED.deprecation, sunset, link };
    },
    families(request) {
      if (request.now + KEPT_SECONDS > until) return undefined;
      return from.families?.(toRequest(bridge.asked(placeOf(request.path)), request));
    },
    async answer(request) {
      if (request.now > until) return gone.answer(request);
      const place = placeOf(request.path);
      const asked = bridge.asked(place);
      const data = await bridge.present(await ask(asked, request), {
        place,
        request,
        chains: config.chains,
        askAgain: (query) => ask({ ...asked, query: { ...asked.query, ...query } }, request),
        loadAssets: () => loadAssets(place),
      });
      return { data, statusCode: 200 };
    },
  };

  async function ask(asked: Asked, request: RouteRequest): Promise<unknown> {
    const answer = await from.answer(toRequest(asked, request));
    return answer instanceof JsonText ? JSON.parse(answer.text) : answer;
  }

  async function loadAssets({ family, chain }: KnownPlace) {
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
