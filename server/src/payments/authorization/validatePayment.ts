import { isSamePlace } from '../../domain/loopback.ts';
import type { DecodedPayment } from './decode.ts';
import { networkOf } from './invoice.ts';
import type { Authorization, PaymentTerms } from './payment.ts';

/** Tolerance for clock differences, in seconds: how much longer than invoiced an authorization may be valid. */
export const CLOCK_SLACK = 60n;
/** Less time than this is not enough to respond and settle. */
const MIN_SECONDS_LEFT = 6n;

/** Returns what is wrong with a payment regardless of its signer, time, and amount; undefined if nothing is. */
export function findTermsError(
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

/** Returns an error code if the payment goes to another recipient. */
export function findRecipientError(
  { accepted, authorization }: DecodedPayment,
  terms: PaymentTerms,
): string | undefined {
  if (!sameAddress(accepted.payTo, terms.payTo)) return 'invalid_pay_to';
  return authorization.to === terms.payTo ? undefined : 'invalid_recipient';
}

/** Returns why a payment cannot be accepted now; undefined if it can. */
export function findValidityError(
  { validAfter, validBefore }: Authorization,
  options: { readonly terms: PaymentTerms; readonly now: number },
): string | undefined {
  const now = BigInt(options.now);
  if (validBefore < now + MIN_SECONDS_LEFT) return 'authorization_expired';
  if (validAfter >= now) return 'authorization_not_yet_valid';
  if (validBefore > now + BigInt(options.terms.maxTimeoutSeconds) + CLOCK_SLACK) {
    return 'authorization_valid_too_long';
  }
  return undefined;
}

/** Returns the earliest time at which a server with these terms can have accepted it. Unix seconds. */
export function getEarliestAcceptance(
  { validAfter, validBefore }: Authorization,
  { maxTimeoutSeconds }: Pick<PaymentTerms, 'maxTimeoutSeconds'>,
): number {
  const earliest = validBefore - BigInt(maxTimeoutSeconds) - CLOCK_SLACK;
  return Number(validAfter > earliest ? validAfter : earliest) - Number(CLOCK_SLACK);
}

/** Checks that the payer accepted and signed exactly this price. */
export function paysExactly({ accepted, authorization }: DecodedPayment, price: bigint): boolean {
  return accepted.amount === String(price) && authorization.value === price;
}

function sameAddress(claimed: unknown, ours: string): boolean {
  return typeof claimed === 'string' && claimed.toLowerCase() === ours;
}
