import { failure, isAssayError } from '../wire/errors.ts';
import type { Chosen, Judge } from './allow.ts';
import { paymentHeader, randomHex, type Signer, typedDataOf } from './authorization.ts';
import type { Call } from './call.ts';
import { approve, type BeforeSign } from './hooks.ts';
import { type Invoice, readInvoice } from './invoice.ts';
import type { Ledger } from './ledger.ts';
import { claimsSuccess } from './receipt.ts';
import type { OpenPayment } from './store.ts';

export interface SigningDeps {
  readonly signer: Signer;
  readonly judge: Judge;
  readonly ledger: Ledger;
  readonly beforeSign: BeforeSign | undefined;
  /** Maximum validity of a signature. */
  readonly validitySeconds: number;
  /** Frees payments that the chain proves to be unused. */
  readonly freeUnused: () => Promise<unknown>;
  /** Unix seconds. */
  readonly now: () => number;
}

/** Creates payments: approve, reserve, sign, store. Only a stored payment may be sent. */
export interface Signing {
  /** Returns undefined if another payment for the same request was reserved in the meantime. */
  open(call: Call, invoice: Invoice): Promise<OpenPayment | undefined>;
  /** Signs the same nonce for other terms; undefined if that would change nothing. */
  again(payment: OpenPayment, call: Call, refusal: Headers): Promise<OpenPayment | undefined>;
}

/** The seller needs at least this much time to serve the request. */
const MIN_SECONDS_LEFT = 6;

export function createSigning(deps: SigningDeps): Signing {
  const { signer, judge, ledger, beforeSign, now } = deps;
  return { open, again };

  async function open(call: Call, invoice: Invoice): Promise<OpenPayment | undefined> {
    const { url, request } = call;
    const way = judge.invoice(invoice, url);
    // One call for both random values: each call is a system call.
    const random = randomHex(48);
    const draft: OpenPayment = {
      id: random.slice(0, 32),
      nonce: `0x${random.slice(32)}`,
      state: 'reserved',
      url: url.href,
      ...(request && { request }),
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
    if (beforeSign) {
      // Check the caps before asking the hook or the signer.
      if (!(await freeing(() => ledger.canReserve(draft, call)))) return undefined;
      await approve(beforeSign, draft, way, call);
    }
    const payment = { ...draft, reservedAt: now(), validBefore: endOf(way) };
    const isReserved = await freeing(() => ledger.reserve(payment, call));
    return isReserved ? sign(payment, invoice, way, payment.validBefore) : undefined;
  }

  /** If a cap is reached, frees payments that the chain proves to be unused and tries again. */
  async function freeing(reserve: () => Promise<boolean>): Promise<boolean> {
    try {
      return await reserve();
    } catch (error) {
      if (!isAssayError(error, 'over_cap') || error.cap === 'call') throw error;
      await deps.freeUnused();
      return reserve();
    }
  }

  async function again(
    payment: OpenPayment,
    call: Call,
    refusal: Headers,
  ): Promise<OpenPayment | undefined> {
    // A seller that reports success is not offered another signature.
    if (claimsSuccess(refusal.get('payment-response'))) return undefined;
    const invoice = readInvoice(refusal.get('payment-required'));
    // A nonce is per token: only there does the chain accept at most one of the two signatures.
    const accepts = invoice.accepts.filter(
      ({ network, asset }) =>
        network === payment.network && asset.toLowerCase() === payment.asset.toLowerCase(),
    );
    if (accepts.length === 0) return undefined;
    const way = judge.invoice({ ...invoice, accepts }, call.url);
    const isOver = payment.validBefore - MIN_SECONDS_LEFT <= now();
    const isSame = `${way.units}` === payment.amount && way.payTo === payment.payTo;
    if (isSame && !isOver) return undefined;
    if (beforeSign) await approve(beforeSign, payment, way, call);
    const validBefore = endOf(way);
    const { units: amount, payTo } = way;
    const raised = await ledger.raise(payment.id, { amount, payTo, validBefore }, call);
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
      if (!/^0x([0-9a-fA-F]{2})+$/.test(signature))
        throw new TypeError('The signature is not hexadecimal.');
    } catch (error) {
      // A payment that was signed before may have been sent.
      if (payment.state === 'reserved') await ledger.freed(payment);
      throw failure('signer', 'No signature; nothing new was sent.', {}, error);
    }
    const { message } = typedData;
    const identifier = `pay_${payment.id}_${payment.signatures}`;
    const header = paymentHeader({ invoice, way, message, signature, identifier });
    const signed = await ledger.signed(payment.id, header);
    if (!signed) throw failure('signer', 'Signing took too long; nothing new was sent.', {});
    return signed;
  }

  /** Returns the end of validity, limited to `validitySeconds`. */
  function endOf({ maxTimeoutSeconds }: Chosen): number {
    return now() + Math.min(maxTimeoutSeconds, deps.validitySeconds);
  }
}
