import { pause } from '../runtime/pause.ts';
import type { HeadNews } from './wsPost.ts';

/** While a node tells of its heads it is looked at so rarely all the same: what it does not tell must not be missed. */
export const SUBSCRIBED_MS = 30_000;

/**
 * Waits for another head than the one that was seen. Where the node does not tell, or no longer does, it waits as long as
 * without it. Looks are `leastMs` apart: on a chain with many blocks a second not each is looked for.
 */
export async function untilNews(options: {
  readonly news: HeadNews;
  readonly seen: string | null;
  readonly ms: number;
  readonly leastMs: number;
  readonly signal: AbortSignal;
}): Promise<void> {
  const { news, seen, ms, leastMs, signal } = options;
  const started = performance.now();
  const told = new AbortController();
  let wasAlive = news.alive();
  const check = () => {
    const alive = news.alive();
    const isNew = alive && news.latest() !== null && news.latest() !== seen;
    // One that has just begun, or ended, changes how long to wait.
    if (isNew || alive !== wasAlive) told.abort();
    wasAlive = alive;
  };
  const stop = news.listen(check);
  const abort = () => told.abort();
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    check();
    await pause(wasAlive ? SUBSCRIBED_MS : ms, told.signal);
  } finally {
    stop();
    signal.removeEventListener('abort', abort);
  }
  const rest = leastMs - (performance.now() - started);
  if (rest > 0) await pause(rest, signal);
}
