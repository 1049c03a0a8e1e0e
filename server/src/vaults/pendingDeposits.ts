import type { ChainClient } from '../chain/chainClient.ts';
import type { Address } from '../domain/hex.ts';
import type { Rounds } from './kind.ts';
import type { QueueVault } from './pendingRedeems.ts';
import { runRounds } from './rounds.ts';

/** What a wallet has paid into one vault and has no shares of yet, at one block. */
export interface PendingDeposit {
  /** Of requests that wait. */
  readonly assets: bigint;
  /** Of requests whose shares are ready to be claimed. */
  readonly claimableAssets: bigint;
  /** Those shares; null when the vault does not say, as while it is paused. */
  readonly claimableShares: bigint | null;
  /** Of cancelled requests, ready to be taken back; null for a vault that cannot cancel. */
  readonly returnableAssets: bigint | null;
}

/**
 * A wallet's deposit requests in each vault at one block, in one multicall. Null for a vault of which a read did not
 * answer: nothing is known of it then.
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
