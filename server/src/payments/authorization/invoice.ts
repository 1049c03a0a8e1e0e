import { getAddress } from 'viem';
import type { PaymentTerms } from './payment.ts';

/** A resource that costs something. */
export interface Priced {
  /** Canonical address, query included. */
  readonly url: string;
  readonly description: string;
  readonly price: bigint;
  /** How it is asked for, for directories. */
  readonly bazaar?: Bazaar | undefined;
}

/** The protocol's extension for directories: what to send and what comes back, with the schemas of both. */
export interface Bazaar {
  readonly info: object;
  readonly schema: object;
  /** One entry for all values of a path's parameters: /node/:nodeId */
  readonly routeTemplate?: string;
}

/** Under which name directories list it: at most 32 ASCII characters, and 5 tags. */
const SERVICE = { serviceName: 'Assay risk data', tags: ['risk', 'defi', 'vaults', 'grades'] };

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
    resource: resourceOf(priced),
    accepts: [requirements(terms, priced.price)],
    extensions: {
      'payment-identifier': PAYMENT_IDENTIFIER,
      ...(priced.bazaar && { bazaar: priced.bazaar }),
    },
  };
}

export function resourceOf({ url, description }: Pick<Priced, 'url' | 'description'>) {
  return { url, description, mimeType: 'application/json', ...SERVICE };
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
