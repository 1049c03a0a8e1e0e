/**
 * Runs `work` on up to `limit` items concurrently and yields the results in order. `limit` may change over time. A
 * failure, of work or of the items, surfaces in order: results before it are still yielded.
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
      // Awaited later: until then a failure must not count as unhandled.
      task.catch(() => {});
      running.push(task);
      while (full()) yield await running.shift()!;
    }
    while (running.length > 0) yield await running.shift()!;
  } finally {
    await Promise.allSettled(running);
  }
}

/** Items of which the next one can be requested before the current one is processed. */
export interface Prefetched<Item> extends AsyncIterable<Item> {
  /** Requests the next item. A failure surfaces in order. */
  request(): void;
}

export function prefetch<Item>(items: AsyncGenerator<Item>): Prefetched<Item> {
  let requested: Promise<IteratorResult<Item>> | undefined;
  function request(): void {
    requested ??= items.next();
    requested.catch(() => {});
  }
  return {
    request,
    async *[Symbol.asyncIterator]() {
      try {
        for (;;) {
          request();
          const { value, done } = await requested!;
          requested = undefined;
          if (done) return;
          yield value;
        }
      } finally {
        await requested?.catch(() => {});
        await items.return(undefined);
      }
    },
  };
}

/** Yields the items up to a failure, which is passed to `onFailure` instead of thrown. */
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
