/** At once, and then so long after each end. Returns what stops it, when the work in flight is done. */
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
