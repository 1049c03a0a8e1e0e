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
/** Common clients fail at 16 KB of headers, and send back what they got. */
const MOST_HEADER = 8_191;

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

/** A resource with a long name is listed by nobody: its invoice leaves out what directories read. */
function quote(terms: PaymentTerms, priced: Priced, error: string): Quote {
  const whole = written(invoice(terms, priced, error));
  if (whole.header.length <= MOST_HEADER) return whole;
  return written(invoice(terms, { ...priced, bazaar: undefined }, error));
}

function written(asked: ReturnType<typeof invoice>): Quote {
  const body = Buffer.from(JSON.stringify(asked));
  return { header: body.toString('base64'), body };
}
