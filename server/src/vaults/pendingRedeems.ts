import { fn } from '../chain/abi.ts';
import type { ChainClient } from '../chain/chainClient.ts';
import type { Address } from '../domain/hex.ts';
import { numberIn } from './callResult.ts';
import type { Rounds, VaultKind } from './kind.ts';
import { runRounds } from './rounds.ts';

/** A vault that queues redemptions, and how. */
export interface QueueVault {
  readonly address: Address;
  readonly kind: VaultKind;
  /** The numbers of the wallet's requests, if the vault numbers them. */
  readonly requestIds?: readonly bigint[];
}

/** A wallet's pending redemption in one vault at one block. */
export interface PendingRedeem {
  readonly shares: bigint;
  /** The amount that the request reserved; the same as `currentAssets` if requests reserve nothing. */
  readonly requestedAssets: bigint;
  /** The value of the shares at that block. */
  readonly currentAssets: bigint;
  /** The claimable part; null for a kind that pays without a claim. */
  readonly claimable: Claimable | null;
}

export interface Claimable {
  readonly shares: bigint;
  /** Null if the vault does not report the payment for those shares. */
  readonly assets: bigint | null;
}

const convertToAssets = fn('convertToAssets(uint256)');

/**
 * Reads a wallet's pending redemptions in each vault at one block: one multicall, and a second one for their value.
 * Null for a vault with a failed read: its state is unknown.
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
