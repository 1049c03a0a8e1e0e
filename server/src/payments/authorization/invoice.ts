import { getAddress } from 'viem';
import type { PaymentTerms } from './payment.ts';

/** A resource that costs something. */
export interface Priced {
  /** Canonical address, query included. */
  readonly url: string;
  readonly description: string;
  readonly price: bigint;
}

/** The protocol's offer to keep answers for who names a payment; its shape is the protocol's. */
const PAYMENT_IDENTIFIER = {
  info: { required: false },
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      required: { type: 'boolean' },
      id: { type: 'string', minLength: 16, maxLength: 128, pattern: '^[a-zA-Z0-9_-]+$' },
    },
    required: ['required'],
  },
};

/** What a 402 asks for: the protocol's PaymentRequired, version 2. */
export function invoice(terms: PaymentTerms, priced: Priced, error: string) {
  return {
    x402Version: 2,
    error,
    resource: {
      url: priced.url,
      description: priced.description,
      mimeType: 'application/json',
    },
    accepts: [requirements(terms, priced.price)],
    extensions: { 'payment-identifier': PAYMENT_IDENTIFIER },
  };
}

export function requirements(terms: PaymentTerms, price: bigint) {
  return {
    scheme: 'exact',
    network: networkOf(terms),
    amount: String(price),
    asset: getAddress(terms.asset),
    payTo: getAddress(terms.payTo),
    maxTimeoutSeconds: terms.maxTimeoutSeconds,
    extra: { name: terms.assetName, version: terms.assetVersion },
  } as const;
}

export function networkOf({ chainId }: PaymentTerms): `eip155:${number}` {
  return `eip155:${chainId}`;
}
