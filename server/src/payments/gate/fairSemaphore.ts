/** Limits the concurrent work of many clients; waiting clients are served in turn. */
export interface FairSemaphore {
  /** Rejects with Crowded when the queue is full and no client has more waiting than this one. */
  run<T>(client: string, work: () => Promise<T>): Promise<T>;
}

/** The queue is full, mostly with requests of this client. */
export class Crowded extends Error {
  override readonly name = 'Crowded';

  constructor() {
    super('too many requests are waiting; try again soon');
  }
}

/** Decides when the next piece of work may start. */
export interface Pace {
  /** Takes one start; false if it is too early. */
  take(): boolean;
  /** How often to try again. */
  readonly everyMs: number;
}

interface Waiting {
  /** Higher for later arrivals. */
  readonly arrival: number;
  go(): void;
  refuse(): void;
}

export function createFairSemaphore(options: {
  readonly atOnce: number;
  /** For all clients together. */
  readonly maxWaiting: number;
  readonly pace?: Pace | undefined;
}): FairSemaphore {
  const { atOnce, maxWaiting, pace } = options;
  /** In the order of their turns. */
  const queues = new Map<string, Waiting[]>();
  let running = 0;
  let waiting = 0;
  let arrivals = 0;
  let scheduled = false;
  return { run };

  async function run<T>(client: string, work: () => Promise<T>): Promise<T> {
    await wait(client);
    try {
      return await work();
    } finally {
      running--;
      startNext();
    }
  }

  function wait(client: string): Promise<void> {
    return new Promise((go, reject) => {
      enqueue(client, { arrival: ++arrivals, go, refuse: () => reject(new Crowded()) });
      startNext();
      if (waiting > maxWaiting) dropOne();
    });
  }

  function enqueue(client: string, one: Waiting): void {
    const queue = queues.get(client) ?? [];
    queue.push(one);
    queues.set(client, queue);
    waiting++;
  }

  /**
   * Drops the newest request of the client with the most, so that a flood only affects itself; on a tie, the newest of
   * all.
   */
  function dropOne(): void {
    const [client, queue] = [...queues].reduce((a, b) => (isWorse(b[1], a[1]) ? b : a));
    const dropped = queue.pop()!;
    if (queue.length === 0) queues.delete(client);
    waiting--;
    dropped.refuse();
  }

  function startNext(): void {
    while (running < atOnce) {
      const [first] = queues;
      if (first === undefined) return;
      if (pace?.take() === false) {
        startLater(pace);
        return;
      }
      const [client, queue] = first;
      const next = queue.shift()!;
      // The client moves to the end of the queue.
      queues.delete(client);
      if (queue.length > 0) queues.set(client, queue);
      waiting--;
      running++;
      next.go();
    }
  }

  function startLater({ everyMs }: Pace): void {
    if (scheduled) return;
    scheduled = true;
    setTimeout(() => {
      scheduled = false;
      startNext();
    }, everyMs).unref();
  }
}

function isWorse(a: readonly Waiting[], b: readonly Waiting[]): boolean {
  if (a.length !== b.length) return a.length > b.length;
  return a.at(-1)!.arrival > b.at(-1)!.arrival;
}
