/** Runs `work` on up to `limit` items at once and yields the results in the items' order. */
export async function* mapAhead<In, Out>(
  items: AsyncIterable<In> | Iterable<In>,
  limit: number,
  work: (item: In) => Promise<Out>,
): AsyncGenerator<Out> {
  const running: Promise<Out>[] = [];
  try {
    for await (const item of items) {
      const task = work(item);
      // A failure surfaces when its turn comes; until then it must not count as unhandled.
      task.catch(() => {});
      running.push(task);
      if (running.length >= limit) yield await running.shift()!;
    }
    while (running.length > 0) yield await running.shift()!;
  } finally {
    await Promise.allSettled(running);
  }
}
