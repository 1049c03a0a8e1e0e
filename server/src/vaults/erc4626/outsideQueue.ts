import { fn } from '../../chain/abi.ts';
import type { Address } from '../../domain/hex.ts';
import { addressIn, numberIn } from '../callResult.ts';
import type { Rounds } from '../kind.ts';
import type { Look } from '../recognize/readContract.ts';
import { runRounds } from '../rounds.ts';

const manager = fn('manager()');
const withdrawalManager = fn('withdrawalManager()');
// A cyclical withdrawal manager has only lockedShares(address): those wait for their window.
const manualSharesAvailable = fn('manualSharesAvailable(address)');
const convertToExitAssets = fn('convertToExitAssets(uint256)');
const withdrawalQueue = fn('withdrawalQueue()');
const pendingAssetsOf = fn('pendingAssetsOf(address)');
const claimableAssetsOf = fn('claimableAssetsOf(address)');

/** A wallet's amounts in a queue outside a plain vault, which neither its balance nor share transfers show. */
export interface OutsideQueue {
  /** Processed shares in custody that the wallet has yet to withdraw (Maple). */
  readonly claimableShares: bigint;
  /** The payment for those, and for burned shares that are ready; null if the vault does not report it. */
  readonly claimableAssets: bigint | null;
  /** The amount owed for burned shares that is not ready yet (Mellow). */
  readonly pendingAssets: bigint;
}

/** Returns null for a vault without such a queue. */
export function* readOutsideQueue(vault: Address, wallet: Address): Rounds<OutsideQueue | null> {
  const named = (yield [
    { to: vault, data: manager() },
    { to: vault, data: withdrawalQueue() },
  ]).map(addressIn);
  const [poolManager, queue] = named as [Address | null, Address | null];
  const [word] = poolManager === null ? [] : yield [{ to: poolManager, data: withdrawalManager() }];
  const holder = addressIn(word);
  const asked = [
    ...(holder === null ? [] : [{ to: holder, data: manualSharesAvailable(wallet) }]),
    ...(queue === null
      ? []
      : [
          { to: queue, data: pendingAssetsOf(wallet) },
          { to: queue, data: claimableAssetsOf(wallet) },
        ]),
  ];
  if (asked.length === 0) return null;
  const answers = (yield asked).map((answer) => numberIn(answer));
  const processed = holder === null ? null : answers.shift()!;
  const [pending, ready] = answers;
  // A name alone is no queue: others use it for contracts of another shape.
  if (processed === null && (pending == null || ready == null)) return null;
  const claimableShares = processed ?? 0n;
  const paid =
    claimableShares === 0n
      ? 0n
      : numberIn((yield [{ to: vault, data: convertToExitAssets(claimableShares) }])[0]);
  return {
    claimableShares,
    claimableAssets: paid === null ? null : paid + (ready ?? 0n),
    pendingAssets: pending ?? 0n,
  };
}

/** Returns the queue that a vault names and that reports its debt; null if there is none. */
export async function findOutsideQueue(look: Look, vault: Address): Promise<Address | null> {
  const [queue] = await runRounds(look.client, look.block, [readQueueName(vault)]);
  return queue!;
}

function* readQueueName(vault: Address): Rounds<Address | null> {
  const queue = addressIn((yield [{ to: vault, data: withdrawalQueue() }])[0]);
  if (queue === null) return null;
  const [owed] = yield [{ to: queue, data: pendingAssets() }];
  return numberIn(owed) === null ? null : queue;
}

/** For all wallets together. */
export const pendingAssets = fn('pendingAssets()');
