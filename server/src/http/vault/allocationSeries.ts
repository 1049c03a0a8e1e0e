import type { Config } from '../../config/config.ts';
import { toIso } from '../../domain/time.ts';
import { scaleToStake } from '../../domain/vault/poolFigures.ts';
import type { Queryable } from '../../store/store.ts';
import { allocation, type PoolValue } from '../../store/ticks/allocation.ts';
import type { SplitPoint } from '../../store/ticks/readSeries.ts';
import { Amount, ChainId, DateTime, List, Shape, Text } from '../schemas.ts';
import { poolFamilyOf } from './loadSnapshot.ts';
import { createSplitTicks } from './splitTicks.ts';

/** The pools of a family at one time. */
export interface AllocationPoint {
  readonly at: number;
  readonly pools: readonly PoolValue[];
}

export const allocationSeries = List(
  Shape(
    {
      at: DateTime('Time of the data point.'),
      pools: List(
        Shape(
          {
            offchainId: Text('The id from the pool registry.', 'alpha:usdc:base'),
            chainId: ChainId('The chain of the pool.'),
            value: Amount("Value of the family's holding, in its base asset."),
          },
          'A pool and the value in it.',
        ),
        'Every pool that was read at that time.',
      ),
    },
    'The pools at one time.',
  ),
  'Data points with the value of each pool, oldest first.',
);

export const allocationExample = [
  {
    at: '2026-01-31T23:55:00.000Z',
    pools: [{ offchainId: 'alpha:usdc:base', chainId: 8453, value: '1200000000000' }],
  },
];

/** The times are those of the split: a tick with an invested value has its pools. */
export function createAllocationTicks(config: Config) {
  return createSplitTicks(allocationAt);

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

/** A feeder has its share of its master's pools. */
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
