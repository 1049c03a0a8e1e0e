/** What a client does about a refusal. */
export type Remedy = 'sign' | 'same-again' | 'fix' | 'give-up';

export const REMEDIES: Readonly<Record<Remedy, string>> = {
  sign: 'Sign the invoice of this answer, with a new nonce, and send that.',
  'same-again': 'Do not sign anew. Wait a moment and send the very same request again.',
  fix: 'Correct the client, then sign the invoice of this answer. The same again is refused again.',
  'give-up': 'Do not try again with this account as it is.',
};

export interface RefusalCode {
  readonly code: string;
  readonly meaning: string;
  readonly remedy: Remedy;
}

/** Every `error` of a 402: nothing was charged for the request that is answered so. */
export const REFUSAL_CODES: readonly RefusalCode[] = [
  entry('payment_required', 'The request came without a payment.', 'sign'),
  entry('invalid_x402_version', 'The payment is not of version 2 of the protocol.', 'fix'),
  entry('invalid_payload', '`accepted` or `payload` is missing or no object.', 'fix'),
  entry('invalid_authorization', 'A field of the authorization is missing or malformed.', 'fix'),
  entry(
    'invalid_signature',
    'The signature is malformed, or not that of `from` under the domain in `extra`.',
    'fix',
  ),
  entry('invalid_payment_identifier', 'An identifier has 16 to 128 of A-Z a-z 0-9 _ -.', 'fix'),
  entry('invalid_scheme', 'Another scheme was accepted than the invoice offers.', 'fix'),
  entry('invalid_network', 'Another network was accepted than the invoice offers.', 'fix'),
  entry('invalid_asset', 'Another asset was accepted than the invoice offers.', 'fix'),
  entry(
    'invalid_resource',
    'The payment names another `resource.url` than the canonical one of this request.',
    'sign',
  ),
  entry('invalid_pay_to', 'Another `payTo` was accepted than the invoice offers now.', 'sign'),
  entry('invalid_recipient', 'The authorization pays another address than `payTo`.', 'sign'),
  entry(
    'invalid_amount',
    'Not the price of this payer now: it changed, or grew with use. Check the amount before signing.',
    'sign',
  ),
  entry('authorization_expired', 'It has ended, or ends too soon to be settled in.', 'sign'),
  entry(
    'authorization_not_yet_valid',
    '`validAfter` lies in the future, or the clock of the client does.',
    'same-again',
  ),
  entry(
    'authorization_valid_too_long',
    '`validBefore` lies beyond `maxTimeoutSeconds` from now.',
    'sign',
  ),
  entry(
    'authorization_already_used',
    'Its nonce was used on chain, or here with other content.',
    'sign',
  ),
  entry('authorization_cancelled', 'Its payer cancelled it on chain.', 'sign'),
  entry('insufficient_funds', 'The payer has less of the asset than the price.', 'give-up'),
  entry(
    'payment_would_fail',
    'The asset refuses this transfer: the account is frozen, the asset paused, or a wallet says no.',
    'give-up',
  ),
  entry(
    'settlement_too_costly',
    "The wallet's code makes the settlement cost too much gas; pay from a plain key.",
    'give-up',
  ),
  entry(
    'payment_in_progress',
    'A request with this payment is being answered. With a payment identifier both get the answer.',
    'same-again',
  ),
  entry(
    'payment_already_used',
    'It was charged and its answer handed out, or nothing is kept of it any more.',
    'sign',
  ),
  entry('payment_used_for_other_request', 'It pays for another method, path or query.', 'sign'),
  entry('payment_lost', 'The chain took its settlement back for good: it was not charged.', 'sign'),
  entry(
    'payment_refused',
    'The facilitator service refused it. Other codes than these are its own, and mean the same.',
    'give-up',
  ),
];

function entry(code: string, meaning: string, remedy: Remedy): RefusalCode {
  return { code, meaning, remedy };
}
