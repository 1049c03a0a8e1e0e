import { pause } from '../runtime/pause.ts';
import type { HeadSubscription } from './headSubscription.ts';

/** How often to read the head of an RPC endpoint with a subscription, in case a notification is missed. */
export const SUBSCRIBED_MS = 30_000;

/**
 * Waits for a new head. Without a working subscription it waits for the full time. Reads are at least `minMs` apart:
 * on a chain with many blocks a second not every block is read.
 */
export async function untilNewHead(options: {
  readonly subscription: HeadSubscription;
  readonly seen: string | null;
  readonly ms: number;
  readonly minMs: number;
  readonly signal: AbortSignal;
}): Promise<void> {
  const { subscription, seen, ms, minMs, signal } = options;
  const started = performance.now();
  const wake = new AbortController();
  let wasAlive = subscription.alive();
  const check = () => {
    const alive = subscription.alive();
    const isNew = alive && subscription.latest() !== null && subscription.latest() !== seen;
    // A subscription that begins or ends changes how long to wait.
    if (isNew || alive !== wasAlive) wake.abort();
    wasAlive = alive;
  };
  const stop = subscription.listen(check);
  const abort = () => wake.abort();
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    check();
    await pause(wasAlive ? SUBSCRIBED_MS : ms, wake.signal);
  } finally {
    stop();
    signal.removeEventListener('abort', abort);
  }
  const rest = minMs - (performance.now() - started);
  if (rest > 0) await pause(rest, signal);
}
