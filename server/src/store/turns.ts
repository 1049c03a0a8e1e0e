import { StoreUnavailable } from './storeUnavailable.ts';

/** Access to one connection, first come first served. */
export interface Turns {
  /** Waits for a turn, does `work` in it and passes the turn on. */
  take<T>(work: () => Promise<T>): Promise<T>;
  readonly waiting: number;
}

/**
 * Nobody waits longer than `patienceMs`: a query made inside a transaction, but not through it, would otherwise
 * wait for itself for ever.
 */
export function createTurns(patienceMs: number): Turns {
  const queue: (() => void)[] = [];
  let busy = false;

  function acquire(): Promise<void> {
    if (!busy) {
      busy = true;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(start), 1);
        reject(new StoreUnavailable('busy'));
      }, patienceMs);
      function start(): void {
        clearTimeout(timer);
        resolve();
      }
      queue.push(start);
    });
  }

  function pass(): void {
    const next = queue.shift();
    if (next) next();
    else busy = false;
  }

  async function take<T>(work: () => Promise<T>): Promise<T> {
    await acquire();
    try {
      return await work();
    } finally {
      pass();
    }
  }

  return {
    take,
    get waiting() {
      return queue.length;
    },
  };
}
