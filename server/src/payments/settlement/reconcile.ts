import type { Hex } from '../../domain/hex.ts';
import type { PaymentKey } from '../../store/payments/paymentKey.ts';
import type { PaymentRow } from '../../store/payments/paymentRow.ts';
import type { SignedAuthorization } from '../authorization/payment.ts';
import type { FinalizedHead } from '../chain/finalizedHead.ts';
import type { BlockTime, PaymentChain } from '../chain/paymentChain.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { PaymentsLost } from './paymentsLost.ts';
import type { Unrecorded } from './unrecorded.ts';

/** The result of a settlement. `open`: not known yet, so the payer must not be charged again. */
export type SettlementResult =
  /** `first`: it was not recorded as settled before, so it counts. */
  | { readonly kind: 'paid'; readonly transaction: Hex; readonly first: boolean }
  | { readonly kind: 'unpaid'; readonly code: string }
  /** Charged before it was claimed here: it is refunded, and no response is sent. */
  | { readonly kind: 'unrecorded' }
  /** `unusedAt`: a block at which the chain shows it as unused; null if the chain could not be read. */
  | { readonly kind: 'open'; readonly unusedAt: BlockTime | null };

/** When a payment was claimed, in blocks. */
export interface Since {
  /** A block before which it was not used, as far as known at the claim. */
  readonly fromBlock: number;
  /** The newest block at its claim; null in older rows. */
  readonly claimedBlock: number | null;
}

/** Reads the on-chain status of payments, and records it. */
export interface Reconcile {
  /** Checks whether it was used; an unused one stays open. */
  check(key: PaymentKey, payment: SignedAuthorization, since: Since): Promise<SettlementResult>;
  /** The same, and releases an unused one that has expired. */
  reconcile(row: PaymentRow): Promise<SettlementResult>;
  paid(key: PaymentKey, transaction: Hex): Promise<SettlementResult>;
}

const UNRECORDED: SettlementResult = { kind: 'unrecorded' };

/**
 * How long after its expiry an unused authorization counts as dead, because a reorg may still include it. By the time of
 * blocks: clocks of servers differ.
 */
export const DEAD_AFTER_SECONDS = 60;

export function createReconcile(deps: {
  readonly ledger: Pick<Ledger, 'settled' | 'unpaid'>;
  readonly chain: Pick<PaymentChain, 'getOnChainStatus'>;
  readonly finalizedHead: FinalizedHead;
  readonly unrecorded: Unrecorded;
  /** Unix seconds; only recorded. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}): Reconcile {
  const { ledger, chain, unrecorded, now, onError } = deps;
  return { check, reconcile, paid };

  async function reconcile(row: PaymentRow): Promise<SettlementResult> {
    const result = await check(row, signedOf(row), row);
    if (result.kind !== 'open' || result.unusedAt === null) return result;
    if (!(await isDead(row, result.unusedAt))) return result;
    return unpaid(row, 'authorization_expired');
  }

  /**
   * Unused in a block past its expiry: no later block of this branch can include it. Another branch can, unless the block
   * is old enough, or final: an idle chain may not have a later one. The time of that block, because another RPC endpoint
   * may be ahead of the one that returned the state.
   */
  async function isDead(
    { validBefore }: PaymentRow,
    { number, time }: BlockTime,
  ): Promise<boolean> {
    if (time >= validBefore + DEAD_AFTER_SECONDS) return true;
    return time >= validBefore && (await deps.finalizedHead(number)) >= number;
  }

  async function check(
    key: PaymentKey,
    { authorization }: SignedAuthorization,
    { fromBlock, claimedBlock }: Since,
  ): Promise<SettlementResult> {
    try {
      const found = await chain.getOnChainStatus(authorization, fromBlock);
      if (found.status === 'paid') {
        // If it was used before the claim here, its response may have been sent by another server.
        const isOlder = claimedBlock !== null && found.blockNumber <= claimedBlock;
        if (isOlder && (await unrecorded.record(authorization, found))) return UNRECORDED;
        return await paid(key, found.transaction);
      }
      if (found.status === 'void') {
        if (found.earlier && (await unrecorded.find(authorization)) === 'found') {
          return UNRECORDED;
        }
        return await unpaid(key, 'authorization_cancelled');
      }
      return { kind: 'open', unusedAt: found.at };
    } catch (error) {
      onError(error);
      return { kind: 'open', unusedAt: null };
    }
  }

  async function paid(key: PaymentKey, transaction: Hex): Promise<SettlementResult> {
    // The money has moved, even if this write fails: the next check repeats it.
    const first = await ledger.settled(key, transaction, now()).catch((error) => {
      onError(error);
      return false;
    });
    return { kind: 'paid', transaction, first };
  }

  async function unpaid(key: PaymentKey, code: string): Promise<SettlementResult> {
    if (!(await ledger.unpaid(key, now()))) return { kind: 'unpaid', code };
    onError(new PaymentsLost(1));
    return { kind: 'unpaid', code: 'payment_lost' };
  }
}

/** Restores the signed authorization from a row of the ledger. */
export function signedOf(
  row: Pick<
    PaymentRow,
    'payer' | 'payTo' | 'value' | 'validAfter' | 'validBefore' | 'nonce' | 'signature'
  >,
): SignedAuthorization {
  return {
    authorization: {
      from: row.payer,
      to: row.payTo,
      value: row.value,
      validAfter: BigInt(row.validAfter),
      validBefore: BigInt(row.validBefore),
      nonce: row.nonce,
    },
    signature: row.signature,
  };
}
