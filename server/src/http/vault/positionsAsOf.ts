import type { FamilyConfig } from '../../config/config.ts';
import type { Address } from '../../domain/hex.ts';
import type { CostMethod } from '../../domain/wallet/accounting/costMethod.ts';
import type { Standing } from '../../store/positions/read.ts';
import { type AsOf, type AsOfBlock, type Found, findAsOf, getAsOfBlocks, isFound } from './asOf.ts';
import { getMethodStandings } from './methodStandings.ts';
import type { PerformanceDeps } from './performance.ts';

/** Where a wallet stood as of a moment. */
export interface PositionsAsOf {
  readonly standings: readonly Standing[];
  /** The data points of the families in `standings`, by slug. */
  readonly asOf: ReadonlyMap<string, AsOf & { readonly blocks: readonly AsOfBlock[] }>;
  /** Of all requested families. */
  readonly found: readonly Found[];
}

/**
 * Finds a wallet's positions as of a time. A family in which it had shares, and which has a gap at that time, is an error,
 * and so is a single requested family without data then; other families without data are omitted.
 */
export async function findPositionsAsOf(
  { config, store }: PerformanceDeps,
  wallet: Address,
  asked: readonly FamilyConfig[],
  time: number,
  method: CostMethod = 'average',
): Promise<PositionsAsOf> {
  const db = store.reads;
  const found = await findAsOf(db, config, asked, time);
  const only = asked.length === 1 ? found.get(asked[0]!.slug)! : undefined;
  if (only !== undefined && !isFound(only)) throw only.error;
  const all = await getMethodStandings(db, wallet, asked, method, (slug) => {
    const point = found.get(slug)!;
    return isFound(point) ? point.at : time;
  });
  const standings: Standing[] = [];
  for (const standing of all) {
    const point = found.get(standing.slug)!;
    if (isFound(point)) standings.push(standing);
    else if (point.reason === 'gap') throw point.error;
  }
  const points = asked.flatMap((family) => {
    const asOf = found.get(family.slug)!;
    const isHeld = standings.some(({ slug }) => slug === family.slug);
    return isHeld && isFound(asOf) ? [{ family, asOf }] : [];
  });
  const blocks = await getAsOfBlocks(db, points);
  return {
    standings,
    asOf: new Map(
      points.map(({ family: { slug }, asOf }) => [slug, { ...asOf, blocks: blocks.get(slug)! }]),
    ),
    found: [...found.values()],
  };
}
