import { readBytes } from '../wire/readText.ts';
import { type Sending, send, type Wire } from '../wire/send.ts';

/** A seller's complete response. */
export interface SellerAnswer {
  readonly response: Response;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Sends the request of a call, with or without a payment header. */
export function askSeller(
  {
    wire,
    url,
    method,
    body,
    headers,
    signal,
  }: Sending & { readonly wire: Wire; readonly url: URL },
  payment?: string,
): Promise<SellerAnswer> {
  const all = payment === undefined ? headers : { ...headers, 'payment-signature': payment };
  // A seller that never answers must not keep the process of a buyer alive.
  return send(
    wire,
    url.href,
    { method, body, headers: all, signal, cut: true },
    async (response) => ({
      response,
      body: await readBytes(response),
    }),
  );
}
