import { type Payment, paymentOf } from '../pay/payment.ts';
import type {
  OpenPayment,
  PaymentRecord,
  PaymentTerms,
  SpendState,
  SpendStore,
} from '../pay/store.ts';

/** A step of a payment, reported after it is stored. */
export interface SpendEvent {
  /**
   * `reserved`, `signed` (it may have been sent from now on), `doubtful` (the seller rejected it and could still charge
   * it), `freed` (it cannot be charged), `answered` (a charged payment got its response), and the outcomes `paid`,
   * `charged`, and `written-off`.
   */
  readonly type: OpenPayment['state'] | PaymentRecord['outcome'] | 'freed' | 'answered';
  readonly paymentId: string;
  readonly url: string;
  readonly amount: bigint;
}

export interface SpendHooks {
  /** Called after a payment is charged and recorded, before the response is returned. */
  readonly afterSettle?: (payment: Payment) => unknown;
  /** Called after each step of a payment. */
  readonly onEvent?: (event: SpendEvent) => unknown;
  /** Receives errors thrown by hooks. They do not stop the purchase, because the response is paid for. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Returns the store with hooks that are called for each change of a payment made through it, after the change is durable.
 *
 * @example
 * const store = withHooks(createMemoryStore(), {
 *   onEvent: ({ type, url, amount }) => console.log(type, url, amount),
 *   afterSettle: ({ receipt }) => console.log(receipt?.transaction),
 * });
 * console.log((await listPurchases(store)).length);
 */
export function withHooks(store: SpendStore, hooks: SpendHooks): SpendStore {
  const { afterSettle, onEvent, onError } = hooks;
  return {
    getRecords: () => store.getRecords(),
    async transact(change) {
      let events: readonly SpendEvent[] = [];
      let settled: PaymentRecord | undefined;
      const result = await store.transact((before) => {
        const changed = change(before);
        events = changed.book ? eventsBetween(before, changed.book, changed.record) : [];
        settled = changed.record?.outcome === 'written-off' ? undefined : changed.record;
        return changed;
      });
      for (const event of events) await guarded(() => onEvent?.(event));
      if (settled) await guarded(() => afterSettle?.(paymentOf(settled!)));
      return result;
    },
  };

  async function guarded(hook: () => unknown): Promise<void> {
    try {
      await hook();
    } catch (error) {
      onError?.(error);
    }
  }
}

function eventsBetween(
  before: SpendState | undefined,
  after: SpendState,
  record: PaymentRecord | undefined,
): readonly SpendEvent[] {
  const was = new Map(before?.open.map((one) => [one.id, one]));
  const is = new Map(after.open.map((one) => [one.id, one]));
  const waiting = new Set(after.unanswered?.map(({ id }) => id));
  return [
    ...after.open
      .filter(({ id, state, header }) => {
        const one = was.get(id);
        return one?.state !== state || one.header !== header;
      })
      .map((one) => eventOf(one.state, one)),
    ...(before?.open ?? [])
      .filter(({ id }) => !is.has(id) && id !== record?.id)
      .map((one) => eventOf('freed', one)),
    ...(before?.unanswered ?? [])
      .filter(({ id }) => !waiting.has(id))
      .map((one) => eventOf('answered', one)),
    ...(record ? [eventOf(record.outcome, record)] : []),
  ];
}

function eventOf(type: SpendEvent['type'], { id, url, amount }: PaymentTerms): SpendEvent {
  return { type, paymentId: id, url, amount: BigInt(amount) };
}
