import { END_OF_TIME } from '../domain/time.ts';
import { alerts, type RetractedAlert } from '../store/alerts/alerts.ts';
import { blocks } from '../store/blocks/blocks.ts';
import { tickBlocks } from '../store/blocks/tickBlocks.ts';
import { chainProgress } from '../store/chains/progress.ts';
import { custody } from '../store/custody/custody.ts';
import { events } from '../store/events/events.ts';
import { families } from '../store/families/families.ts';
import { flowFits } from '../store/flowFits/flowFits.ts';
import { freeMints } from '../store/freeMints/freeMints.ts';
import { gaps } from '../store/gaps/gaps.ts';
import { governance } from '../store/governance/governance.ts';
import { history } from '../store/history/history.ts';
import { historyVaults } from '../store/history/historyVaults.ts';
import { movements } from '../store/movements/movements.ts';
import { notices } from '../store/notices/notices.ts';
import { pools } from '../store/pools/pools.ts';
import { feedPhases } from '../store/prices/feedPhases.ts';
import { priceOutages } from '../store/prices/priceOutages.ts';
import { prices } from '../store/prices/prices.ts';
import { sharePrices } from '../store/prices/sharePrices.ts';
import { walletQueues } from '../store/queues/walletQueues.ts';
import { depositRequests } from '../store/requests/depositRequests.ts';
import { redeemRequests } from '../store/requests/redeemRequests.ts';
import { sources } from '../store/sources/sources.ts';
import type { Queryable } from '../store/store.ts';
import { chainTicks } from '../store/ticks/chainTicks.ts';
import { rollups } from '../store/ticks/rollups.ts';
import { ticks } from '../store/ticks/ticks.ts';
import { refoldPositions } from './fold/foldPositions.ts';
import type { FamilyToFold } from './fold/foldTicks.ts';
import type { BlockRef } from './reorg.ts';

/**
 * Rolls back everything that a chain reported above a block, and everything derived from it. Returns the alerts that
 * are retracted.
 */
export async function rollBack(
  tx: Queryable,
  chainId: number,
  to: BlockRef,
  touched: readonly FamilyToFold[],
  now: number,
): Promise<RetractedAlert[]> {
  const onChain = await sources.getOfChain(tx, chainId);
  // Includes sources that are no longer configured, because they may be configured again.
  const ids = [...onChain, ...touched].flatMap(({ familyId }) => familyId ?? []);
  const rows = await families.lock(tx, [...new Set(ids)]);
  const locked = rows.map(({ familyId }) => familyId);
  await events.retractAbove(tx, chainId, locked, to);
  const retracted = await alerts.retract(tx, chainId, locked, to, now);
  await history.removeAbove(tx, chainId, to);
  await historyVaults.removeAbove(tx, chainId, to.number);
  await custody.removeAbove(tx, chainId, to.number);
  await walletQueues.removeAbove(tx, chainId, to.number);
  await depositRequests.removeAbove(tx, chainId, to.number);
  await redeemRequests.removeAbove(tx, chainId, to.number);
  await governance.removeAbove(tx, chainId, to.number);
  await gaps.removeAbove(tx, chainId, to);
  await notices.removeAbove(tx, chainId, to.number);
  await flowFits.removeAbove(tx, chainId, to.number);
  await freeMints.removeAbove(tx, chainId, to.number);
  for (const source of onChain) {
    if (source.feed === null) continue;
    await prices.removeAbove(tx, source.feed, chainId, to.number);
    await priceOutages.removeAbove(tx, source.feed, chainId, to.number);
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
    // A tick in or after the second of this block may depend on replaced blocks.
    await events.retractTicks(tx, familyId, to.time);
    await ticks.removeFrom(tx, familyId, to.time);
    // Ticks can be later than `tickUntil` while another chain catches up.
    await rollups.refresh(tx, familyId, to.time, END_OF_TIME);
    await families.setTickUntil(tx, familyId, Math.min(tickUntil, to.time - 1));
  }
  await blocks.removeAbove(tx, chainId, to.number);
  await tickBlocks.removeFrom(tx, chainId, to);
  await sources.rollback(tx, chainId, to.number, to.time);
  await families.notify(tx, locked);
  await chainProgress.rolledBack(tx, chainId, to, now);
  return retracted;
}
