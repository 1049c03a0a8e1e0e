import { QUEUED_DEPOSITS, QUEUED_REDEMPTIONS, supports } from '../../chain/answers.ts';
import type { Call } from '../../chain/chainClient.ts';
import type { Address } from '../../domain/hex.ts';
import { numberIn } from '../callResult.ts';
import type { QueueRead, RequestIds, Rounds } from '../kind.ts';
import {
  claimableCancelDepositRequest,
  claimableCancelRedeemRequest,
  claimableDepositRequest,
  claimableRedeemRequest,
  convertToAssets,
  maxMint,
  maxRedeem,
  maxWithdraw,
  pendingDepositRequest,
  pendingRedeemRequest,
} from './abi.ts';

/** The ID of a controller's aggregated requests. */
const AGGREGATE = [0n];

/** Reads a controller's pending and claimable amounts, over all its requests. */
export function* readQueue(
  vault: Address,
  wallet: Address,
  ids: RequestIds,
): Rounds<QueueRead | null> {
  // With numbered requests, some vaults return the last one for ID 0, which would count twice.
  const redeemIds = ids.redeem.length > 0 ? ids.redeem : AGGREGATE;
  const depositIds = ids.deposit.length > 0 ? ids.deposit : AGGREGATE;
  const calls = [
    ...[supports(QUEUED_REDEMPTIONS), supports(QUEUED_DEPOSITS)],
    ...[maxRedeem(wallet), maxWithdraw(wallet), maxMint(wallet)],
    ...redeemIds.map((id) => pendingRedeemRequest(id, wallet)),
    ...redeemIds.map((id) => claimableRedeemRequest(id, wallet)),
    ...redeemIds.map((id) => claimableCancelRedeemRequest(id, wallet)),
    ...depositIds.map((id) => pendingDepositRequest(id, wallet)),
    ...depositIds.map((id) => claimableDepositRequest(id, wallet)),
    ...depositIds.map((id) => claimableCancelDepositRequest(id, wallet)),
  ];
  const answers = yield calls.map((data): Call => ({ to: vault, data }));
  const numbers = answers.map((answer) => numberIn(answer));
  const take = (count: number) => numbers.splice(0, count);
  const [redeems, deposits] = take(2);
  const [redeemable, withdrawable, mintable] = take(3);
  const [pending, claimable] = [take(redeemIds.length), take(redeemIds.length)];
  const cancelled = take(redeemIds.length);
  const [entering, entered] = [take(depositIds.length), take(depositIds.length)];
  const refunded = numbers;
  const hasRedeems = !pending.includes(null);
  // A vault that redeems at once has no claims.
  const reported = redeems === 1n ? (redeemable ?? null) : null;
  const claims = claimable.includes(null) ? reported : sum(claimable);
  const claimableRedeem = hasRedeems ? claims : null;
  const depositAssets = sum(entered);
  const mayLeave = depositAssets === 0n && !entered.includes(null) && deposits !== 0n;
  const crumbs = mayLeave && mintable ? yield* readCrumbs(vault, mintable) : 0n;
  return {
    pendingRedeem: isKnown(pending, entering, redeems) ? sum(pending) : null,
    claimableRedeem,
    claimableRedeemAssets: claimableRedeem === null ? null : owed(claimableRedeem, withdrawable),
    depositShares: depositAssets === 0n ? crumbs : mintable || null,
    depositAssets,
    returning: sum(cancelled),
    pendingDeposit: isKnown(entering, pending, deposits) ? sum(entering) : null,
    returnableAssets: refunded.includes(null) ? null : sum(refunded),
    reservedAssets: null,
    openIds: {
      // A request without a response may still have an amount.
      redeem: ids.redeem.filter((_, i) => pending[i] !== 0n || claimable[i] !== 0n || cancelled[i]),
      deposit: ids.deposit.filter((_, i) => entering[i] !== 0n || entered[i] !== 0n),
    },
  };
}

type Numbers = readonly (bigint | null)[];

/** Some vaults queue one direction only: the other is empty, unless the vault reports support for it. */
function isKnown(own: Numbers, other: Numbers, claimed: bigint | null | undefined): boolean {
  if (!own.includes(null) || claimed === 0n) return true;
  return claimed !== 1n && !other.includes(null);
}

/** Returns the payment of a claim; null if the vault reports none, or, while paused, that nothing can be withdrawn. */
function owed(claimable: bigint, withdrawable: bigint | null | undefined): bigint | null {
  if (withdrawable == null) return null;
  return claimable === 0n ? 0n : withdrawable || null;
}

/**
 * Partial claims leave shares that are worth less than a unit of the asset. Shares of a higher value without claimable
 * assets could be minted by a deposit, and are not in the queue.
 */
function* readCrumbs(vault: Address, mintable: bigint): Rounds<bigint> {
  const [answer] = yield [{ to: vault, data: convertToAssets(mintable) }];
  const worth = numberIn(answer);
  return worth !== null && worth <= 1n ? mintable : 0n;
}

function sum(numbers: Numbers): bigint {
  return numbers.reduce<bigint>((all, one) => all + (one ?? 0n), 0n);
}
