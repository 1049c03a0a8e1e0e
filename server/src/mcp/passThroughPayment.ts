import type { Buyer } from './paidTools.ts';
import { serverText } from './serverText.ts';

/** The server requires payment: its own invoice, in the protocol's format. */
export class PaymentNeeded extends Error {
  override readonly name = 'PaymentNeeded';
  readonly invoice: object;
  /** Of a failed settlement. */
  readonly receipt: object | undefined;

  constructor(invoice: object, receipt: object | undefined) {
    super('payment is required');
    this.invoice = invoice;
    this.receipt = receipt;
  }
}

/** The server did not respond as expected; the message is safe to show. */
export class NotSold extends Error {
  override readonly name = 'NotSold';
}

export interface PassThroughPayment extends Buyer {
  /** Of the purchase. */
  receipt(): object | undefined;
}

/** A settlement takes as long as the chain needs. */
const TIMEOUT_MS = 60_000;
/** As in the client: inflated bytes, so that no server can exhaust the memory. */
const MAX_BYTES = 32_000_000;

/** Passes the client's own payment, if any, to the server, and returns the server's response. */
export function createPassThroughPayment(payment: object | undefined): PassThroughPayment {
  let receipt: object | undefined;
  return { buy, receipt: () => receipt };

  async function buy(url: string, { signal }: { readonly signal?: AbortSignal | undefined } = {}) {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const init: RequestInit = {
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      ...(payment && { headers: { 'payment-signature': encode(payment) } }),
    };
    const { response, text } = await send(url, init);
    receipt = decode(response.headers.get('payment-response'));
    const body = parsed(text);
    if (response.status === 402) {
      const invoice = body ?? decode(response.headers.get('payment-required'));
      if (invoice !== undefined) throw new PaymentNeeded(invoice, receipt);
    }
    if (!response.ok || body === undefined) throw notSold(response, body);
    return { data: body, answer: body, payment: null };
  }

  async function send(url: string, init: RequestInit) {
    try {
      const response = await fetch(url, init);
      return { response, text: await readBounded(response) };
    } catch {
      throw new NotSold(
        payment
          ? 'the server did not respond, and the payment may have been charged: call again with the same payment, never with a new one'
          : 'the server did not respond; call again later',
      );
    }
  }
}

async function readBounded({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let [text, length] = ['', 0];
  // Leaving the loop early closes the connection.
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > MAX_BYTES) throw new RangeError('the response is too long');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function notSold({ status, headers }: Response, body: object | undefined): NotSold {
  const { detail, title } = (body ?? {}) as { detail?: unknown; title?: unknown };
  const wait = headers.get('retry-after');
  const later = /^\d{1,9}$/.test(wait ?? '') ? `; try again in ${wait} s` : '';
  const texts = [detail, title, 'the server sent no details'];
  const text = serverText(texts.find((one) => typeof one === 'string') as string);
  return new NotSold(`${status}: ${text}${later}`);
}

function encode(payment: object): string {
  return Buffer.from(JSON.stringify(payment)).toString('base64');
}

function decode(header: string | null): object | undefined {
  return header === null ? undefined : parsed(Buffer.from(header, 'base64').toString());
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
