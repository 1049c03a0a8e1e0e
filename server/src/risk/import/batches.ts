/** Of rows that are read or written in one go: while they are, nobody else has the one connection of PGlite. */
export const BATCH = 200;

export function* batches<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += BATCH) yield all.slice(at, at + BATCH);
}

/** Lets the event loop come round: rows that are at hand would otherwise be gone through without a pause. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
