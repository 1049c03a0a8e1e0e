import { encodePaymentResponseHeader } from '@x402/core/http';
import { getAddress } from 'viem';
import type { Hex } from '../../domain/hex.ts';
import type { PaymentKey } from '../../store/payments/paymentKey.ts';
import type { PaymentAnswer } from '../../store/payments/paymentRow.ts';
import { networkOf } from '../authorization/invoice.ts';
import type { PaymentTerms } from '../authorization/payment.ts';
import { createLastingWrites } from '../ledger/lastingWrites.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { nameOf } from '../ledger/paymentName.ts';
import type { PaidAnswer } from './gateTypes.ts';

/** Responses on their way to the clients that paid for them. */
export interface Deliveries {
  start(key: PaymentKey, answer: PaymentAnswer, transaction: Hex): PaidAnswer;
  /** Being sent by this process, or sent and not yet recorded. */
  has(key: PaymentKey): boolean;
  /** Resolves when all deliveries so far are recorded, or cannot be. */
  close(): Promise<void>;
}

export function createDeliveries(deps: {
  readonly ledger: Ledger;
  readonly terms: PaymentTerms;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}): Deliveries {
  const { ledger, terms, now, onError } = deps;
  const inFlight = new Map<string, number>();
  const writes = createLastingWrites({ onError });
  return { start, has: (key) => inFlight.has(nameOf(key)), close: writes.close };

  function start(key: PaymentKey, answer: PaymentAnswer, transaction: Hex): PaidAnswer {
    const name = nameOf(key);
    inFlight.set(name, (inFlight.get(name) ?? 0) + 1);
    let over = false;
    return { kind: 'paid', answer, receipt: receipt(key, transaction), delivered, lost };

    function delivered(): void {
      if (over) return;
      over = true;
      const at = now();
      void writes.add(() => ledger.delivered(key, transaction, at)).then(end);
    }

    function lost(): void {
      if (over) return;
      over = true;
      end();
    }

    function end(): void {
      const left = inFlight.get(name)! - 1;
      if (left === 0) inFlight.delete(name);
      else inFlight.set(name, left);
    }
  }

  function receipt({ payer }: PaymentKey, transaction: Hex): string {
    const network = networkOf(terms);
    return encodePaymentResponseHeader({
      success: true,
      transaction,
      network,
      payer: getAddress(payer),
    });
  }
}

/** Returns the PAYMENT-RESPONSE header of a settlement that failed. */
export function failedReceipt(terms: PaymentTerms, payer: Hex, errorReason: string): string {
  const network = networkOf(terms);
  return encodePaymentResponseHeader({
    success: false,
    errorReason,
    transaction: '',
    network,
    payer: getAddress(payer),
  });
}
