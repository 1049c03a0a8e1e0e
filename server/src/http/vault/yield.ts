import { Type } from 'typebox';
import type { Config } from '../../config/config.ts';
import { toIso } from '../../domain/time.ts';
import { yieldBySource, yieldRate } from '../../domain/vault/yieldBySource.ts';
import type { Store } from '../../store/store.ts';
import { getVaultsOf } from '../../store/vaults/read.ts';
import { readParameters } from '../parameters.ts';
import { NotFound, noSuch } from '../problem.ts';
import type { Route } from '../route.ts';
import { optional, SLUG } from '../routeParameters.ts';
import { createStateReader } from './history.ts';
import { createScopes } from './historyScope.ts';
import { poolFamilyOf } from './loadSnapshot.ts';
import { HOURLY_DAYS, loadYieldPoints, MAX_DAYS } from './loadYieldPoints.ts';
import { readPeriod } from './timeRange.ts';
import { type YieldAnswer, yieldExample, yieldSchema } from './yieldSchema.ts';

export interface YieldDeps {
  readonly config: Config;
  readonly store: Pick<Store, 'reads'>;
}

const WINDOW_DAYS = 30;

/** GET /v1/vaults/{slug}/yield */
export function yieldRoute({ config, store }: YieldDeps): Route {
  const families = new Map(config.families.map((family) => [family.slug, family]));
  const getStates = createStateReader({ config, store });
  const scopes = createScopes(config);
  return {
    path: '/v1/vaults/{slug}/yield',
    access: 'open',
    operationId: 'getYield',
    summary: 'Get the yield by source',
    description: `Returns what each pool, reward, and fee contributed to the return of a family in a window, by default the last ${WINDOW_DAYS} days. The total is the shares × the change of the share price, from data point to data point: per hour up to ${HOURLY_DAYS} days, otherwise per day. The sources and \`unattributed\` add up to it exactly. A feeder has its part of its master's pools. For a family whose pools are unknown, only \`unattributed\` is returned.`,
    tag: 'vaults',
    parameters: [
      SLUG,
      optional(
        'from',
        Type.String(),
        `Start of the window, in the format of the time series; the window starts at the newest data point at or before it. At most ${MAX_DAYS} days before its end. Default: ${WINDOW_DAYS} days before its end.`,
        '2026-01-01',
      ),
      optional(
        'to',
        Type.String(),
        'End of the window, inclusive, in the format of the time series. Default, and at most: now.',
        '2026-01-31',
      ),
    ],
    response: yieldSchema,
    responseExample: yieldExample,
    problems: [400, 404, 429],
    maxAge: 60,
    families: ({ path }) => {
      const family = families.get(path.slug!);
      return family === undefined ? [] : [family.slug, poolFamilyOf(config, family).slug];
    },
    async answer(request): Promise<YieldAnswer> {
      const range = readParameters(
        (parameters) => readPeriod(parameters, request, { days: WINDOW_DAYS, maxDays: MAX_DAYS }),
        request,
      );
      const family = families.get(request.path.slug!);
      if (family === undefined) throw new NotFound(noSuch('vault family'));
      const [states, vaults, points] = await Promise.all([
        getStates(request.now),
        getVaultsOf(store.reads, [family.slug]),
        loadYieldPoints(store.reads, config, family, range),
      ]);
      const [first, last] = [points[0], points.at(-1)];
      const head = {
        from: first === undefined ? null : toIso(first.at),
        to: last === undefined ? null : toIso(last.at),
        dataPoints: points.length,
        baseAssetDecimals: vaults[0]?.assetDecimals ?? null,
        incompleteChains: [...scopes(states, [family], undefined).incompleteChains],
      };
      if (points.length < 2) {
        return { ...head, averageValue: null, total: null, sources: [], unattributed: null };
      }
      const { total, pools, shareFees, unattributed, averageValue } = yieldBySource(points);
      const part = (assets: bigint) => ({
        assets: `${assets}`,
        fraction: yieldRate(assets, averageValue),
      });
      const sources = [
        ...pools.map(({ gain, ...pool }) => ({ ...pool, source: 'pool' as const, assets: gain })),
        ...pools.map(({ rewards, ...pool }) => {
          return { ...pool, source: 'reward' as const, assets: rewards };
        }),
        { source: 'shareFees' as const, chainId: null, offchainId: null, assets: shareFees },
      ];
      return {
        ...head,
        averageValue: `${averageValue}`,
        total: part(total),
        sources: sources
          .filter(({ source, assets }) => source === 'pool' || assets !== 0n)
          .sort((a, b) => compare(size(b.assets), size(a.assets)))
          .map(({ source, chainId, offchainId, assets }) => {
            return { source, chainId, offchainId, ...part(assets) };
          }),
        unattributed: part(unattributed),
      };
    },
  };
}

function size(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
