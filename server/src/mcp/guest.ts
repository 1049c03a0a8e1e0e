import type { Buyer } from './paidTools.ts';

/** The server wants to be paid: its own invoice, as the protocol has it. */
export class PaymentNeeded extends Error {
  override readonly name = 'PaymentNeeded';
  readonly invoice: object;
  /** Of a settlement that failed. */
  readonly receipt: object | undefined;

  constructor(invoice: object, receipt: object | undefined) {
    super('payment is required');
    this.invoice = invoice;
    this.receipt = receipt;
  }
}

/** The server did not answer as it should; the words are safe to show. */
export class NotSold extends Error {
  override readonly name = 'NotSold';
}

export interface Guest extends Buyer {
  /** Of what was bought. */
  receipt(): object | undefined;
}

/** A settlement takes as long as a chain needs. */
const PATIENCE_MS = 60_000;

/** Who brings a payment of its own, or none: it is handed to the server as it is, and what that says comes back. */
export function createGuest(payment: object | undefined): Guest {
  let receipt: object | undefined;
  return { buy, receipt: () => receipt };

  async function buy(url: string, { signal }: { readonly signal?: AbortSignal | undefined } = {}) {
    const patience = AbortSignal.timeout(PATIENCE_MS);
    const init: RequestInit = {
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, patience]) : patience,
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
    return { answer: body, payment: null };
  }

  async function send(url: string, init: RequestInit) {
    try {
      const response = await fetch(url, init);
      return { response, text: await response.text() };
    } catch {
      throw new NotSold(
        payment
          ? 'the server did not answer; whether the payment was charged is not known: call again with the very same payment, never with a new one'
          : 'the server did not answer; call again later',
      );
    }
  }
}

function notSold({ status, headers }: Response, body: object | undefined): NotSold {
  const { detail, title } = (body ?? {}) as { detail?: unknown; title?: unknown };
  const wait = headers.get('retry-after');
  const later = wait === null ? '' : `; try again in ${wait} s`;
  return new NotSold(`${status}: ${detail ?? title ?? 'the server gave no answer'}${later}`);
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
