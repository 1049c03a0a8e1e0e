/** What a client should do about a refusal. */
export type Remedy = 'sign' | 'same-again' | 'fix' | 'give-up';

export const REMEDIES: Readonly<Record<Remedy, string>> = {
  sign: 'Sign the invoice of this response with a new nonce, and send it.',
  'same-again': 'Do not sign again. Repeat the same request in a moment.',
  fix: 'Fix the client, then sign the invoice of this response. The same payment is rejected every time.',
  'give-up': 'Do not retry with this account until its state has changed.',
};

export interface RefusalCode {
  readonly code: string;
  readonly meaning: string;
  readonly remedy: Remedy;
}

/** Every `error` of a 402: the request was not charged. */
export const REFUSAL_CODES: readonly RefusalCode[] = [
  entry('payment_required', 'The request has no payment.', 'sign'),
  entry('invalid_x402_version', 'The payment does not use version 2 of the protocol.', 'fix'),
  entry('invalid_payload', '`accepted` or `payload` is missing or not an object.', 'fix'),
  entry('invalid_authorization', 'A field of the authorization is missing or malformed.', 'fix'),
  entry(
    'invalid_signature',
    'The signature is malformed, or is not a signature by `from` under the domain in `extra`.',
    'fix',
  ),
  entry(
    'invalid_payment_identifier',
    'An identifier has 16 to 128 characters: A-Z a-z 0-9 _ -.',
    'fix',
  ),
  entry('invalid_scheme', 'The accepted scheme differs from the invoice.', 'fix'),
  entry('invalid_network', 'The accepted network differs from the invoice.', 'fix'),
  entry('invalid_asset', 'The accepted asset differs from the invoice.', 'fix'),
  entry(
    'invalid_resource',
    '`resource.url` of the payment is not the canonical URL of this request.',
    'sign',
  ),
  entry('invalid_pay_to', 'The accepted `payTo` differs from the current invoice.', 'sign'),
  entry('invalid_recipient', 'The authorization pays an address other than `payTo`.', 'sign'),
  entry(
    'invalid_amount',
    "The amount is not this payer's current price, which changed or rose with volume. Check the amount before signing.",
    'sign',
  ),
  entry(
    'authorization_expired',
    'The authorization has expired, or expires too soon to be settled.',
    'sign',
  ),
  entry(
    'authorization_not_yet_valid',
    "`validAfter` is in the future, or the client's clock is ahead.",
    'same-again',
  ),
  entry(
    'authorization_valid_too_long',
    '`validBefore` is more than `maxTimeoutSeconds` from now.',
    'sign',
  ),
  entry(
    'authorization_already_used',
    'The nonce was used on chain, or on this server with other content.',
    'sign',
  ),
  entry('authorization_cancelled', 'The payer cancelled the authorization on chain.', 'sign'),
  entry('insufficient_funds', "The payer's balance is below the price.", 'give-up'),
  entry(
    'payment_would_fail',
    'The asset rejects this transfer: the account is frozen, the asset is paused, or the wallet contract rejects the signature.',
    'give-up',
  ),
  entry(
    'settlement_too_costly',
    "The wallet's code makes the settlement cost too much gas. Pay from an account without code.",
    'give-up',
  ),
  entry(
    'payment_in_progress',
    'Another request with this payment is in progress. With a payment identifier, both get the response.',
    'same-again',
  ),
  entry(
    'payment_already_used',
    'The payment was charged and its response delivered, or the stored response has expired.',
    'sign',
  ),
  entry(
    'payment_used_for_other_request',
    'The payment is for another method, path, or query.',
    'sign',
  ),
  entry(
    'payment_lost',
    'A reorg removed the settlement permanently; the payment was not charged.',
    'sign',
  ),
  entry(
    'payment_refused',
    'The facilitator service rejected the payment. Codes that are not in this table come from the service and mean the same.',
    'give-up',
  ),
];

function entry(code: string, meaning: string, remedy: Remedy): RefusalCode {
  return { code, meaning, remedy };
}
