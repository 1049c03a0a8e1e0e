import type pg from 'pg';
import { CONNECT_MS } from './deadlines.ts';
import { cut, watch } from './heartbeat.ts';
import { exec } from './postgresClient.ts';

const RETRY_MS = 1_000;

export interface Listener {
  listen(channel: string, listener: (payload: string) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/**
 * Notifications over one dedicated connection, opened with the first listener and again whenever it is lost.
 * Notifications sent in between are lost too, so callers need a timeout as a fallback.
 */
export function createListener(connect: () => Promise<pg.Client>): Listener {
  const listeners = new Map<string, Set<(payload: string) => void>>();
  let client: pg.Client | undefined;
  let connecting: Promise<pg.Client> | undefined;
  let retry: NodeJS.Timeout | undefined;
  let unwatch: () => void = () => undefined;
  let closed = false;

  async function open(): Promise<pg.Client> {
    const opened = await connect();
    try {
      opened.on('notification', ({ channel, payload }) => {
        for (const listener of listeners.get(channel) ?? []) listener(payload ?? '');
      });
      for (const channel of listeners.keys()) await exec(opened, `listen "${channel}"`, CONNECT_MS);
    } catch (error) {
      cut(opened);
      throw error;
    }
    if (closed) cut(opened);
    else unwatch = watch(opened, () => false, lose);
    client = opened;
    return opened;
  }

  function ensure(): Promise<pg.Client> {
    if (client) return Promise.resolve(client);
    connecting ??= open().finally(() => {
      connecting = undefined;
    });
    return connecting;
  }

  function lose(): void {
    if (client) cut(client);
    client = undefined;
    reconnect();
  }

  function reconnect(): void {
    if (closed) return;
    retry = setTimeout(() => ensure().catch(reconnect), RETRY_MS);
    retry.unref();
  }

  async function listen(
    channel: string,
    listener: (payload: string) => void,
  ): Promise<() => Promise<void>> {
    const known = listeners.get(channel) ?? new Set();
    listeners.set(channel, known.add(listener));
    // Repeating LISTEN is harmless, and necessary: a connection that is being opened may have passed this channel
    // already.
    await exec(await ensure(), `listen "${channel}"`, CONNECT_MS);
    return async () => {
      known.delete(listener);
    };
  }

  async function close(): Promise<void> {
    closed = true;
    clearTimeout(retry);
    unwatch();
    await connecting?.catch(() => undefined);
    if (client) cut(client);
  }

  return { listen, close };
}
