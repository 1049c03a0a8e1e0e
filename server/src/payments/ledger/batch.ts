/**
 * Collects items while the maximum number of runs is in flight, for the next run: under load many statements become
 * one, and a single item does not wait. Results are in the order of the items; a failed run fails each of its items.
 */
export function createBatch<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  { max = 200, atOnce = 1 }: { readonly max?: number; readonly atOnce?: number } = {},
): (item: Item) => Promise<Result> {
  interface Waiting {
    readonly item: Item;
    readonly resolve: (result: Result) => void;
    readonly reject: (error: unknown) => void;
  }
  let waiting: Waiting[] = [];
  let running = 0;

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (running < atOnce) void work();
    });

  async function work(): Promise<void> {
    running++;
    // One event-loop turn: items added together run together.
    await new Promise(setImmediate);
    while (waiting.length > 0) {
      const now = waiting.slice(0, max);
      waiting = waiting.slice(max);
      try {
        const results = await run(now.map(({ item }) => item));
        now.forEach(({ resolve }, i) => {
          resolve(results[i]!);
        });
      } catch (error) {
        for (const { reject } of now) reject(error);
      }
    }
    running--;
  }
}
