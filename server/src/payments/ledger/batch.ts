/**
 * Gathers what is asked for while a run is in flight into the next one: under load many writes become one, alone a
 * write waits for nothing. Results are in the order of the items; a failed run fails each of its items.
 */
export function createBatch<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  most = 200,
): (item: Item) => Promise<Result> {
  interface Waiting {
    readonly item: Item;
    readonly resolve: (result: Result) => void;
    readonly reject: (error: unknown) => void;
  }
  let waiting: Waiting[] = [];
  let running = false;

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!running) void work();
    });

  async function work(): Promise<void> {
    running = true;
    // One turn of the event loop: requests that came together are written together.
    await new Promise(setImmediate);
    while (waiting.length > 0) {
      const now = waiting.slice(0, most);
      waiting = waiting.slice(most);
      try {
        const results = await run(now.map(({ item }) => item));
        now.forEach(({ resolve }, i) => {
          resolve(results[i]!);
        });
      } catch (error) {
        for (const { reject } of now) reject(error);
      }
    }
    running = false;
  }
}
