import { BoundedMap } from '../../domain/boundedMap.ts';
import { invoice, type Priced, shorterInvoices } from '../authorization/invoice.ts';
import type { PaymentTerms } from '../authorization/payment.ts';

/** A 402 as it is sent: the invoice in the body, and as much of it in the header as fits. */
export interface Quote {
  readonly header: string;
  readonly body: Uint8Array;
}

/** Cached quotes; most clients request few resources. */
const MAX_QUOTES = 2_000;
/**
 * Common proxies accept 4 KB of headers in total, and clients send back what they received. All other headers of a 402
 * have less than 800 bytes.
 */
const MAX_INVOICE_HEADER_LENGTH = 2_700;

/** Creates 402 responses; repeated ones are the same bytes. */
export function createQuotes(terms: PaymentTerms): (priced: Priced, error: string) => Quote {
  const cached = new BoundedMap<string, Quote>(MAX_QUOTES);
  return (priced, error) => {
    const key = `${priced.price} ${error} ${priced.url}`;
    const found = cached.get(key);
    if (found !== undefined) return found;
    const created = quote(terms, priced, error);
    cached.set(key, created);
    return created;
  };
}

function quote(terms: PaymentTerms, priced: Priced, error: string): Quote {
  const headers = shorterInvoices(terms, priced, error).map((content) =>
    toBytes(content).toString('base64'),
  );
  const header =
    headers.find(({ length }) => length <= MAX_INVOICE_HEADER_LENGTH) ?? headers.at(-1)!;
  return { header, body: toBytes(invoice(terms, priced, error)) };
}

function toBytes(content: object): Buffer {
  return Buffer.from(JSON.stringify(content));
}
