import { fn } from '../chain/abi.ts';
import type { ChainClient } from '../chain/chainClient.ts';
import type { Address } from '../domain/hex.ts';
import type { Rounds, VaultKind } from './kind.ts';
import { runRounds } from './rounds.ts';
import { numberIn } from './words.ts';

/** A vault that queues redemptions, and in which way. */
export interface QueueVault {
  readonly address: Address;
  readonly kind: VaultKind;
  /** The numbers of the wallet's requests, where the vault numbers them. */
  readonly requestIds?: readonly bigint[];
}

/** What a wallet has waiting in one vault at one block. */
export interface PendingRedeem {
  readonly shares: bigint;
  /** What the request reserved; where a request reserves nothing, the same as `currentAssets`. */
  readonly requestedAssets: bigint;
  /** What the shares convert to at that block. */
  readonly currentAssets: bigint;
  /** What is ready to be claimed; null for a kind that pays without a claim. */
  readonly claimable: Claimable | null;
}

export interface Claimable {
  readonly shares: bigint;
  /** Null when the vault does not say what those shares will be paid. */
  readonly assets: bigint | null;
}

const convertToAssets = fn('convertToAssets(uint256)');

/**
 * A wallet's pending redemptions in each vault at one block: one multicall, and a second one for the value of what
 * was found. Null for a vault of which a read did not answer: nothing is known of it then.
 */
export function readPendingRedeems(
  client: ChainClient,
  block: number,
  wallet: Address,
  vaults: readonly QueueVault[],
): Promise<(PendingRedeem | null)[]> {
  return runRounds(
    client,
    block,
    vaults.map((vault) => readOne(vault, wallet)),
  );
}

function* readOne(
  { address, kind, requestIds = [] }: QueueVault,
  wallet: Address,
): Rounds<PendingRedeem | null> {
  if (kind.walletQueue === null) return null;
  const queue = yield* kind.walletQueue(address, wallet, { redeem: requestIds, deposit: [] });
  if (queue === null || queue.pendingRedeem === null) return null;
  const { pendingRedeem: shares, claimableRedeem, reservedAssets } = queue;
  const claimable =
    kind.hasClaims && claimableRedeem !== null
      ? { shares: claimableRedeem, assets: queue.claimableRedeemAssets }
      : null;
  if (shares === 0n) return { shares, requestedAssets: 0n, currentAssets: 0n, claimable };
  const [answer] = yield [{ to: address, data: convertToAssets(shares) }];
  const currentAssets = numberIn(answer);
  if (currentAssets === null) return null;
  return { shares, requestedAssets: reservedAssets ?? currentAssets, currentAssets, claimable };
}
