/**
 * Runs at once, and then after a pause following each end. Returns a function that stops it and waits for the work in
 * flight.
 */
export function repeat(
  work: () => Promise<unknown>,
  options: { readonly everyMs: number; readonly onError: (error: unknown) => void },
): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();
  let stopped = false;
  turn();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await running;
  };

  function turn(): void {
    running = work()
      .catch(options.onError)
      .finally(() => {
        if (!stopped) timer = setTimeout(turn, options.everyMs).unref();
      });
  }
}
