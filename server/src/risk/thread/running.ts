/** A work that is under way, in place or in a thread. Calls are carried out one after the other. */
export interface Running<Work> {
  call<Name extends keyof Work>(
    method: Name,
    ...args: ArgumentsOf<Work[Name]>
  ): Promise<ResultOf<Work[Name]>>;
  /** Ends it, done or not. */
  close(): Promise<void>;
}

export type ArgumentsOf<Method> = Method extends (...args: infer Args) => unknown ? Args : never;
export type ResultOf<Method> = Method extends (...args: never) => infer Result ? Result : never;

/** On the event loop itself. */
export function runInPlace<Work>(work: Work): Running<Work> {
  return {
    async call(method, ...args) {
      return (work[method] as (...given: typeof args) => ResultOf<Work[typeof method]>)(...args);
    },
    close: async () => undefined,
  };
}

/** Rows that are copied to a thread in one go. */
const PART = 1_000;

/**
 * Hands rows on a few at a time, and between two parts the event loop has its turn. Resolves when all have arrived, so
 * that no more than one page is under way.
 */
export async function inParts<Row>(
  rows: readonly Row[],
  pass: (part: readonly Row[]) => Promise<void>,
): Promise<void> {
  const passing: Promise<void>[] = [];
  for (let at = 0; at < rows.length; at += PART) {
    const part = pass(rows.slice(at, at + PART));
    // A failure is told at the end; until then nobody waits for it.
    part.catch(() => undefined);
    passing.push(part);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(passing);
}
