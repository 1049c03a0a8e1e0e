import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from './activity.ts';

/** One event as a client reads it. */
export interface WireEvent {
  readonly cursor: string;
  readonly type: string;
  readonly state: 'applied' | 'retracted' | 'final';
  readonly id: string;
  readonly data: unknown;
}

/** A client of the feed that stores its rows and its cursor together, as a database would. */
export interface Consumer {
  readonly name: string;
  /** Rows by type and id. */
  rows(): ReadonlyMap<string, unknown>;
  /** Returns the number of retractions that it has applied. */
  retracted(): number;
  /** Returns the number of events that it has stored. */
  written(): number;
  /** Drops the connection and everything that is not stored, as a killed process does. */
  kill(): void;
  stop(): Promise<void>;
}

export interface ConsumerOptions {
  /** The URL changes when the server is restarted. */
  readonly url: () => string;
  readonly random: Random;
  readonly delivery: 'applied' | 'final';
}

/** Polls the feed with pages of random length. */
export function startPoller({ url, random, delivery }: ConsumerOptions): Consumer {
  return startConsumer(`poller of ${delivery} events`, async (kept, signal) => {
    const query = new URLSearchParams({ limit: `${1 + random.int(40)}`, wait: '1', delivery });
    if (kept.cursor !== undefined) query.set('after', kept.cursor);
    const response = await fetch(`${url()}/v1/events?${query}`, { signal });
    if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
    const page = (await response.json()) as { events: WireEvent[]; cursor: string };
    signal.throwIfAborted();
    kept.write(page.events, page.cursor);
  });
}

/** Reads the stream as bytes, by the rules of the HTML standard. */
export function startStreamReader({ url, delivery }: ConsumerOptions): Consumer {
  return startConsumer(`stream of ${delivery} events`, async (kept, signal) => {
    // A new client must read from the beginning. A stream starts there only with a cursor.
    if (kept.cursor === undefined) {
      const first = await fetch(`${url()}/v1/events?limit=1&delivery=${delivery}`, { signal });
      const page = (await first.json()) as { events: WireEvent[]; cursor: string };
      kept.write(page.events, page.cursor);
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const headers = { accept: 'text/event-stream', 'last-event-id': kept.cursor };
      const sent = request(
        `${url()}/v1/events/stream?delivery=${delivery}`,
        { headers, signal },
        (response) => {
          if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`));
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (piece: string) => {
            text += piece;
            for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
              take(text.slice(0, end));
              text = text.slice(end + 2);
            }
          });
          response.on('end', resolve).on('error', reject);
        },
      );
      sent.on('error', reject);
      sent.end();
    });

    function take(block: string): void {
      const fields = block.split('\n').map((line) => line.split(/: ?(.*)/s));
      const get = (wanted: string) => fields.find(([name]) => name === wanted)?.[1];
      const [id, data] = [get('id'), get('data')];
      if (get('event') === 'gone') throw new Error('the cursor is gone');
      if (id !== undefined) kept.write(data === undefined ? [] : [JSON.parse(data)], id);
    }
  });
}

/** The client's store. */
export class Kept {
  readonly rows = new Map<string, unknown>();
  cursor: string | undefined;
  retracted = 0;
  written = 0;

  write(events: readonly WireEvent[], cursor: string): void {
    this.written += events.length;
    for (const { type, state, id, data } of events) {
      const key = `${type} ${id}`;
      if (state !== 'retracted') this.rows.set(key, data);
      else if (this.rows.delete(key)) this.retracted++;
    }
    this.cursor = cursor;
  }
}

function startConsumer(
  name: string,
  step: (kept: Kept, signal: AbortSignal) => Promise<void>,
): Consumer {
  const kept = new Kept();
  let isStopped = false;
  let connection = new AbortController();
  const running = run();
  return {
    name,
    rows: () => kept.rows,
    retracted: () => kept.retracted,
    written: () => kept.written,
    kill: () => connection.abort(),
    async stop() {
      isStopped = true;
      connection.abort();
      await running;
    },
  };

  async function run(): Promise<void> {
    while (!isStopped) {
      connection = new AbortController();
      try {
        await step(kept, connection.signal);
      } catch {
        // The server is down, or this client was killed.
        await sleep(20);
      }
    }
  }
}
