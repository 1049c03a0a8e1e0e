/** Work in progress, on the event loop or in a thread. Runs its calls in order. */
export interface Running<Work> {
  call<Name extends keyof Work>(
    method: Name,
    ...args: ArgumentsOf<Work[Name]>
  ): Promise<ResultOf<Work[Name]>>;
  /** Ends the work, even if calls are pending. */
  close(): Promise<void>;
}

export type ArgumentsOf<Method> = Method extends (...args: infer Args) => unknown ? Args : never;
export type ResultOf<Method> = Method extends (...args: never) => infer Result ? Result : never;

/** Runs work on the event loop. */
export function runInPlace<Work>(work: Work): Running<Work> {
  return {
    async call(method, ...args) {
      return (work[method] as (...given: typeof args) => ResultOf<Work[typeof method]>)(...args);
    },
    close: async () => undefined,
  };
}

/** Rows per message to a thread. */
const PART = 1_000;

/**
 * Passes rows on in parts, and yields to the event loop between them. Resolves once all parts were received, so that
 * at most one page is in flight.
 */
export async function inParts<Row>(
  rows: readonly Row[],
  pass: (part: readonly Row[]) => Promise<void>,
): Promise<void> {
  const passing: Promise<void>[] = [];
  for (let at = 0; at < rows.length; at += PART) {
    const part = pass(rows.slice(at, at + PART));
    // Promise.all reports a failure; until then it must not count as unhandled.
    part.catch(() => undefined);
    passing.push(part);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(passing);
}
