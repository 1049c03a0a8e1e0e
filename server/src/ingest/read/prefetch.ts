/**
 * Runs `work` on up to `limit` items at once, which may move, and yields the results in the items' order. A
 * failure, of work or of the items themselves, surfaces in its turn: what was begun before it is still yielded.
 */
export async function* mapConcurrent<In, Out>(
  items: AsyncIterable<In> | Iterable<In>,
  limit: number | (() => number),
  work: (item: In) => Promise<Out>,
): AsyncGenerator<Out> {
  const running: Promise<Out>[] = [];
  const full = () => running.length >= Math.max(1, typeof limit === 'number' ? limit : limit());
  try {
    for await (const item of endingWell(items, (failed) => running.push(failed))) {
      const task = work(item);
      // Until its turn comes a failure must not count as unhandled.
      task.catch(() => {});
      running.push(task);
      while (full()) yield await running.shift()!;
    }
    while (running.length > 0) yield await running.shift()!;
  } finally {
    await Promise.allSettled(running);
  }
}

/** Items of which the next may be asked for before this one is done with. */
export interface Prefetched<Item> extends AsyncIterable<Item> {
  /** Asks for the next; a failure surfaces in its turn. */
  ask(): void;
}

export function prefetch<Item>(items: AsyncGenerator<Item>): Prefetched<Item> {
  let asked: Promise<IteratorResult<Item>> | undefined;
  function ask(): void {
    asked ??= items.next();
    asked.catch(() => {});
  }
  return {
    ask,
    async *[Symbol.asyncIterator]() {
      try {
        for (;;) {
          ask();
          const { value, done } = await asked!;
          asked = undefined;
          if (done) return;
          yield value;
        }
      } finally {
        await asked?.catch(() => {});
        await items.return(undefined);
      }
    },
  };
}

/** The items up to a failure, which is handed over instead of thrown. */
async function* endingWell<In>(
  items: AsyncIterable<In> | Iterable<In>,
  onFailure: (failed: Promise<never>) => void,
): AsyncGenerator<In> {
  try {
    yield* items;
  } catch (error) {
    const failed = Promise.reject(error);
    failed.catch(() => {});
    onFailure(failed);
  }
}
