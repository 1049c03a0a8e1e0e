import type { Address, Hex } from '../../domain/hex.ts';
import type { PaymentState } from '../../domain/paymentLife.ts';
import { stateOf } from './lifeSql.ts';
import type { PaymentKey } from './paymentKey.ts';

/** The request that a payment buys, and its terms. */
export interface Claim extends PaymentKey {
  readonly value: bigint;
  readonly payTo: Address;
  readonly validAfter: number;
  readonly validBefore: number;
  readonly signature: Hex;
  readonly identifier: string | null;
  readonly route: string;
  /** The number of calls it pays for. */
  readonly calls: number;
  /** Hash of method, path, and query. */
  readonly request: Hex;
  /** Hash of the nonce and the client address; null in rows of earlier versions. */
  readonly client: Hex | null;
  readonly owner: string;
  readonly leaseUntil: number;
  readonly fromBlock: number;
  /**
   * The newest block when it was claimed: a use up to this block is older than the claim. Null in rows of earlier
   * versions.
   */
  readonly claimedBlock: number | null;
  readonly claimedAt: number;
}

export interface PaymentAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** A payment that this ledger accepted. */
export interface PaymentRow extends Claim {
  readonly state: Exclude<PaymentState, 'found'>;
  /** Whether its response was ever stored: from then on it may have been sent, and the payment is public. */
  readonly sent: boolean;
  /** Null until it is stored, and again after it expires. */
  readonly answer: PaymentAnswer | null;
  readonly transaction: Hex | null;
  readonly settledAt: number | null;
  readonly deliveredAt: number | null;
  readonly refundedAt: number | null;
  /** The block at which it was last seen on chain; null until checked. */
  readonly blockNumber: number | null;
  /** Null while a reorg can still revert it. */
  readonly finalAt: number | null;
}

/** A payment on chain that was missing in this ledger. What it bought, and whether it was served, is unknown. */
export interface FoundRow extends PaymentKey {
  readonly state: 'found';
  /** It is on chain, and therefore public. */
  readonly sent: true;
  readonly value: bigint;
  readonly payTo: Address;
  readonly transaction: Hex;
  readonly blockNumber: number;
  readonly deliveredAt: number | null;
  readonly refundedAt: number | null;
  /** Null while a reorg can still revert it. */
  readonly finalAt: number | null;
}

export type KnownPayment = PaymentRow | FoundRow;

export const COLUMNS = `chain_id as "chainId", asset, payer, nonce, value, pay_to as "payTo", valid_after as "validAfter",
  valid_before as "validBefore", signature, identifier, route, calls, request, client, state, sent, owner,
  lease_until as "leaseUntil", from_block as "fromBlock", claimed_block as "claimedBlock", claimed_at as "claimedAt", answer_status as "answerStatus",
  answer_headers as "answerHeaders", answer_body as "answerBody", transaction_hash as "transaction",
  settled_at as "settledAt", delivered_at as "deliveredAt", refunded_at as "refundedAt",
  block_number as "blockNumber", final_at as "finalAt"`;

/** In column order. */
export type RawPayment = Omit<PaymentRow, 'state' | 'answer'> & {
  readonly state: number;
  readonly answerStatus: number | null;
  readonly answerHeaders: string | null;
  readonly answerBody: Hex | null;
};

export function toRow({ answerStatus, answerHeaders, answerBody, ...raw }: RawPayment): PaymentRow {
  const kept = answerStatus !== null && answerHeaders !== null && answerBody !== null;
  return {
    ...raw,
    state: stateOf(raw.state) as PaymentRow['state'],
    answer: kept
      ? {
          status: answerStatus,
          headers: JSON.parse(answerHeaders) as Record<string, string>,
          body: Buffer.from(answerBody.slice(2), 'hex'),
        }
      : null,
  };
}

export function toKnown(raw: RawPayment): KnownPayment {
  if (stateOf(raw.state) !== 'found') return toRow(raw);
  const { chainId, asset, payer, nonce, value, payTo, deliveredAt, refundedAt, finalAt } = raw;
  return {
    ...{ chainId, asset, payer, nonce, value, payTo, deliveredAt, refundedAt, finalAt },
    state: 'found',
    sent: true,
    transaction: raw.transaction!,
    blockNumber: raw.blockNumber!,
  };
}
