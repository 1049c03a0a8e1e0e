/**
 * Runs one CPU-bound task per turn of the event loop, so that requests are handled between tasks, however many are
 * queued.
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
