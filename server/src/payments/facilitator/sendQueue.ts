import type { Item } from './slots.ts';
import type { Sent, Transaction } from './transaction.ts';

/** Transactions that wait for a nonce. */
export interface SendQueue {
  size(): number;
  /** Resolves with the result of the transaction, or `unknown` after the timeout. */
  add(transaction: Transaction): Promise<Sent>;
  /** Removes this many from its start, or all. */
  take(count: number): Item[];
  /** Puts the items first, without those whose caller no longer waits. */
  putBack(items: readonly Item[]): void;
  /** Rejects what waits, and what is added later. */
  close(): void;
}

export function createSendQueue(options: {
  /** How long a caller waits. */
  readonly timeoutMs: number;
  /** Called when there may be something to take. */
  readonly onChange: () => void;
}): SendQueue {
  const { timeoutMs, onChange } = options;
  const queue: Item[] = [];
  let closed = false;
  return { size: () => queue.length, add, take: (count) => queue.splice(0, count), putBack, close };

  function add(transaction: Transaction): Promise<Sent> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle({ outcome: 'unknown' }), timeoutMs);
      const item: Item = { transaction, settle, tries: 0, sent: false, over: false };
      if (closed) return settle({ outcome: 'refused', code: 'facilitator_unavailable' });
      queue.push(item);
      onChange();

      function settle(sent: Sent): void {
        clearTimeout(timer);
        item.over = true;
        // Not sent yet, and now never sent: the caller gets `unknown`, which is harmless.
        const at = queue.indexOf(item);
        if (at >= 0) queue.splice(at, 1);
        // A rejection only covers the last attempt.
        resolve(sent.outcome === 'refused' && item.sent ? { outcome: 'unknown' } : sent);
      }
    });
  }

  function putBack(items: readonly Item[]): void {
    queue.unshift(...items.filter(({ over }) => !over));
    onChange();
  }

  function close(): void {
    closed = true;
    for (const item of queue.splice(0)) {
      item.settle({ outcome: 'refused', code: 'facilitator_unavailable' });
    }
  }
}
