import type { Address, Hex } from '../domain/hex.ts';
import { fn } from './abi.ts';
import { numberAt, QUEUED_DEPOSITS, sumOf, supports } from './answers.ts';
import type { Call, ChainClient } from './chainClient.ts';

/** An ERC-7540 vault that may queue deposits. */
export interface DepositQueueVault {
  readonly address: Address;
  /** The numbers of the wallet's requests, where the vault numbers them. */
  readonly requestIds?: readonly bigint[];
}

/** What a wallet has paid into one vault and has no shares of yet, at one block. */
export interface PendingDeposit {
  /** Of requests that wait. */
  readonly assets: bigint;
  /** Of requests whose shares are ready to be claimed. */
  readonly claimableAssets: bigint;
  /** Those shares; null when the vault does not say. */
  readonly claimableShares: bigint | null;
  /** Of cancelled requests, ready to be taken back; null for a vault that cannot cancel. */
  readonly returnableAssets: bigint | null;
}

const pendingOf = fn('pendingDepositRequest(uint256,address)');
const claimableOf = fn('claimableDepositRequest(uint256,address)');
const returnableOf = fn('claimableCancelDepositRequest(uint256,address)');
const maxMint = fn('maxMint(address)');

/** The id under which a controller's requests are counted together. */
const AGGREGATE = 0n;
const NONE: PendingDeposit = {
  assets: 0n,
  claimableAssets: 0n,
  claimableShares: 0n,
  returnableAssets: null,
};

/**
 * A wallet's deposit requests in each vault at one block, in one multicall. Null for a vault of which a read did not
 * answer: nothing is known of it then.
 */
export async function readPendingDeposits(
  client: ChainClient,
  block: number,
  wallet: Address,
  vaults: readonly DepositQueueVault[],
): Promise<(PendingDeposit | null)[]> {
  const asked = vaults.map((vault) => callsOf(vault, wallet));
  const answers = await client.multicall(asked.flat(), block);
  let at = 0;
  return asked.map((calls) => {
    const own = answers.slice(at, at + calls.length);
    at += calls.length;
    return depositOf(own);
  });
}

function callsOf({ address: to, requestIds = [] }: DepositQueueVault, wallet: Address): Call[] {
  // Where requests have numbers, some vaults answer 0 with the last of them: it would count twice.
  const ids = requestIds.length > 0 ? requestIds : [AGGREGATE];
  const each = (encode: (id: bigint, wallet: Address) => Hex) =>
    ids.map((id) => encode(id, wallet));
  return [
    supports(QUEUED_DEPOSITS),
    maxMint(wallet),
    ...each(pendingOf),
    ...each(claimableOf),
    ...each(returnableOf),
  ].map((data) => ({ to, data }));
}

function depositOf([queues, mintable, ...rest]: readonly (Hex | null)[]): PendingDeposit | null {
  const count = rest.length / 3;
  const [waiting, ready, cancelled] = [0, 1, 2].map((i) => rest.slice(i * count, (i + 1) * count));
  const assets = sumOf(waiting!);
  const claimableAssets = sumOf(ready!);
  // Of some vaults only redemptions wait: they know no deposit requests, and say so.
  if (numberAt(queues, 0) === 0n && (assets === null || claimableAssets === null)) return NONE;
  if (assets === null || claimableAssets === null) return null;
  return {
    assets,
    claimableAssets,
    // A vault that also takes deposits at once may answer what could be minted by those.
    claimableShares: claimableAssets === 0n ? 0n : numberAt(mintable, 0),
    returnableAssets: sumOf(cancelled!),
  };
}
