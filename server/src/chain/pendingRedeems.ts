import type { Address, Hex } from '../domain/hex.ts';
import { fn } from './abi.ts';
import { numberAt, QUEUED_REDEMPTIONS, supports } from './answers.ts';
import type { Call, ChainClient } from './chainClient.ts';

/** A vault that queues redemptions, and in which way. */
export interface QueueVault {
  readonly address: Address;
  readonly queue: 'receiver-queue' | 'erc7540';
  /** ERC-7540: the numbers of the wallet's requests, where the vault numbers them. */
  readonly requestIds?: readonly bigint[];
}

/** What a wallet has waiting in one vault at one block. */
export interface PendingRedeem {
  readonly shares: bigint;
  /** What the request reserved; where a request reserves nothing, the same as `currentAssets`. */
  readonly requestedAssets: bigint;
  /** What the shares convert to at that block. */
  readonly currentAssets: bigint;
  /** ERC-7540: what is ready to be claimed; null for a vault that does not say. */
  readonly claimable: Claimable | null;
}

export interface Claimable {
  readonly shares: bigint;
  /** Null when the vault does not say what those shares will be paid. */
  readonly assets: bigint | null;
}

interface Queued {
  readonly shares: bigint;
  readonly reserved: bigint | null;
  readonly claimable: Claimable | null;
}

const pendingOfReceiver = fn('pendingRedeemRequest(address)');
const pendingOfController = fn('pendingRedeemRequest(uint256,address)');
const claimableOfController = fn('claimableRedeemRequest(uint256,address)');
const maxRedeem = fn('maxRedeem(address)');
const maxWithdraw = fn('maxWithdraw(address)');
const convertToAssets = fn('convertToAssets(uint256)');

/** In ERC-7540 the id under which a controller's requests are counted together. */
const AGGREGATE = 0n;
const NONE: PendingRedeem = {
  shares: 0n,
  requestedAssets: 0n,
  currentAssets: 0n,
  claimable: null,
};

/**
 * A wallet's pending redemptions in each vault at one block: one multicall, and a second one for the value of what
 * was found. Null for a vault of which a read did not answer: nothing is known of it then.
 */
export async function readPendingRedeems(
  client: ChainClient,
  block: number,
  wallet: Address,
  vaults: readonly QueueVault[],
): Promise<(PendingRedeem | null)[]> {
  const asked = vaults.map((vault) => callsOf(vault, wallet));
  const answers = await client.multicall(asked.flat(), block);
  let at = 0;
  const queued = vaults.map((vault, i) => {
    const own = answers.slice(at, at + asked[i]!.length);
    at += own.length;
    return vault.queue === 'erc7540' ? controllerQueue(own) : receiverQueue(own);
  });
  const values = await readValues(client, block, vaults, queued);
  return queued.map((found, i) => {
    if (found === null) return null;
    const { shares, reserved, claimable } = found;
    if (shares === 0n) return { ...NONE, claimable };
    const currentAssets = values.get(i) ?? null;
    if (currentAssets === null) return null;
    return { shares, requestedAssets: reserved ?? currentAssets, currentAssets, claimable };
  });
}

function callsOf({ address: to, queue, requestIds = [] }: QueueVault, wallet: Address): Call[] {
  if (queue === 'receiver-queue') return [{ to, data: pendingOfReceiver(wallet) }];
  return [
    { to, data: supports(QUEUED_REDEMPTIONS) },
    { to, data: pendingOfController(AGGREGATE, wallet) },
    { to, data: claimableOfController(AGGREGATE, wallet) },
    { to, data: maxRedeem(wallet) },
    { to, data: maxWithdraw(wallet) },
    ...requestIds.map((id) => ({ to, data: pendingOfController(id, wallet) })),
  ];
}

function receiverQueue([pending]: readonly (Hex | null)[]): Queued | null {
  const reserved = numberAt(pending, 0);
  const shares = numberAt(pending, 1);
  if (reserved === null || shares === null) return null;
  return { shares, reserved, claimable: null };
}

function controllerQueue(answers: readonly (Hex | null)[]): Queued | null {
  const [queues, together, aggregate, redeemable, withdrawable, ...numbered] = answers.map((one) =>
    numberAt(one, 0),
  );
  // Where requests have numbers, some vaults answer 0 with the last of them: it would count twice.
  const parts = numbered.length > 0 ? numbered : [together];
  let shares = 0n;
  for (const part of parts) {
    // Of some vaults only deposits wait: they know no redemption requests, and say so.
    if (part == null) return queues === 0n ? { shares: 0n, reserved: null, claimable: null } : null;
    shares += part;
  }
  return { shares, reserved: null, claimable: claimableOf(aggregate, redeemable, withdrawable) };
}

/** A vault that numbers its requests tells the sum of those that are ready only as what can be redeemed. */
function claimableOf(
  aggregate: bigint | null | undefined,
  redeemable: bigint | null | undefined,
  withdrawable: bigint | null | undefined,
): Claimable | null {
  if (aggregate == null && redeemable == null) return null;
  if ((aggregate ?? 0n) > (redeemable ?? 0n)) return { shares: aggregate!, assets: null };
  return { shares: redeemable ?? 0n, assets: withdrawable ?? null };
}

/** What the shares found convert to, by the vault's place in the list; absent where none were found. */
async function readValues(
  client: ChainClient,
  block: number,
  vaults: readonly QueueVault[],
  queued: readonly (Queued | null)[],
): Promise<Map<number, bigint | null>> {
  const places = queued.flatMap((found, i) => (found !== null && found.shares > 0n ? [i] : []));
  const calls = places.map((i) => ({
    to: vaults[i]!.address,
    data: convertToAssets(queued[i]!.shares),
  }));
  const answers = await client.multicall(calls, block);
  return new Map(places.map((place, i) => [place, numberAt(answers[i], 0)]));
}
