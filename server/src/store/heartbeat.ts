import type pg from 'pg';
import { CONNECT_MS } from './deadlines.ts';

const PERIOD_MS = 1_000;
const TIMEOUT_MS = 3_000;
/** A bulk write may block a connection for long; after this time it counts as dead. */
export const WORK_TIMEOUT_MS = 120_000;

/** Calls `dead` once when a connection has ended or stopped responding. Returns a function that stops watching. */
export function watch(client: pg.Client, isBusy: () => boolean, dead: () => void): () => void {
  let pingedAt = 0;
  let busySince = 0;
  let over = false;

  const timer = setInterval(beat, PERIOD_MS);
  timer.unref();
  client.once('end', die);
  client.once('error', die);

  function beat(): void {
    const now = performance.now();
    if (pingedAt > 0) {
      const timeout = isBusy() ? WORK_TIMEOUT_MS : TIMEOUT_MS;
      if (now - pingedAt > timeout) die();
      return;
    }
    if (isBusy()) {
      if (busySince === 0) busySince = now;
      if (now - busySince > WORK_TIMEOUT_MS) die();
      return;
    }
    busySince = 0;
    pingedAt = now;
    client.query('select 1').then(() => {
      pingedAt = 0;
    }, die);
  }

  function die(): void {
    if (over) return;
    stop();
    dead();
  }

  function stop(): void {
    over = true;
    clearInterval(timer);
  }

  return stop;
}

/** Closes a connection properly, or at once if the server does not respond. */
export async function end(client: pg.Client): Promise<void> {
  const late = setTimeout(() => cut(client), CONNECT_MS);
  await client.end().catch(() => undefined);
  clearTimeout(late);
}

/** Closes a connection at once, even if the other side does not respond. */
export function cut(client: pg.ClientBase): void {
  // end() alone waits for the server; destroying the socket does not.
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } };
  connection.stream.destroy();
}
