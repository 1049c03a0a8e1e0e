import type { Client } from '../read/client.ts';
import { failure } from '../wire/errors.ts';
import { problemOf } from '../wire/problem.ts';
import { retrying } from '../wire/retry.ts';
import type { Wire } from '../wire/send.ts';
import { readUnits } from './allow.ts';
import { askSeller } from './answer.ts';
import { type Invoice, readInvoice } from './invoice.ts';
import type { Price } from './payer.ts';

/** What a seller asks for, as it says it: nobody has judged it. */
export interface Offer {
  /** What the seller calls the resource. */
  readonly resourceUrl: string;
  /** Ways to pay, in the seller's order; those in no whole amount are left out. */
  readonly prices: readonly Price[];
}

/** What an answer costs, without a payer and without paying; null when it is free. */
export async function getOffer(
  { wire }: Pick<Client, 'wire'>,
  url: string,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<Offer | null> {
  const { invoice } = await ask(wire, url, signal);
  if (!invoice) return null;
  const prices = invoice.accepts.flatMap(({ scheme, amount, network, asset, payTo }) => {
    const units = scheme === 'exact' ? readUnits(amount) : undefined;
    return units === undefined ? [] : [{ amount: units, network, asset, payTo }];
  });
  return { resourceUrl: invoice.resourceUrl, prices };
}

/** The plain request: an answer, or what it costs. */
export function ask(
  wire: Wire,
  url: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly answer?: unknown; readonly invoice?: Invoice }> {
  return retrying(wire, signal, async () => {
    const { response, text } = await askSeller(wire, url, { signal });
    const { status, ok, headers } = response;
    if (status === 402) return { invoice: readInvoice(headers.get('payment-required')) };
    if (!ok) throw problemOf(response, text);
    const answer = parsed(text);
    if (answer !== undefined) return { answer };
    throw failure('malformed', `the answer (${status}) is not JSON`, { status });
  });
}

/** Undefined for what is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
