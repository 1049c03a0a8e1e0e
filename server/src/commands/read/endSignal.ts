export interface EndSignal {
  readonly signal: AbortSignal;
  /** Resolves at SIGINT or SIGTERM. */
  readonly promise: Promise<undefined>;
}

/** Replaces the end of the process at SIGINT and SIGTERM. */
export function endSignal(): EndSignal {
  const ending = new AbortController();
  const promise = new Promise<undefined>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) {
      process.once(name, () => {
        ending.abort();
        resolve(undefined);
      });
    }
  });
  return { signal: ending.signal, promise };
}
