import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { EVENT_TYPES } from '../src/domain/events/event.ts';
import { type Consumer, type ConsumerOptions, Kept, type WireEvent } from './eventConsumers.ts';
import { fetchPackage, PACKAGES_FOLDER } from './realVaults/packages.ts';

/** The package `eventsource` for Node 20. It is in no lock file; its parser is installed for other tests. */
const PIN = 'eventsource@4.1.1';
const SHA512 =
  'D6bTRWh6KahHTK/m4WnjPQyEinNPf9eFLEZSEoj7d6fTibspnAVYfzHvirL7u/aoX5d9YYfIkBVAhmigUELk9w==';
const CLOSED = 2;
const OPEN_AGAIN_MS = 20;

interface Source {
  readonly readyState: number;
  addEventListener(
    type: string,
    listener: (event: { readonly data: string; readonly lastEventId: string }) => void,
  ): void;
  close(): void;
}

type SourceClass = new (url: string, options: { readonly fetch: typeof fetch }) => Source;

/** Reads the stream with the package `eventsource`, which reconnects by itself with `Last-Event-ID`. */
export async function startEventSource({
  url,
  delivery,
}: Omit<ConsumerOptions, 'random'>): Promise<Consumer> {
  const folder = await fetchPackage(PIN, SHA512, PACKAGES_FOLDER);
  const file = pathToFileURL(join(folder, 'dist/index.js')).href;
  const { EventSource } = (await import(file)) as { EventSource: SourceClass };
  const kept = new Kept();
  let source: Source | undefined;
  let isStopped = false;
  openLater();
  return {
    name: `EventSource of ${delivery} events`,
    rows: () => kept.rows,
    retracted: () => kept.retracted,
    written: () => kept.written,
    kill() {
      if (source === undefined) return;
      source.close();
      openLater();
    },
    async stop() {
      isStopped = true;
      source?.close();
    },
  };

  function openLater(): void {
    source = undefined;
    setTimeout(() => void open().catch(openLater), OPEN_AGAIN_MS).unref();
  }

  async function open(): Promise<void> {
    if (isStopped) return;
    kept.cursor ?? (await readFirst());
    const path = `/v1/events/stream?delivery=${delivery}&after=${kept.cursor}`;
    // A restarted server has a new URL.
    const here = (_: unknown, init?: RequestInit) => fetch(url() + path, init);
    const opened = new EventSource(url() + path, { fetch: here });
    source = opened;
    for (const type of EVENT_TYPES) {
      opened.addEventListener(type, ({ data, lastEventId }) => {
        if (source === opened) kept.write([JSON.parse(data)], lastEventId);
      });
    }
    opened.addEventListener('error', () => {
      // The package gives up after a response that is not a stream.
      if (source === opened && opened.readyState === CLOSED) openLater();
    });
  }

  /** A stream starts with new events unless it has a cursor. */
  async function readFirst(): Promise<void> {
    const response = await fetch(`${url()}/v1/events?limit=1&delivery=${delivery}`);
    const { events, cursor } = (await response.json()) as { events: WireEvent[]; cursor: string };
    kept.write(events, cursor);
  }
}
