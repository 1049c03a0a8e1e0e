import type { FamilyState } from '../../domain/vault/state.ts';
import { numberIn } from '../callResult.ts';
import { readFilePools } from '../filePools.ts';
import type { QueueTotals, Rounds, StateInput, VaultOnChain } from '../kind.ts';
import {
  least,
  type ReportedState,
  readReportedState,
  reportedStateCalls,
} from '../reportedState.ts';
import { together } from '../rounds.ts';
import { readWalletQueue } from '../walletQueue.ts';
import { convertToAssets } from './abi.ts';
import { readQueue } from './queue.ts';

/** Above this number, the last recorded queue is used. */
const MAX_WAITERS = 200;

/**
 * Of several vaults over one share, each reports the value of all shares, so the family's own vault is read. Assets
 * reserved for claims are in the vault's balance, but not part of its value.
 */
export function* state(vault: VaultOnChain, input: StateInput): Rounds<FamilyState | null> {
  const reported = readReportedState(vault, yield reportedStateCalls(vault));
  if (reported === null) return null;
  const queued = yield* queuedAt(vault, input);
  const { pendingShares } = queued;
  const owed =
    pendingShares === 0n
      ? 0n
      : numberIn((yield [{ to: vault.chain.address, data: convertToAssets(pendingShares) }])[0]);
  const named = yield* readFilePools(vault);
  if (owed === null || named === null) return null;
  const idle = idleOf(reported, queued);
  return {
    idle,
    invested: reported.totalAssets - idle,
    pendingExits: 0n,
    pendingRedemptionAssets: owed,
    shareSupply: reported.supply,
    sharePrice: reported.sharePrice,
    ratio: reported.ratio,
    ...named,
  };
}

/**
 * Assets reserved for claims are usually not part of the total. If the total equals the balance without incoming
 * deposits, it includes the claims, and nothing of it is elsewhere.
 */
function idleOf({ balance, totalAssets }: ReportedState, queued: QueueTotals): bigint {
  const { claimableAssets, pendingDeposits, claimableDeposits } = queued;
  const settled = balance - pendingDeposits;
  if (totalAssets === settled || totalAssets === settled - claimableDeposits) return totalAssets;
  const free = balance > claimableAssets ? balance - claimableAssets : 0n;
  return least(free, totalAssets);
}

/**
 * At present, reads the queue of every wallet, since a vault may settle without a log. In the backfill, uses the queue
 * recorded from the logs.
 */
function* queuedAt(
  vault: VaultOnChain,
  { detail, queued, waiters }: StateInput,
): Rounds<QueueTotals> {
  if (detail === 'lean' || waiters.length > MAX_WAITERS) return queued;
  const found = yield* together(
    waiters.map(({ wallet, ids }) => readWalletQueue(readQueue, vault, wallet, ids)),
  );
  let [pendingShares, claimableAssets, pendingDeposits, claimableDeposits] = [0n, 0n, 0n, 0n];
  for (const one of found) {
    if (one === null) return queued;
    for (const { queue, isForeign } of one.parts) {
      pendingShares += queue.pendingRedeem;
      // A paused vault does not report what it owes.
      if (queue.claimableRedeemAssets === null) return queued;
      if (isForeign) continue;
      claimableAssets += queue.claimableRedeemAssets;
      pendingDeposits += queue.pendingDeposit;
      claimableDeposits += queue.depositAssets;
    }
  }
  return { pendingShares, claimableAssets, pendingDeposits, claimableDeposits };
}
