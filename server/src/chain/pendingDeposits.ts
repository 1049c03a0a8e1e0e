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
const convertToAssets = fn('convertToAssets(uint256)');

/** The id under which a controller's requests are counted together. */
const AGGREGATE = 0n;
const NONE: Found = {
  assets: 0n,
  claimableAssets: 0n,
  mintable: 0n,
  returnableAssets: null,
};

/**
 * A wallet's deposit requests in each vault at one block: one multicall, and rarely a second one. Null for a vault of
 * which a read did not answer: nothing is known of it then.
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
  const found = asked.map((calls) => {
    const own = answers.slice(at, at + calls.length);
    at += calls.length;
    return depositOf(own);
  });
  const crumbs = await readCrumbs(client, block, vaults, found);
  return found.map((deposit, i) => {
    if (deposit === null) return null;
    const { mintable, ...told } = deposit;
    return { ...told, claimableShares: crumbs.get(i) ?? claimableShares(deposit) };
  });
}

interface Found extends Omit<PendingDeposit, 'claimableShares'> {
  /** What the vault lets the wallet mint now; null when it does not say. */
  readonly mintable: bigint | null;
}

/** A vault that is paused lets nothing be minted, which is not to say that nothing is owed. */
function claimableShares({ claimableAssets, mintable }: Found): bigint | null {
  if (claimableAssets === 0n) return 0n;
  return mintable === 0n ? null : mintable;
}

/**
 * Claims in parts leave shares that are worth less than a unit of the asset, by the vault's place in the list. Shares
 * of more worth without claimable assets are what could be minted by a deposit at once: none of the queue's.
 */
async function readCrumbs(
  client: ChainClient,
  block: number,
  vaults: readonly DepositQueueVault[],
  found: readonly (Found | null)[],
): Promise<Map<number, bigint>> {
  const places = found.flatMap((deposit, i) =>
    deposit?.mintable && deposit.claimableAssets === 0n ? [i] : [],
  );
  if (places.length === 0) return new Map();
  const calls = places.map((i) => ({
    to: vaults[i]!.address,
    data: convertToAssets(found[i]!.mintable!),
  }));
  const worth = await client.multicall(calls, block);
  return new Map(
    places.flatMap((place, i) => {
      const assets = numberAt(worth[i], 0);
      return assets !== null && assets <= 1n ? [[place, found[place]!.mintable!] as const] : [];
    }),
  );
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

function depositOf([queues, mintable, ...rest]: readonly (Hex | null)[]): Found | null {
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
    mintable: numberAt(mintable, 0),
    returnableAssets: sumOf(cancelled!),
  };
}
