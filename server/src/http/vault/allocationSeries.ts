import type { Config } from '../../config/config.ts';
import { toIso } from '../../domain/time.ts';
import { scaleToStake } from '../../domain/vault/poolFigures.ts';
import type { Queryable } from '../../store/store.ts';
import { allocation, type PoolValue } from '../../store/ticks/allocation.ts';
import { type SeriesRange, type SplitPoint, series } from '../../store/ticks/readSeries.ts';
import { Amount, ChainId, DateTime, List, Shape, Text } from '../schemas.ts';
import { poolFamilyOf } from './loadSnapshot.ts';

/** What the pools of a family held at one instant. */
export interface AllocationPoint {
  readonly at: number;
  readonly pools: readonly PoolValue[];
}

export const allocationSeries = List(
  Shape(
    {
      at: DateTime('The instant of the tick.'),
      pools: List(
        Shape(
          {
            offchainId: Text('The id that the pool registry announces.', 'alpha:usdc:base'),
            chainId: ChainId('The chain of the pool.'),
            value: Amount("Value of the family's holding, of its base asset."),
          },
          'A pool and what was in it.',
        ),
        'Every pool that was read at that instant.',
      ),
    },
    'The pools at one instant.',
  ),
  'Ticks with what each pool held, oldest first.',
);

export const allocationExample = [
  {
    at: '2026-01-31T23:55:00.000Z',
    pools: [{ offchainId: 'alpha:usdc:base', chainId: 8453, value: '1200000000000' }],
  },
];

/** The instants are those of the split: a tick with what is invested has its pools. */
export function createAllocationTicks(config: Config) {
  return {
    async getRaw(db: Queryable, slug: string, range: SeriesRange) {
      return allocationAt(db, slug, await series.split.getRaw(db, slug, range));
    },
    async getLastOfEach(db: Queryable, slug: string, span: number, range: SeriesRange) {
      return allocationAt(db, slug, await series.split.getLastOfEach(db, slug, span, range));
    },
  };

  async function allocationAt(
    db: Queryable,
    slug: string,
    points: readonly SplitPoint[],
  ): Promise<AllocationPoint[]> {
    const family = config.families.find((one) => one.slug === slug)!;
    const source = poolFamilyOf(config, family);
    const instants = points.map(({ at }) => at);
    const [values, master] = await Promise.all([
      allocation.getPoolValues(db, source.slug, instants),
      source === family ? undefined : allocation.getInvested(db, source.slug, instants),
    ]);
    return points.map(({ at, invested }) => {
      const pools = values.get(at) ?? [];
      return { at, pools: master ? stakeIn(pools, invested, master.get(at) ?? 0n) : pools };
    });
  }
}

/** A feeder has its part of its master's pools. */
function stakeIn(pools: readonly PoolValue[], invested: bigint, masterInvested: bigint) {
  const holdings = pools.map((pool) => ({ ...pool, availableLiquidity: null }));
  return scaleToStake(holdings, invested, masterInvested);
}

export function presentAllocation({ at, pools }: AllocationPoint): object {
  return {
    at: toIso(at),
    pools: pools.map(({ offchainId, chainId, value }) => {
      return { offchainId, chainId, value: value.toString() };
    }),
  };
}
