/** Rows per statement. PGlite has one connection, so a statement blocks all others. */
export const BATCH = 200;

export function* batches<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += BATCH) yield all.slice(at, at + BATCH);
}

/** Yields to the event loop; rows already in memory would otherwise block it. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
