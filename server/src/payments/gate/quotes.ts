import { encodePaymentRequiredHeader } from '@x402/core/http';
import { BoundedMap } from '../../domain/boundedMap.ts';
import { invoice, type Priced } from '../authorization/invoice.ts';
import type { PaymentTerms } from '../authorization/payment.ts';

/** A 402 as it is sent: the same invoice in the header and in the body. */
export interface Quote {
  readonly header: string;
  readonly body: Uint8Array;
}

/** Quotes kept; most clients ask for few resources. */
const MOST_QUOTES = 2_000;

/** Makes 402s; one that is asked for again is the same bytes. */
export function createQuotes(terms: PaymentTerms): (priced: Priced, error: string) => Quote {
  const kept = new BoundedMap<string, Quote>(MOST_QUOTES);
  return (priced, error) => {
    const key = `${priced.price} ${error} ${priced.url}`;
    const found = kept.get(key);
    if (found !== undefined) return found;
    const made = quote(terms, priced, error);
    kept.set(key, made);
    return made;
  };
}

function quote(terms: PaymentTerms, priced: Priced, error: string): Quote {
  const asked = invoice(terms, priced, error);
  const header = encodePaymentRequiredHeader(asked as never);
  return { header, body: Buffer.from(JSON.stringify(asked)) };
}
