import { blocks } from '../store/blocks/blocks.ts';
import { chainProgress } from '../store/chains/progress.ts';
import { custody } from '../store/custody/custody.ts';
import { families } from '../store/families/families.ts';
import { gaps } from '../store/gaps/gaps.ts';
import { history } from '../store/history/history.ts';
import { historyVaults } from '../store/history/historyVaults.ts';
import { movements } from '../store/movements/movements.ts';
import { pools } from '../store/pools/pools.ts';
import { feedPhases } from '../store/prices/feedPhases.ts';
import { prices } from '../store/prices/prices.ts';
import { sharePrices } from '../store/prices/sharePrices.ts';
import { walletQueues } from '../store/queues/walletQueues.ts';
import { depositRequests } from '../store/requests/depositRequests.ts';
import { sources } from '../store/sources/sources.ts';
import type { Queryable } from '../store/store.ts';
import { chainTicks } from '../store/ticks/chainTicks.ts';
import { rollups } from '../store/ticks/rollups.ts';
import { ticks } from '../store/ticks/ticks.ts';
import { refoldPositions } from './fold/foldPositions.ts';
import type { FamilyToFold } from './fold/foldTicks.ts';
import type { BlockRef } from './reorg.ts';

/** Past every tick, and still a safe integer with a bucket added. */
const END_OF_TIME = 2 ** 52;

/** Takes back all that a chain said above a block, and all that was derived from it. */
export async function rollBack(
  tx: Queryable,
  chainId: number,
  to: BlockRef,
  touched: readonly FamilyToFold[],
  now: number,
): Promise<void> {
  const onChain = await sources.getOfChain(tx, chainId);
  // Also those that are configured no more: they must find the chain as it is when they come back.
  const ids = [...onChain, ...touched].flatMap(({ familyId }) => familyId ?? []);
  const rows = await families.lock(tx, [...new Set(ids)]);
  await history.removeAbove(tx, chainId, to);
  await historyVaults.removeAbove(tx, chainId, to.number);
  await custody.removeAbove(tx, chainId, to.number);
  await walletQueues.removeAbove(tx, chainId, to.number);
  await depositRequests.removeAbove(tx, chainId, to.number);
  await gaps.removeAbove(tx, chainId, to);
  for (const source of onChain) {
    if (source.feed === null) continue;
    await prices.removeAbove(tx, source.feed, chainId, to.number);
    await feedPhases.removeAbove(tx, source.feed, chainId, to.number);
  }
  for (const { familyId, tickUntil, positionUntil } of rows) {
    if (onChain.some((source) => source.familyId === familyId)) {
      await sharePrices.removeAbove(tx, familyId, chainId, to.number);
      await pools.removeAbove(tx, familyId, chainId, to.number);
      await chainTicks.removeFrom(tx, familyId, chainId, to.time);
      const wallets = await movements.removeAbove(tx, familyId, chainId, to);
      await refoldPositions(tx, familyId, wallets, positionUntil);
    }
    // A tick at or after the block's own second may have stood on what is gone.
    await ticks.removeFrom(tx, familyId, to.time);
    // Ticks reach beyond `tickUntil` while a late chain catches up.
    await rollups.refresh(tx, familyId, to.time, END_OF_TIME);
    await families.setTickUntil(tx, familyId, Math.min(tickUntil, to.time - 1));
  }
  await blocks.removeAbove(tx, chainId, to.number);
  await sources.rollback(tx, chainId, to.number, to.time);
  await families.notify(
    tx,
    rows.map(({ familyId }) => familyId),
  );
  await chainProgress.rolledBack(tx, chainId, to, now);
}
