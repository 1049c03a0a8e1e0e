import type { PaymentsConfig } from '../../config/config.ts';
import { MAX_PAYMENT_HEADER_BYTES } from '../../payments/gate/gate.ts';
import { REFUSAL_CODES, REMEDIES } from '../../payments/gate/refusalCodes.ts';
import { MAX_RESOURCE_LENGTH } from './resource.ts';

const FLAT = 'Volume pricing: none; the price does not depend on use.';

/** The prices and limits of a server, for its documents. */
export type PaidOffer = Omit<PaymentsConfig, 'facilitator' | 'blocked'>;

/** Describes how payment works on this server: the description of its paid routes. */
export function paidText(offer: PaidOffer): string {
  return `Risk grades, paid per request in a stablecoin with x402 version 2. The payer needs no gas. Send the request without a payment to get a 402 with an invoice, sign the invoice, and send the same request with \`PAYMENT-SIGNATURE\` (or \`X-PAYMENT\`). You are charged only for 2xx. The payment is settled when the 2xx response is ready, before it is sent.

- Checks, in order: URL and header size (414, 431); header format (400); terms, validity, and signature (402); block list (403); rate limit (429); amount, reuse, and balance (402, 409); parameters (400, 404).
- Reuse: an authorization covers one method, path, and query. After a free response (400, 403, 404, 429, 5xx) you can reuse it for the same request until it expires. HEAD is charged separately from GET.
- \`resource\` is optional in a payment. If it is present, its \`url\` must match the invoice, including the query.
- ${identifierText(offer)}
- 409 \`payment_identifier_conflict\`: the identifier belongs to another authorization or request. Nothing was charged, and no invoice is sent, so that you don't pay twice. Repeat the original request or use a new identifier.
- 409 \`payment_unrecorded\`: the payment was charged, but the server has no record of it, for example after a database failure. The response may have been sent before, so it is not sent again; the operator refunds the payment. To buy the response again, request a new invoice without a payment.
- 503 \`payment_status_unknown\`: the payment may have been charged. Do not sign again; repeat the same request after \`Retry-After\`. Any other 503 charged nothing for the request. With \`selling_stopped\`, new sales are suspended until the operator resumes them; responses that were already paid for are still delivered.
- ${rateText(offer)}
- ${escalationText(offer)}
- Format: a header that is not base64 of a JSON object, or two payment headers that differ, is a 400.
- Limits: payment header ${MAX_PAYMENT_HEADER_BYTES} bytes (431), path and query in canonical form ${MAX_RESOURCE_LENGTH} characters (414), authorization validity ${offer.maxTimeoutSeconds} seconds plus 60 seconds of clock tolerance.

Every 402 has the reason in \`error\`:

| error | meaning | what to do |
|---|---|---|
${REFUSAL_CODES.map(({ code, meaning, remedy }) => `| \`${code}\` | ${meaning} | ${REMEDIES[remedy]} |`).join('\n')}`;
}

function identifierText({ keepAnswersSeconds }: PaidOffer): string {
  const hours = count(keepAnswersSeconds / 3_600, 'hour');
  return `Retries: with a payment identifier, the same request returns the same response for ${hours} and is charged once. Without one, a charged but undelivered response is available for 60 seconds, to the same client address.`;
}

function rateText({ rateLimit: { perSecond, burst } }: PaidOffer): string {
  if (perSecond === 0) return 'Rate limit: none.';
  return `Rate limit: ${count(perSecond, 'request')} per second per payer (the signer), in bursts of up to ${grouped(burst)}; above it, 429 with \`Retry-After\`. A request for several nodes counts once per node.`;
}

function escalationText({ escalation }: PaidOffer): string {
  if (escalation === null) return FLAT;
  const steps: string[] = [];
  let times = 1;
  const { firstStepCalls, factor, maxFactor } = escalation;
  for (let calls = firstStepCalls; times < maxFactor; calls *= 10) {
    times = Math.min(times * factor, maxFactor);
    steps.push(`${times}× after ${grouped(calls)} settled calls`);
  }
  if (steps.length === 0) return FLAT;
  return `Volume pricing: a payer's price is ${steps.join(' and ')}. The first 402 shows the base price; a 402 that follows a payment shows the payer's.`;
}

/** Formats base units of an asset with 6 decimals as dollars, with all digits and at least cents. */
export function usdText(units: bigint): string {
  const digits = String(units).padStart(7, '0');
  const decimals = digits.slice(-6).replace(/0{1,4}$/, '');
  return `${digits.slice(0, -6)}.${decimals}`;
}

function count(number: number, noun: string): string {
  return `${grouped(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** 1,000,000 */
function grouped(number: number): string {
  return String(number).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}
