import { getAddress } from 'viem';
import type { PaymentTerms } from './payment.ts';

/** A resource with a price. */
export interface Priced {
  /** Canonical URL, including the query. */
  readonly url: string;
  readonly description: string;
  readonly price: bigint;
  /** How to request it, for directories. */
  readonly bazaar?: Bazaar | undefined;
}

/** The protocol's directory extension: an example of the request and of the response, with their schemas. */
export interface Bazaar {
  readonly info: { readonly input: object; readonly output?: object };
  readonly schema: {
    readonly properties: { readonly input: object; readonly output?: object };
    readonly [keyword: string]: unknown;
  };
  /** One entry for all values of a path's parameters: /node/:nodeId */
  readonly routeTemplate?: string;
}

/** The name under which directories list the server: at most 32 ASCII characters, and 5 tags. */
const SERVICE = { serviceName: 'Assay risk data', tags: ['risk', 'defi', 'vaults', 'grades'] };

/** Declares the payment-identifier extension, in the protocol's format. */
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

/** Returns the body of a 402: the protocol's PaymentRequired, version 2. */
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

/** Returns the same invoice with ever fewer optional fields, for headers with little room. */
export function shorterInvoices(terms: PaymentTerms, priced: Priced, error: string): object[] {
  const { url, bazaar } = priced;
  const whole = invoice(terms, { ...priced, bazaar: bazaar && inputOnly(bazaar) }, error);
  const { bazaar: _, ...extensions } = whole.extensions;
  const { info } = PAYMENT_IDENTIFIER;
  return [
    whole,
    { ...whole, extensions },
    { ...whole, resource: { url }, extensions: { 'payment-identifier': { info } } },
  ];
}

/** Keeps the description of the request and drops that of the response. */
function inputOnly({ info, schema, ...rest }: Bazaar): Bazaar {
  const properties = { input: schema.properties.input };
  return { info: { input: info.input }, schema: { ...schema, properties }, ...rest };
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
