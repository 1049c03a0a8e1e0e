import { failure } from '../wire/errors.ts';
import { orAborted } from '../wire/retry.ts';
import type { Chosen } from './allow.ts';
import type { Call } from './call.ts';
import type { OpenPayment } from './store.ts';

/** A payment that is about to be signed. */
export interface Proposal {
  readonly paymentId: string;
  readonly url: string;
  readonly method: string;
  readonly host: string;
  readonly network: string;
  readonly asset: string;
  readonly payTo: string;
  readonly payer: string;
  readonly amount: bigint;
  /** Whether this payment was signed before. The chain accepts one of its signatures. */
  readonly isSignedAgain: boolean;
}

/**
 * Called before anything is reserved or signed. Return false or throw to decline: the call then throws `declined`, and
 * nothing is signed. There is no time limit.
 */
export type BeforeSign = (proposal: Proposal) => unknown;

/** Throws `declined` unless the hook approves. */
export async function approve(
  beforeSign: BeforeSign,
  { id: paymentId, url, host, network, asset, payer, header }: OpenPayment,
  { payTo, units: amount }: Chosen,
  { signal, method = 'GET' }: Call,
): Promise<void> {
  const isSignedAgain = header !== undefined;
  const terms = { paymentId, url, method, host, network, asset, payTo, payer, amount };
  let cause: unknown;
  try {
    const asking = (async () => beforeSign({ ...terms, isSignedAgain }))();
    if ((await orAborted(asking, signal)) !== false) return;
  } catch (error) {
    if (signal?.aborted) throw error;
    cause = error;
  }
  throw failure('declined', 'The payment was declined; nothing was signed.', {}, cause);
}
