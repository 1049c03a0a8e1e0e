import { setTimeout as sleep } from 'node:timers/promises';
import { LEADS } from '../leads.ts';
import type { Leadership, Store } from '../store.ts';

const ASK_AGAIN_MS = 250;

const last = new WeakMap<object, Promise<unknown>>();

/**
 * Serializes changes of the graph: two concurrent ones would each miss the other's data. Within a process they queue
 * up; across processes, the lock is polled. Writes that must not happen once another process has the lock use the
 * leadership.
 */
export async function withGraphLock<T>(
  store: Pick<Store, 'lead'>,
  work: (leadership: Leadership) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const before = last.get(store) ?? Promise.resolve();
  const mine = before.then(() => lead(store, work, signal));
  last.set(
    store,
    mine.catch(() => undefined),
  );
  return mine;
}

async function lead<T>(
  store: Pick<Store, 'lead'>,
  work: (leadership: Leadership) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (;;) {
    const leadership = await store.lead(LEADS.riskGraph);
    if (leadership !== undefined) {
      try {
        return await work(leadership);
      } finally {
        await leadership.release();
      }
    }
    await sleep(ASK_AGAIN_MS, undefined, signal && { signal });
  }
}
