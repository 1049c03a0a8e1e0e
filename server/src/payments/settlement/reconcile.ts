import type { Hex } from '../../domain/hex.ts';
import type { PaymentKey } from '../../store/payments/paymentKey.ts';
import type { PaymentRow } from '../../store/payments/paymentRow.ts';
import type { SignedAuthorization } from '../authorization/payment.ts';
import type { PaymentChain } from '../chain/paymentChain.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { PaymentsLost } from './paymentsLost.ts';

/** How a settlement ended. `open`: nobody can say yet, and nobody may be charged anew for it. */
export type Ending =
  /** `first`: it was not written down as settled before, so it is to be counted. */
  | { readonly kind: 'paid'; readonly transaction: Hex; readonly first: boolean }
  | { readonly kind: 'unpaid'; readonly code: string }
  /** `unused`: the chain was read, and does not have it so far. */
  | { readonly kind: 'open'; readonly unused: boolean };

/** Asks the chain what became of payments, and writes it down. */
export interface Reconcile {
  /** Whether it was used: an unused one stays open. */
  look(key: PaymentKey, payment: SignedAuthorization, fromBlock: number): Promise<Ending>;
  /** The same, and an unused one whose time is over is released. */
  reconcile(row: PaymentRow): Promise<Ending>;
  paid(key: PaymentKey, transaction: Hex): Promise<Ending>;
}

/** So long after its end an authorization that the chain calls unused is taken for dead: nodes lag, clocks differ. */
export const DEAD_AFTER_SECONDS = 60;

export function createReconcile(deps: {
  readonly ledger: Ledger;
  readonly chain: PaymentChain;
  /** Unix seconds. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}): Reconcile {
  const { ledger, chain, now, onError } = deps;
  return { look, reconcile, paid };

  async function reconcile(row: PaymentRow): Promise<Ending> {
    const ending = await look(row, signedOf(row), row.fromBlock);
    if (ending.kind !== 'open') return ending;
    const dead = row.validBefore + DEAD_AFTER_SECONDS;
    if (now() < dead || (await headTime()) < dead) return ending;
    // Read once more: it may have been used between the two reads.
    const last = await look(row, signedOf(row), row.fromBlock);
    return last.kind === 'open' ? unpaid(row, 'authorization_expired') : last;
  }

  async function look(
    key: PaymentKey,
    { authorization }: SignedAuthorization,
    fromBlock: number,
  ): Promise<Ending> {
    try {
      const found = await chain.fateOf(authorization, fromBlock);
      if (found.fate === 'paid') return await paid(key, found.transaction);
      if (found.fate === 'void') return await unpaid(key, 'authorization_cancelled');
      return { kind: 'open', unused: true };
    } catch (error) {
      onError(error);
      return { kind: 'open', unused: false };
    }
  }

  async function headTime(): Promise<number> {
    try {
      return (await chain.head()).time;
    } catch (error) {
      onError(error);
      return 0;
    }
  }

  async function paid(key: PaymentKey, transaction: Hex): Promise<Ending> {
    // The money has moved, whatever becomes of this write: left undone, the next look at the chain does it.
    const first = await ledger.settled(key, transaction, now()).catch((error) => {
      onError(error);
      return false;
    });
    return { kind: 'paid', transaction, first };
  }

  async function unpaid(key: PaymentKey, code: string): Promise<Ending> {
    if (!(await ledger.unpaid(key, now()))) return { kind: 'unpaid', code };
    onError(new PaymentsLost(1));
    return { kind: 'unpaid', code: 'payment_lost' };
  }
}

/** What the ledger keeps of an authorization, as it was signed. */
export function signedOf(
  row: Pick<
    PaymentRow,
    'payer' | 'payTo' | 'value' | 'validAfter' | 'validBefore' | 'nonce' | 'signature'
  >,
): SignedAuthorization {
  return {
    authorization: {
      from: row.payer,
      to: row.payTo,
      value: row.value,
      validAfter: BigInt(row.validAfter),
      validBefore: BigInt(row.validBefore),
      nonce: row.nonce,
    },
    signature: row.signature,
  };
}
