/** Limits how many pieces of work run at once; the others wait in order. */
export interface Semaphore {
  run<T>(work: () => Promise<T>): Promise<T>;
  readonly waiting: number;
}

export function createSemaphore(options: {
  readonly atOnce: number;
  /**
   * Maximum wait, and the error after it. Without it, work that waits for other work of the same semaphore would
   * deadlock.
   */
  readonly timeout?: { readonly ms: number; readonly error: () => Error };
}): Semaphore {
  const { atOnce, timeout } = options;
  const queue: (() => void)[] = [];
  let running = 0;

  return {
    run,
    get waiting() {
      return queue.length;
    },
  };

  async function run<T>(work: () => Promise<T>): Promise<T> {
    if (running < atOnce) running++;
    else await wait();
    try {
      return await work();
    } finally {
      // The next in line takes over this slot.
      const next = queue.shift();
      if (next === undefined) running--;
      else next();
    }
  }

  function wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (timeout === undefined) {
        queue.push(resolve);
        return;
      }
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(start), 1);
        reject(timeout.error());
      }, timeout.ms);
      function start(): void {
        clearTimeout(timer);
        resolve();
      }
      queue.push(start);
    });
  }
}
