/** Work of many clients, a few pieces at once: who waits is served in turn, one client after the other. */
export interface FairSemaphore {
  /** Rejects with Crowded when more wait than may, and none has more waiting than this client. */
  run<T>(client: string, work: () => Promise<T>): Promise<T>;
}

/** Too much waits, most of it of this client. */
export class Crowded extends Error {
  override readonly name = 'Crowded';

  constructor() {
    super('too much waits; try again soon');
  }
}

interface Waiting {
  go(): void;
  refuse(): void;
}

export function createFairSemaphore(options: {
  readonly atOnce: number;
  /** Of all clients together. */
  readonly mostWaiting: number;
}): FairSemaphore {
  /** In the order of their turns. */
  const queues = new Map<string, Waiting[]>();
  let running = 0;
  let waiting = 0;
  return { run };

  async function run<T>(client: string, work: () => Promise<T>): Promise<T> {
    if (running < options.atOnce) running++;
    else await wait(client);
    try {
      return await work();
    } finally {
      // Whoever is next takes over this place.
      if (!startNext()) running--;
    }
  }

  function wait(client: string): Promise<void> {
    return new Promise((go, reject) => {
      enqueue(client, { go, refuse: () => reject(new Crowded()) });
      if (waiting > options.mostWaiting) dropOne();
    });
  }

  function enqueue(client: string, one: Waiting): void {
    const queue = queues.get(client) ?? [];
    queue.push(one);
    queues.set(client, queue);
    waiting++;
  }

  /** The newest of who has most: a flood turns away itself. */
  function dropOne(): void {
    const longest = [...queues].reduce((a, b) => (b[1].length > a[1].length ? b : a));
    const [client, queue] = longest;
    const dropped = queue.pop()!;
    if (queue.length === 0) queues.delete(client);
    waiting--;
    dropped.refuse();
  }

  function startNext(): boolean {
    const [first] = queues;
    if (first === undefined) return false;
    const [client, queue] = first;
    const next = queue.shift()!;
    // To the end of the line.
    queues.delete(client);
    if (queue.length > 0) queues.set(client, queue);
    waiting--;
    next.go();
    return true;
  }
}
