import type { Address } from '../../domain/hex.ts';
import { numberIn } from '../callResult.ts';
import { NO_IDS, type QueueRead, type Rounds } from '../kind.ts';
import { pendingRedeemRequest } from './abi.ts';

/** Redemptions are pending per receiver, added up, and paid at once when fulfilled. */
export function* readQueue(vault: Address, wallet: Address): Rounds<QueueRead | null> {
  const [pending] = yield [{ to: vault, data: pendingRedeemRequest(wallet) }];
  const reservedAssets = numberIn(pending, 0);
  const shares = numberIn(pending, 1);
  if (reservedAssets === null || shares === null) return null;
  return {
    pendingRedeem: shares,
    reservedAssets,
    claimableRedeem: 0n,
    claimableRedeemAssets: null,
    depositShares: 0n,
    depositAssets: 0n,
    returning: 0n,
    pendingDeposit: 0n,
    returnableAssets: null,
    openIds: NO_IDS,
  };
}
