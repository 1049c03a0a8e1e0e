import { setTimeout as sleep } from 'node:timers/promises';
import type { Leadership, Store } from '../store.ts';

/** No chain has this id: the key under which one process at a time changes the graph. */
const LEAD_KEY = -2;
const ASK_AGAIN_MS = 250;

const last = new WeakMap<object, Promise<unknown>>();

/**
 * One change of the graph at a time: two would each merge without what the other brings. Within a process they queue
 * up; another process is asked again and again. What must not be written once another has the lock goes through the
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
    const leadership = await store.lead(LEAD_KEY);
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
