import type { FamilyState } from '../../domain/vault/state.ts';
import { readFilePools } from '../filePools.ts';
import type { QueueTotals, Rounds, StateInput, VaultOnChain } from '../kind.ts';
import { least, type OwnWord, ownCalls, ownWord } from '../ownWord.ts';
import { together } from '../rounds.ts';
import { readWalletQueue } from '../walletQueue.ts';
import { numberIn } from '../words.ts';
import { convertToAssets } from './abi.ts';
import { readQueue } from './queue.ts';

/** For more than these the last word that was taken down has to do. */
const MOST_WAITERS = 200;

/**
 * Of several vaults over one share each says the worth of all shares, so the family's own is asked. What is held for
 * claims is set aside: it is the vault's balance, not its worth.
 */
export function* state(vault: VaultOnChain, input: StateInput): Rounds<FamilyState | null> {
  const word = ownWord(vault, yield ownCalls(vault));
  if (word === null) return null;
  const queued = yield* queuedAt(vault, input);
  const { pendingShares } = queued;
  const owed =
    pendingShares === 0n
      ? 0n
      : numberIn((yield [{ to: vault.chain.address, data: convertToAssets(pendingShares) }])[0]);
  const named = yield* readFilePools(vault);
  if (owed === null || named === null) return null;
  const idle = idleOf(word, queued);
  return {
    idle,
    invested: word.totalAssets - idle,
    pendingExits: 0n,
    pendingRedemptionAssets: owed,
    shareSupply: word.supply,
    sharePrice: word.sharePrice,
    ratio: word.ratio,
    ...named,
  };
}

/**
 * What is held for claims is mostly no more of the total. Where the total is just the balance without deposits that
 * are on their way in, it has the claims in it, and nothing of it is elsewhere.
 */
function idleOf({ balance, totalAssets }: OwnWord, queued: QueueTotals): bigint {
  const { claimableAssets, pendingDeposits, claimableDeposits } = queued;
  const settled = balance - pendingDeposits;
  if (totalAssets === settled || totalAssets === settled - claimableDeposits) return totalAssets;
  const free = balance > claimableAssets ? balance - claimableAssets : 0n;
  return least(free, totalAssets);
}

/** Now: by asking for everybody, since a vault may settle without a log. In the past: as the logs had it asked. */
function* queuedAt(
  vault: VaultOnChain,
  { detail, queued, waiters }: StateInput,
): Rounds<QueueTotals> {
  if (detail === 'lean' || waiters.length > MOST_WAITERS) return queued;
  const found = yield* together(
    waiters.map(({ wallet, ids }) => readWalletQueue(readQueue, vault, wallet, ids)),
  );
  let [pendingShares, claimableAssets, pendingDeposits, claimableDeposits] = [0n, 0n, 0n, 0n];
  for (const one of found) {
    if (one === null) return queued;
    for (const { queue, isForeign } of one.parts) {
      pendingShares += queue.pendingRedeem;
      // A paused vault does not say what it owes.
      if (queue.claimableRedeemAssets === null) return queued;
      if (isForeign) continue;
      claimableAssets += queue.claimableRedeemAssets;
      pendingDeposits += queue.pendingDeposit;
      claimableDeposits += queue.depositAssets;
    }
  }
  return { pendingShares, claimableAssets, pendingDeposits, claimableDeposits };
}
