import { alerts } from '../store/alerts/alerts.ts';
import { custody } from '../store/custody/custody.ts';
import { events } from '../store/events/events.ts';
import { eventNotes } from '../store/events/notes.ts';
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
import { positions } from '../store/positions/positions.ts';
import { feedPhases } from '../store/prices/feedPhases.ts';
import { priceOutages } from '../store/prices/priceOutages.ts';
import { prices } from '../store/prices/prices.ts';
import { sharePrices } from '../store/prices/sharePrices.ts';
import { walletQueues } from '../store/queues/walletQueues.ts';
import { depositRequests } from '../store/requests/depositRequests.ts';
import { redeemRequests } from '../store/requests/redeemRequests.ts';
import type { Queryable } from '../store/store.ts';
import { chainTicks } from '../store/ticks/chainTicks.ts';

/** Deletes the rows of a feed. */
export async function forgetFeed(tx: Queryable, feed: string, chainId: number): Promise<void> {
  await events.retractFeed(tx, feed, chainId);
  await priceOutages.removeAbove(tx, feed, chainId, -1);
  await prices.removeAbove(tx, feed, chainId, -1);
  await feedPhases.removeAbove(tx, feed, chainId, -1);
}

/**
 * Deletes the rows of a family on a chain, and rows derived from them. The caller holds the lock of the family's row.
 */
export async function forgetFamily(tx: Queryable, id: number, chainId: number): Promise<void> {
  await events.retractSource(tx, id, chainId);
  await alerts.forget(tx, chainId, id);
  await eventNotes.forgetState(tx, chainId, id);
  await history.removeOfSource(tx, id, chainId);
  await movements.removeOfSource(tx, id, chainId);
  await sharePrices.removeAbove(tx, id, chainId, -1);
  await pools.removeAbove(tx, id, chainId, -1);
  await chainTicks.removeFrom(tx, id, chainId, 0);
  await historyVaults.removeOfSource(tx, id, chainId);
  await custody.removeOfSource(tx, id, chainId);
  await walletQueues.removeOfSource(tx, id, chainId);
  await depositRequests.removeOfSource(tx, id, chainId);
  await redeemRequests.removeOfSource(tx, id, chainId);
  await governance.removeOfSource(tx, id, chainId);
  await gaps.removeOfSource(tx, id, chainId);
  await notices.removeOfSource(tx, id, chainId);
  await flowFits.removeOfSource(tx, id, chainId);
  await freeMints.removeOfSource(tx, id, chainId);
  // Recompute positions from the remaining movements.
  await positions.removeOfFamily(tx, id);
  await families.setPositionUntil(tx, id, 0);
  await families.setTickUntil(tx, id, 0);
}
