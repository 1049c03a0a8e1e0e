import { failure, isAssayError } from '../wire/errors.ts';
import type { Chosen, Judge } from './allow.ts';
import { paymentHeader, randomHex, type Signer, typedDataOf } from './authorization.ts';
import { MOST_SIGNATURES } from './book.ts';
import { type Invoice, readInvoice } from './invoice.ts';
import type { Ledger } from './ledger.ts';
import { claimsSuccess } from './receipt.ts';
import type { OpenPayment } from './store.ts';

export interface SigningDeps {
  readonly signer: Signer;
  readonly judge: Judge;
  readonly ledger: Ledger;
  /** The longest that a signature may be good for. */
  readonly validitySeconds: number;
  /** Frees what the chain proves to be unused. */
  readonly freeUnused: () => Promise<unknown>;
  /** Unix seconds. */
  readonly now: () => number;
}

/** Makes payments: reserved, then signed, then written down, and only then fit to be sent. */
export interface Signing {
  open(names: Names, url: URL, invoice: Invoice): Promise<OpenPayment>;
  /** Signs for other terms; undefined when that would change nothing, or is one signature too many. */
  again(payment: OpenPayment, url: URL, refusal: Headers): Promise<OpenPayment | undefined>;
}

/** What tells a payment from all others. */
export interface Names {
  readonly id: string;
  readonly nonce: string;
}

/** Both from one draw: each costs a system call. */
export function createNames(): Names {
  const random = randomHex(48);
  return { id: random.slice(0, 32), nonce: `0x${random.slice(32)}` };
}

/** Less is too little to be served in. */
const LEAST_SECONDS_LEFT = 6;

export function createSigning(deps: SigningDeps): Signing {
  const { signer, judge, ledger, now } = deps;
  return { open, again };

  async function open(names: Names, url: URL, invoice: Invoice): Promise<OpenPayment> {
    const way = judge.invoice(invoice, url);
    const payment: OpenPayment = {
      ...names,
      state: 'reserved',
      url: url.href,
      host: url.host,
      network: way.network,
      asset: way.asset,
      payTo: way.payTo,
      payer: signer.address,
      amount: `${way.units}`,
      reservedAt: now(),
      validBefore: endOf(way),
      signatures: 1,
    };
    try {
      await ledger.reserve(payment);
    } catch (error) {
      if (!isAssayError(error, 'over_cap') || error.cap === 'call') throw error;
      await deps.freeUnused();
      await ledger.reserve(payment);
    }
    return sign(payment, invoice, way, payment.validBefore);
  }

  async function again(
    payment: OpenPayment,
    url: URL,
    refusal: Headers,
  ): Promise<OpenPayment | undefined> {
    // Who says that it was paid is not paid again.
    if (payment.signatures >= MOST_SIGNATURES || claimsSuccess(refusal.get('payment-response'))) {
      return undefined;
    }
    const invoice = readInvoice(refusal.get('payment-required'));
    // One nonce belongs to one token: only there does the chain take no more than one of the two signatures.
    const accepts = invoice.accepts.filter(
      ({ network, asset }) =>
        network === payment.network && asset.toLowerCase() === payment.asset.toLowerCase(),
    );
    if (accepts.length === 0) return undefined;
    const way = judge.invoice({ ...invoice, accepts }, url);
    const isOver = payment.validBefore - LEAST_SECONDS_LEFT <= now();
    const isSame = `${way.units}` === payment.amount && way.payTo === payment.payTo;
    if (isSame && !isOver) return undefined;
    const validBefore = endOf(way);
    const raised = await ledger.raise(payment.id, {
      amount: way.units,
      payTo: way.payTo,
      validBefore,
    });
    return raised && sign(raised, invoice, way, validBefore);
  }

  async function sign(
    payment: OpenPayment,
    invoice: Invoice,
    way: Chosen,
    validBefore: number,
  ): Promise<OpenPayment> {
    const { payer, nonce } = payment;
    const typedData = typedDataOf(way, { payer, nonce, validBefore, now: now() });
    let signature: string;
    try {
      signature = await signer.signTypedData(typedData);
      if (!/^0x([0-9a-fA-F]{2})+$/.test(signature)) throw new TypeError('it is not hex');
    } catch (error) {
      // Of a payment that was signed before, something may be on its way.
      if (payment.state === 'reserved') await ledger.freed(payment);
      throw failure('signer', 'the signer gave no signature; nothing was sent', {}, error);
    }
    const { message } = typedData;
    const identifier = `pay_${payment.id}_${payment.signatures}`;
    const header = paymentHeader({ invoice, way, message, signature, identifier });
    const signed = await ledger.signed(payment.id, header);
    if (!signed) throw failure('signer', 'signing took too long; nothing was sent', {});
    return signed;
  }

  /** Clamped, whatever the seller asks. */
  function endOf({ maxTimeoutSeconds }: Chosen): number {
    return now() + Math.min(maxTimeoutSeconds, deps.validitySeconds);
  }
}
