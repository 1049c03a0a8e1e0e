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
import { NotFound } from '../problem.ts';
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

export interface SeriesDeps {
  readonly config: Config;
  readonly store: Pick<Store, 'reads'>;
}

/** The APY, the TVL, its split and the share price of a family over time. */
export function seriesRoutes(deps: SeriesDeps): Route[] {
  return [
    seriesRoute<ApyPoint>(deps, {
      name: 'apy',
      operationId: 'getApySeries',
      summary: 'APY over time',
      description:
        'The 7-day APY at each tick: compound, from the share price. A family younger than the window is measured over its whole life; where there is no figure there is no tick.',
      response: apySeries,
      example: apyExample,
      ticks: series.apy,
      present: ({ at, value }) => ({ at: toIso(at), value }),
    }),
    seriesRoute<TvlPoint>(deps, {
      name: 'tvl',
      operationId: 'getTvlSeries',
      summary: 'Total value locked over time',
      description:
        'The total value locked over all chains of the family at each tick, in base units and in USD.',
      response: tvlSeries,
      example: tvlExample,
      ticks: series.tvl,
      present: ({ at, value, usd }) => ({ at: toIso(at), value: `${value}`, usd }),
    }),
    seriesRoute<SharePricePoint>(deps, {
      name: 'share-price',
      operationId: 'getSharePriceSeries',
      summary: 'Share price over time',
      description:
        'The price of one whole share at each tick, as published on the first settlement chain of the family.',
      response: sharePriceSeries,
      example: sharePriceExample,
      ticks: series.sharePrice,
      present: ({ at, value }) => ({ at: toIso(at), value: `${value}` }),
    }),
    seriesRoute<SplitPoint>(deps, {
      name: 'split',
      operationId: 'getSplitSeries',
      summary: 'What the value consisted of over time',
      description:
        'Beyond the interface: idle, invested and leaving assets over all chains of the family at each tick, which add up to its TVL, and what was owed to queued redemptions. An imported tick does not have them and is left out.',
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
    seriesRoute<AllocationPoint>(deps, {
      name: 'allocation',
      operationId: 'getAllocationSeries',
      summary: 'What each pool held over time',
      description:
        "Beyond the interface: the value of the family's holding in each pool at each tick. A feeder's pools are its master's, scaled to what the feeder had invested then. A pool that was removed is in the ticks before.",
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
  readonly limit?: typeof ALLOCATION_LIMIT;
  /** Others whose change makes an answer old. */
  families?(slug: string): readonly string[];
}

const SPANS = { hour: HOUR, day: DAY };
const COMMON =
  'Ticks are in ascending order. A family that has not been read yet has an empty series.';

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
      if (!slugs.has(slug)) throw new NotFound('there is no vault family with that slug');
      const { range, interval } = asked;
      const points =
        interval === 'raw'
          ? await kind.ticks.getRaw(store.reads, slug, range)
          : await kind.ticks.getLastOfEach(store.reads, slug, SPANS[interval], range);
      return points.map(kind.present);
    },
  };
}
