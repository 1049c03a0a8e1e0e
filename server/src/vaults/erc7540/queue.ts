import { QUEUED_DEPOSITS, QUEUED_REDEMPTIONS, supports } from '../../chain/answers.ts';
import type { Call } from '../../chain/chainClient.ts';
import type { Address } from '../../domain/hex.ts';
import type { QueueRead, RequestIds, Rounds } from '../kind.ts';
import { numberIn } from '../words.ts';
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

/** The id under which a controller's requests are counted together. */
const AGGREGATE = [0n];

/** What a controller has waiting and ready, over all its requests. */
export function* readQueue(
  vault: Address,
  wallet: Address,
  ids: RequestIds,
): Rounds<QueueRead | null> {
  // Where requests have numbers, some vaults answer 0 with the last of them: it would count twice.
  const redeemIds = ids.redeem.length > 0 ? ids.redeem : AGGREGATE;
  const depositIds = ids.deposit.length > 0 ? ids.deposit : AGGREGATE;
  const asked = [
    ...[supports(QUEUED_REDEMPTIONS), supports(QUEUED_DEPOSITS)],
    ...[maxRedeem(wallet), maxWithdraw(wallet), maxMint(wallet)],
    ...redeemIds.map((id) => pendingRedeemRequest(id, wallet)),
    ...redeemIds.map((id) => claimableRedeemRequest(id, wallet)),
    ...redeemIds.map((id) => claimableCancelRedeemRequest(id, wallet)),
    ...depositIds.map((id) => pendingDepositRequest(id, wallet)),
    ...depositIds.map((id) => claimableDepositRequest(id, wallet)),
    ...depositIds.map((id) => claimableCancelDepositRequest(id, wallet)),
  ];
  const answers = yield asked.map((data): Call => ({ to: vault, data }));
  const numbers = answers.map((answer) => numberIn(answer));
  const take = (count: number) => numbers.splice(0, count);
  const [redeems, deposits] = take(2);
  const [redeemable, withdrawable, mintable] = take(3);
  const [pending, claimable] = [take(redeemIds.length), take(redeemIds.length)];
  const cancelled = take(redeemIds.length);
  const [entering, entered] = [take(depositIds.length), take(depositIds.length)];
  const refunded = numbers;
  const hasRedeems = !pending.includes(null);
  // Of a vault that redeems at once, what could be redeemed is no claim.
  const told = redeems === 1n ? (redeemable ?? null) : null;
  const claims = claimable.includes(null) ? told : sum(claimable);
  const claimableRedeem = hasRedeems ? claims : null;
  const depositAssets = sum(entered);
  const mayLeave = depositAssets === 0n && !entered.includes(null) && deposits !== 0n;
  const crumbs = mayLeave && mintable ? yield* readCrumbs(vault, mintable) : 0n;
  return {
    pendingRedeem: isTold(pending, entering, redeems) ? sum(pending) : null,
    claimableRedeem,
    claimableRedeemAssets: claimableRedeem === null ? null : owed(claimableRedeem, withdrawable),
    depositShares: depositAssets === 0n ? crumbs : mintable || null,
    depositAssets,
    returning: sum(cancelled),
    pendingDeposit: isTold(entering, pending, deposits) ? sum(entering) : null,
    returnableAssets: refunded.includes(null) ? null : sum(refunded),
    reservedAssets: null,
    openIds: {
      // What does not answer may hold something all the same.
      redeem: ids.redeem.filter((_, i) => pending[i] !== 0n || claimable[i] !== 0n || cancelled[i]),
      deposit: ids.deposit.filter((_, i) => entering[i] !== 0n || entered[i] !== 0n),
    },
  };
}

type Numbers = readonly (bigint | null)[];

/** Some vaults queue one direction only: nothing waits in the other, unless the vault claims to have it. */
function isTold(own: Numbers, other: Numbers, claimed: bigint | null | undefined): boolean {
  if (!own.includes(null) || claimed === 0n) return true;
  return claimed !== 1n && !other.includes(null);
}

/** What a claim pays: unknown where the vault says nothing, or, being paused, that nothing can be taken out. */
function owed(claimable: bigint, withdrawable: bigint | null | undefined): bigint | null {
  if (withdrawable == null) return null;
  return claimable === 0n ? 0n : withdrawable || null;
}

/**
 * Claims in parts leave shares that are worth less than a unit of the asset. Shares of more worth without claimable
 * assets are what could be minted by a deposit at once: none of the queue's.
 */
function* readCrumbs(vault: Address, mintable: bigint): Rounds<bigint> {
  const [answer] = yield [{ to: vault, data: convertToAssets(mintable) }];
  const worth = numberIn(answer);
  return worth !== null && worth <= 1n ? mintable : 0n;
}

function sum(numbers: Numbers): bigint {
  return numbers.reduce<bigint>((all, one) => all + (one ?? 0n), 0n);
}
