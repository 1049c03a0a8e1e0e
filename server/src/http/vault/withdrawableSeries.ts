import type { Config } from '../../config/config.ts';
import { toIso } from '../../domain/time.ts';
import type { Queryable } from '../../store/store.ts';
import type { SplitPoint } from '../../store/ticks/readSeries.ts';
import { type ChainWithdrawable, getWithdrawable } from '../../store/ticks/withdrawable.ts';
import { Amount, ChainId, DateTime, List, Nullable, Shape } from '../schemas.ts';
import { poolFamilyOf } from './loadSnapshot.ts';
import { createSplitTicks } from './splitTicks.ts';

/** The chains of a family at one time. */
export interface WithdrawablePoint {
  readonly at: number;
  readonly chains: readonly ChainWithdrawable[];
}

export const withdrawableSeries = List(
  Shape(
    {
      at: DateTime('Time of the data point.'),
      chains: List(
        Shape(
          {
            chainId: ChainId('The chain.'),
            idleAssets: Amount('Base asset held by the vault itself.'),
            availableLiquidity: Nullable(
              Amount('What the vault could withdraw from its pools.'),
              'What the vault could withdraw from its pools, in base units of the base asset; null for a feeder, without pools, and for times at which it was not read.',
            ),
          },
          'A chain and what could be withdrawn there.',
        ),
        'Every chain that was read by that time, in the order of the configuration.',
      ),
    },
    'The withdrawable assets at one time.',
  ),
  'Data points with the withdrawable assets of each chain, oldest first.',
);

export const withdrawableExample = [
  {
    at: '2026-01-31T23:55:00.000Z',
    chains: [{ chainId: 8453, idleAssets: '50340000000', availableLiquidity: '480000000000' }],
  },
];

/** The times are those of the split. */
export function createWithdrawableTicks(config: Config) {
  return createSplitTicks(withdrawableAt);

  async function withdrawableAt(
    db: Queryable,
    slug: string,
    points: readonly SplitPoint[],
  ): Promise<WithdrawablePoint[]> {
    const family = config.families.find((one) => one.slug === slug)!;
    const isFeeder = poolFamilyOf(config, family) !== family;
    const chainIds = family.chains.map(({ chainId }) => chainId);
    const instants = points.map(({ at }) => at);
    const found = new Map<number, ChainWithdrawable[]>(instants.map((at) => [at, []]));
    for (const row of await getWithdrawable(db, slug, chainIds, instants)) {
      found.get(row.at)!.push(isFeeder ? { ...row, available: null } : row);
    }
    return instants.map((at) => ({ at, chains: found.get(at)! }));
  }
}

export function presentWithdrawable({ at, chains }: WithdrawablePoint): object {
  return {
    at: toIso(at),
    chains: chains.map(({ chainId, idle, available }) => ({
      chainId,
      idleAssets: `${idle}`,
      availableLiquidity: available === null ? null : `${available}`,
    })),
  };
}
