/**
 * Spreads pieces of arithmetic over turns of the event loop, one in each: what came in meanwhile is answered between two of
 * them, however many wait.
 */
export function createOneATurn(): () => Promise<void> {
  const waiting: (() => void)[] = [];
  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(next);
    });

  function next(): void {
    waiting[0]!();
    waiting.shift();
    if (waiting.length > 0) setImmediate(next);
  }
}
