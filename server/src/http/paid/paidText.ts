import type { PaymentsConfig } from '../../config/config.ts';
import { MOST_HEADER_BYTES } from '../../payments/gate/gate.ts';
import { REFUSAL_CODES, REMEDIES } from '../../payments/gate/refusalCodes.ts';
import { MOST_RESOURCE_LENGTH } from './resource.ts';

/** What the documents say of the prices and limits of a server. */
export type PaidOffer = Omit<PaymentsConfig, 'facilitator' | 'blocked'>;

/** How payment works, as this server does it: the description of its paid routes. */
export function paidText(offer: PaidOffer): string {
  return `Graded risk data, paid per query in a stablecoin by HTTP 402 (x402, version 2); the payer pays no gas. Without payment the answer is 402 with an invoice, whatever the parameters; sign it and send the request again with \`X-PAYMENT\` or \`PAYMENT-SIGNATURE\`. Only 2xx answers are charged, before they are sent.

- What is judged, in this order: the size of URL and header (414, 431); whether the header can be read (400); terms, times and signature (402); the block list (403); the payer's limit (429); amount, use and funds (402, 409); and only then the parameters (400, 404, free). Settled is when a 2xx answer is ready.
- One authorization pays for one method, path and query. After a free answer (400, 403, 404, 429, 5xx) it can be used again for the same request while it is valid.
- A paid HEAD is charged as HEAD, and pays for nothing else.
- \`resource\` may be left out of a payment; when it is there, its \`url\` must be that of the invoice, query included.
- ${identifierText(offer)}
- 409 (\`payment_identifier_conflict\`): the identifier was used with another authorization or request. Nothing is charged and no invoice is sent, so as not to invite a second payment: send what it was first used with, or take a new identifier.
- 503 that speaks of being found out: the payment may have been charged, and nobody knows yet. Do not sign anew: send the very same request again, after \`Retry-After\`, until it is answered otherwise. Any other 503 charged nothing.
- ${rateText(offer)}
- ${escalationText(offer)}
- A header that is not base64 of a JSON object, and two payment headers that differ, are 400.
- A payment header has at most ${MOST_HEADER_BYTES} bytes (else 431), a path and query in their canonical form at most ${MOST_RESOURCE_LENGTH} characters (else 414).
- An authorization is valid for at most ${offer.maxTimeoutSeconds} s, and 60 s more for clocks that differ.

Every 402 says in \`error\` what is wrong:

| error | meaning | what to do |
|---|---|---|
${REFUSAL_CODES.map(({ code, meaning, remedy }) => `| \`${code}\` | ${meaning} | ${REMEDIES[remedy]} |`).join('\n')}`;
}

function identifierText({ keepAnswersSeconds }: PaidOffer): string {
  const hours = count(keepAnswersSeconds / 3_600, 'hour');
  return `With the payment-identifier extension the very same request, with the same authorization and identifier, gets the very same answer again for ${hours} and is charged once. Without one, an answer that was charged and did not arrive is handed out again for 60 s, to the same client address.`;
}

function rateText({ rateLimit: { perSecond, burst } }: PaidOffer): string {
  if (perSecond === 0) return 'Payers are not limited in how often they ask.';
  return `A payer may send ${count(perSecond, 'request')} per second, and ${grouped(burst)} at once; more are 429 with \`Retry-After\`. The payer is who signed.`;
}

function escalationText({ escalation }: PaidOffer): string {
  if (escalation === null) return 'The price does not grow with use.';
  const steps: string[] = [];
  let times = 1;
  for (let calls = escalation.after * 10; times < escalation.most; calls *= 10) {
    times = Math.min(times * escalation.factor, escalation.most);
    steps.push(`after ${grouped(calls)} settled calls of a payer ${times} times the price`);
  }
  if (steps.length === 0) return 'The price does not grow with use.';
  return `Heavy use costs more: ${steps.join(', ')}. The first 402 names the base price, a fresh one the payer's.`;
}

/** Base units of an asset with 6 decimals as dollars, with all their digits and at least cents. */
export function usdText(units: bigint): string {
  const digits = String(units).padStart(7, '0');
  const decimals = digits.slice(-6).replace(/0{1,4}$/, '');
  return `${digits.slice(0, -6)}.${decimals}`;
}

function count(number: number, noun: string): string {
  return `${grouped(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** 1 000 000 */
function grouped(number: number): string {
  return String(number).replaceAll(/\B(?=(\d{3})+$)/g, ' ');
}
