import type { ChainClient } from '../chain/chainClient.ts';
import type { Address } from '../domain/hex.ts';
import type { Rounds } from './kind.ts';
import type { QueueVault } from './pendingRedeems.ts';
import { runRounds } from './rounds.ts';

/** A wallet's deposits into one vault that have no shares yet, at one block. */
export interface PendingDeposit {
  /** Assets of pending requests. */
  readonly assets: bigint;
  /** Assets of requests whose shares are claimable. */
  readonly claimableAssets: bigint;
  /** Those shares; null if the vault reports none, as while it is paused. */
  readonly claimableShares: bigint | null;
  /** Assets of cancelled requests, ready to be withdrawn; null for a vault without cancellation. */
  readonly returnableAssets: bigint | null;
}

/**
 * Reads a wallet's deposit requests in each vault at one block, in one multicall. Null for a vault with a failed read:
 * its state is unknown.
 */
export function readPendingDeposits(
  client: ChainClient,
  block: number,
  wallet: Address,
  vaults: readonly QueueVault[],
): Promise<(PendingDeposit | null)[]> {
  return runRounds(
    client,
    block,
    vaults.map((vault) => readOne(vault, wallet)),
  );
}

function* readOne(
  { address, kind, requestIds = [] }: QueueVault,
  wallet: Address,
): Rounds<PendingDeposit | null> {
  if (kind.walletQueue === null) return null;
  const queue = yield* kind.walletQueue(address, wallet, { redeem: [], deposit: requestIds });
  if (queue === null || queue.pendingDeposit === null) return null;
  return {
    assets: queue.pendingDeposit,
    claimableAssets: queue.depositAssets,
    claimableShares: queue.depositShares,
    returnableAssets: queue.returnableAssets,
  };
}
