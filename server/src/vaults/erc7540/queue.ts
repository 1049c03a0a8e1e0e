import type { Call } from '../../chain/chainClient.ts';
import type { Address } from '../../domain/hex.ts';
import type { QueueRead, RequestIds, Rounds } from '../kind.ts';
import { numberIn } from '../words.ts';
import {
  claimableCancelRedeemRequest,
  claimableDepositRequest,
  claimableRedeemRequest,
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
    redeemIds.map((id) => pendingRedeemRequest(id, wallet)),
    redeemIds.map((id) => claimableRedeemRequest(id, wallet)),
    redeemIds.map((id) => claimableCancelRedeemRequest(id, wallet)),
    depositIds.map((id) => pendingDepositRequest(id, wallet)),
    depositIds.map((id) => claimableDepositRequest(id, wallet)),
    [maxRedeem(wallet), maxWithdraw(wallet), maxMint(wallet)],
  ];
  const answers = yield asked.flat().map((data): Call => ({ to: vault, data }));
  const numbers = answers.map((answer) => numberIn(answer));
  const take = (count: number) => numbers.splice(0, count);
  const [pending, claimable] = [take(redeemIds.length), take(redeemIds.length)];
  const cancelled = take(redeemIds.length);
  const [entering, entered] = [take(depositIds.length), take(depositIds.length)];
  const [redeemable, withdrawable, mintable] = numbers;
  // A vault that queues neither has no such functions: nothing waits there.
  if (pending.includes(null) && entering.includes(null)) return null;
  const claimableRedeem = claimable.includes(null) ? (redeemable ?? 0n) : sum(claimable);
  const depositAssets = sum(entered);
  return {
    pendingRedeem: sum(pending),
    claimableRedeem,
    // A paused vault says that nothing can be taken out, which is not what is owed.
    claimableRedeemAssets: claimableRedeem === 0n ? 0n : withdrawable || null,
    depositShares: depositAssets === 0n ? 0n : mintable || null,
    depositAssets,
    returning: sum(cancelled),
    pendingDeposit: sum(entering),
    reservedAssets: null,
    openIds: {
      redeem: ids.redeem.filter((_, i) => pending[i] || claimable[i] || cancelled[i]),
      deposit: ids.deposit.filter((_, i) => entering[i] || entered[i]),
    },
  };
}

type Numbers = readonly (bigint | null)[];

function sum(numbers: Numbers): bigint {
  return numbers.reduce<bigint>((all, one) => all + (one ?? 0n), 0n);
}
