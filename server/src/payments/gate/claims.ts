import { createHash } from 'node:crypto';
import type { Hex } from '../../domain/hex.ts';
import type { PaymentKey } from '../../store/payments/paymentKey.ts';
import type { Claim, PaymentRow } from '../../store/payments/paymentRow.ts';
import type { DecodedPayment } from '../authorization/decode.ts';
import type { PaymentTerms } from '../authorization/payment.ts';
import { LEASE_SECONDS } from '../ledger/ledger.ts';
import type { PricedRequest } from './gateTypes.ts';

/** Blocks before the head at which a new authorization cannot have been used, since RPC endpoints differ by a few. */
const HEAD_MARGIN = 16;

/** Returns the ledger's key of a payment. */
export function keyOf(
  { chainId, asset }: Pick<PaymentTerms, 'chainId' | 'asset'>,
  { authorization: { from, nonce } }: DecodedPayment,
): PaymentKey {
  return { chainId, asset, payer: from, nonce };
}

/** Returns the row that a request claims in the ledger before any work is done for it. */
export function claimOf(
  request: PricedRequest,
  payment: DecodedPayment,
  by: {
    readonly terms: PaymentTerms;
    readonly owner: string;
    /** The newest block. */
    readonly head: number;
    /** Unix seconds. */
    readonly now: number;
  },
): Claim {
  const { authorization, signature, identifier } = payment;
  return {
    ...keyOf(by.terms, payment),
    value: authorization.value,
    payTo: authorization.to,
    validAfter: Number(authorization.validAfter),
    validBefore: Number(authorization.validBefore),
    signature,
    identifier,
    route: request.route,
    calls: request.calls,
    request: hashOf(request),
    client: clientOf(request, payment),
    owner: by.owner,
    leaseUntil: by.now + LEASE_SECONDS,
    fromBlock: Math.max(0, by.head - HEAD_MARGIN),
    claimedBlock: by.head,
    claimedAt: by.now,
  };
}

/** Hashes what is paid for. */
export function hashOf({ method, resource }: PricedRequest): Hex {
  return `0x${createHash('sha256').update(`${method} ${resource}`).digest('hex')}`;
}

/** Hashes nonce and client address, so that a repeat request is recognized without storing the address. */
export function clientOf({ client }: PricedRequest, { authorization }: DecodedPayment): Hex {
  return `0x${createHash('sha256').update(`${authorization.nonce} ${client}`).digest('hex')}`;
}

/** Whether the ledger's payment is the same authorization, and not another one with the same nonce. */
export function isSame({ authorization }: DecodedPayment, row: PaymentRow): boolean {
  return (
    authorization.value === row.value &&
    authorization.to === row.payTo &&
    authorization.validAfter === BigInt(row.validAfter) &&
    authorization.validBefore === BigInt(row.validBefore)
  );
}
