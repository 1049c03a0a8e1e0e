import type { Client } from '../read/client.ts';
import { failure } from '../wire/errors.ts';
import { problemOf } from '../wire/problem.ts';
import { retrying } from '../wire/retry.ts';
import type { SendOptions } from '../wire/send.ts';
import { readUnits } from './allow.ts';
import { askSeller } from './answer.ts';
import { type Call, callOf, textOf } from './call.ts';
import { type Invoice, readInvoice } from './invoice.ts';
import type { Price } from './payer.ts';

/** A seller's prices, not checked against any allow list. */
export interface Offer {
  /** The seller's URL of the resource. */
  readonly resourceUrl: string;
  /** Ways to pay, in the seller's order. Those without an integer amount are left out. */
  readonly prices: readonly Price[];
}

/**
 * Returns the price of a response without paying and without a payer; null if it is free.
 *
 * @example
 * const offer = await getOffer(client, `${client.url}/api/v1/agent/schema`);
 * console.log(offer?.prices[0]?.amount);
 */
export async function getOffer(
  { wire }: Pick<Client, 'wire'>,
  url: string,
  options: SendOptions = {},
): Promise<Offer | null> {
  const { invoice } = await ask(callOf(wire, url, options));
  if (!invoice) return null;
  const prices = invoice.accepts.flatMap(({ scheme, amount, network, asset, payTo }) => {
    const units = scheme === 'exact' ? readUnits(amount) : undefined;
    return units === undefined ? [] : [{ amount: units, network, asset, payTo }];
  });
  return { resourceUrl: invoice.resourceUrl, prices };
}

/** Sends a request without a payment. Returns the response, or the invoice. */
export function ask(
  call: Call,
): Promise<{ readonly answer?: unknown; readonly invoice?: Invoice }> {
  return retrying(call.wire, call.signal, async () => {
    const sent = await askSeller(call);
    const { status, ok, headers } = sent.response;
    if (status === 402) return { invoice: readInvoice(headers.get('payment-required')) };
    if (!ok) throw problemOf(sent.response, textOf(sent));
    const answer = call.read(sent);
    if (answer !== undefined) return { answer };
    throw failure('malformed', `The response (${status}) is not JSON.`, { status });
  });
}
