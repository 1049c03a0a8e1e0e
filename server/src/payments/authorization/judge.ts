import { isSamePlace } from '../../domain/loopback.ts';
import type { DecodedPayment } from './decode.ts';
import { networkOf } from './invoice.ts';
import type { Authorization, PaymentTerms } from './payment.ts';

/** Clocks differ: an authorization may be valid this much longer than the invoice allowed. */
const CLOCK_SLACK = 60n;
/** Less than this is too little to answer and settle in. */
const LEAST_SECONDS_LEFT = 6n;

/** What is wrong with a payment whoever signed it, whenever and for how much; undefined: nothing. */
export function findFault(
  payment: DecodedPayment,
  { terms, resourceUrl }: { readonly terms: PaymentTerms; readonly resourceUrl: string },
): string | undefined {
  const { accepted } = payment;
  if (accepted.scheme !== 'exact') return 'invalid_scheme';
  if (accepted.network !== networkOf(terms)) return 'invalid_network';
  if (!sameAddress(accepted.asset, terms.asset)) return 'invalid_asset';
  if (payment.resourceUrl !== null && !isSamePlace(payment.resourceUrl, resourceUrl)) {
    return 'invalid_resource';
  }
  return undefined;
}

/** Whether it pays somebody else; undefined: us. */
export function findRecipientFault(
  { accepted, authorization }: DecodedPayment,
  terms: PaymentTerms,
): string | undefined {
  if (!sameAddress(accepted.payTo, terms.payTo)) return 'invalid_pay_to';
  return authorization.to === terms.payTo ? undefined : 'invalid_recipient';
}

/** Why a payment cannot be taken up now; undefined: it can. */
export function findTimeFault(
  { validAfter, validBefore }: Authorization,
  options: { readonly terms: PaymentTerms; readonly now: number },
): string | undefined {
  const now = BigInt(options.now);
  if (validBefore < now + LEAST_SECONDS_LEFT) return 'authorization_expired';
  if (validAfter >= now) return 'authorization_not_yet_valid';
  if (validBefore > now + BigInt(options.terms.maxTimeoutSeconds) + CLOCK_SLACK) {
    return 'authorization_valid_too_long';
  }
  return undefined;
}

/** Whether the payer accepted, and signed, exactly this price. */
export function paysExactly({ accepted, authorization }: DecodedPayment, price: bigint): boolean {
  return accepted.amount === String(price) && authorization.value === price;
}

function sameAddress(claimed: unknown, ours: string): boolean {
  return typeof claimed === 'string' && claimed.toLowerCase() === ours;
}
