import type { TSchema } from 'typebox';
import type { Config } from '../../config/config.ts';
import { DAY, HOUR, toIso } from '../../domain/time.ts';
import type { Queryable, Store } from '../../store/store.ts';
import {
  type ApyPoint,
  type SeriesRange,
  type SharePricePoint,
  type SplitPoint,
  series,
  type TvlPoint,
} from '../../store/ticks/readSeries.ts';
import { readParameters } from '../parameters.ts';
import { NotFound, noSuch } from '../problem.ts';
import type { Route } from '../route.ts';
import {
  type AllocationPoint,
  allocationExample,
  allocationSeries,
  createAllocationTicks,
  presentAllocation,
} from './allocationSeries.ts';
import { poolFamilyOf } from './loadSnapshot.ts';
import {
  ALLOCATION_LIMIT,
  apyExample,
  apySeries,
  INTERVALS,
  SERIES_LIMIT,
  seriesParametersOf,
  sharePriceExample,
  sharePriceSeries,
  splitExample,
  splitSeries,
  tvlExample,
  tvlSeries,
} from './seriesSchema.ts';
import { readTimeRange } from './timeRange.ts';
import {
  createWithdrawableTicks,
  presentWithdrawable,
  type WithdrawablePoint,
  withdrawableExample,
  withdrawableSeries,
} from './withdrawableSeries.ts';

export interface SeriesDeps {
  readonly config: Config;
  readonly store: Pick<Store, 'reads'>;
}

/** The APY, TVL, split, and share price of a family over time. */
export function seriesRoutes(deps: SeriesDeps): Route[] {
  return [
    seriesRoute<ApyPoint>(deps, {
      name: 'apy',
      operationId: 'getApySeries',
      summary: 'Get the APY over time',
      description:
        'Returns the 7-day APY at each data point, compounded, from the share price. A family younger than 7 days is measured over its entire life. Times without a value are omitted.',
      response: apySeries,
      example: apyExample,
      ticks: series.apy,
      present: ({ at, value }) => ({ at: toIso(at), value }),
    }),
    seriesRoute<TvlPoint>(deps, {
      name: 'tvl',
      operationId: 'getTvlSeries',
      summary: 'Get the TVL over time',
      description:
        'Returns the total value locked over all chains of the family at each data point, in base units and in USD.',
      response: tvlSeries,
      example: tvlExample,
      ticks: series.tvl,
      present: ({ at, value, usd }) => ({ at: toIso(at), value: `${value}`, usd }),
    }),
    seriesRoute<SharePricePoint>(deps, {
      name: 'share-price',
      operationId: 'getSharePriceSeries',
      summary: 'Get the share price over time',
      description:
        'Returns the price of one share (10^shareDecimals) at each data point, as published on the first settlement chain of the family.',
      response: sharePriceSeries,
      example: sharePriceExample,
      ticks: series.sharePrice,
      present: ({ at, value }) => ({ at: toIso(at), value: `${value}` }),
    }),
    seriesRoute<SplitPoint>(deps, {
      name: 'split',
      operationId: 'getSplitSeries',
      summary: 'Get the split of the TVL over time',
      description:
        'Returns idle, invested, and leaving assets over all chains of the family at each data point, which add up to its TVL, and the assets owed to queued redemptions. Imported data points have no split and are omitted.',
      response: splitSeries,
      example: splitExample,
      ticks: series.split,
      present: ({ at, idle, invested, pendingExits, pendingRedemptionAssets }) => ({
        at: toIso(at),
        idle: `${idle}`,
        invested: `${invested}`,
        pendingExits: `${pendingExits}`,
        pendingRedemptionAssets: `${pendingRedemptionAssets}`,
      }),
    }),
    seriesRoute<WithdrawablePoint>(deps, {
      name: 'withdrawable',
      operationId: 'getWithdrawableSeries',
      summary: 'Get withdrawable assets over time',
      description:
        'Returns, per chain, the idle assets of the vault and what it could withdraw from its pools at each data point, as last read on the chain by then. The liquidity of pools is read while live only, so it is null for earlier times. `/v1/vaults/{slug}/exit` has the current values.',
      response: withdrawableSeries,
      example: withdrawableExample,
      ticks: createWithdrawableTicks(deps.config),
      present: presentWithdrawable,
    }),
    seriesRoute<AllocationPoint>(deps, {
      name: 'allocation',
      operationId: 'getAllocationSeries',
      summary: 'Get the pool values over time',
      description:
        "Returns the value of the family's holding in each pool at each data point. A feeder's pools are its master's, scaled to the feeder's invested assets at that time. A removed pool appears in earlier data points.",
      response: allocationSeries,
      example: allocationExample,
      ticks: createAllocationTicks(deps.config),
      present: presentAllocation,
      limit: ALLOCATION_LIMIT,
      families: (slug) => {
        const family = deps.config.families.find((one) => one.slug === slug);
        return family === undefined ? [] : [poolFamilyOf(deps.config, family).slug];
      },
    }),
  ];
}

interface SeriesKind<Point> {
  readonly name: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly response: TSchema;
  readonly example: unknown;
  readonly ticks: {
    getRaw(db: Queryable, slug: string, range: SeriesRange): Promise<Point[]>;
    getLastOfEach(db: Queryable, slug: string, span: number, range: SeriesRange): Promise<Point[]>;
  };
  present(point: Point): object;
  readonly limit?: Readonly<Record<'min' | 'max' | 'default', number>>;
  /** Other families whose change invalidates a response. */
  families?(slug: string): readonly string[];
}

const SPANS = { hour: HOUR, day: DAY };
const COMMON =
  'Data points are in ascending order. A family that has not been read yet has an empty series.';

function seriesRoute<Point>({ config, store }: SeriesDeps, kind: SeriesKind<Point>): Route {
  const slugs = new Set(config.families.map(({ slug }) => slug));
  const { limit = SERIES_LIMIT } = kind;
  return {
    path: `/v1/vaults/{slug}/timeseries/${kind.name}`,
    access: 'open',
    operationId: kind.operationId,
    summary: kind.summary,
    description: `${kind.description} ${COMMON}`,
    tag: 'vaults',
    parameters: seriesParametersOf(limit),
    response: kind.response,
    responseExample: kind.example,
    problems: [400, 404, 429],
    // Nothing new before the next tick.
    maxAge: Math.max(1, Math.floor(config.ticks.liveSeconds)),
    families: ({ path }) => [...new Set([path.slug!, ...(kind.families?.(path.slug!) ?? [])])],
    async answer(request) {
      const slug = request.path.slug!;
      const asked = readParameters(
        (parameters) => ({
          range: {
            ...readTimeRange(parameters),
            limit: parameters.integer('limit', limit),
          },
          interval: parameters.choice('interval', INTERVALS) ?? 'day',
        }),
        request,
      );
      if (!slugs.has(slug)) throw new NotFound(noSuch('vault family'));
      const { range, interval } = asked;
      const points =
        interval === 'raw'
          ? await kind.ticks.getRaw(store.reads, slug, range)
          : await kind.ticks.getLastOfEach(store.reads, slug, SPANS[interval], range);
      return points.map(kind.present);
    },
  };
}
