import { requestIdHeader } from '../exchange.ts';
import { CORS_HEADERS, SECURITY_HEADERS } from '../headers.ts';
import { NotReady } from '../problem.ts';
import {
  createEventStream,
  type EventStream,
  type EventStreamDeps,
  type Opening,
  textOf,
} from './eventStream.ts';
import { followRecentEvents, type RecentEvents } from './recentEvents.ts';

/** Streams of server-sent events to many clients. */
export interface EventStreams {
  /** Sends the events after a position until the client leaves. If it can't, it throws before the response begins. */
  open(opening: Opening): Promise<void>;
  /** Ends all streams, so that clients connect to another server. */
  close(): void;
}

const MAX_STREAMS = 5_000;
const HEARTBEAT_MS = 15_000;

export function createEventStreams(deps: Omit<EventStreamDeps, 'after'>): EventStreams {
  const { feed, cursorKey, onError } = deps;
  const streams = new Set<EventStream>();
  let recent: RecentEvents | undefined;
  let isClosed = false;
  const heartbeat = setInterval(() => {
    for (const stream of streams) stream.beat();
  }, HEARTBEAT_MS).unref();

  return {
    async open(opening) {
      const { position, filter, raw, response } = opening;
      if (isClosed) throw new NotReady('The server is stopping. Connect again.');
      if (streams.size >= MAX_STREAMS) throw new NotReady('too many streams; try again later');
      await feed.read(position, filter, 1);
      response.writeHead(200, {
        ...SECURITY_HEADERS,
        ...CORS_HEADERS.open,
        ...requestIdHeader(response),
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        // Turns off buffering in nginx.
        'x-accel-buffering': 'no',
      });
      if (raw.method === 'HEAD') response.end();
      else add(opening);
    },
    close() {
      isClosed = true;
      clearInterval(heartbeat);
      for (const stream of streams) stream.end();
      recent?.stop();
    },
  };

  function add(opening: Opening): void {
    const stream = createEventStream(
      { ...deps, after: (position) => recent?.after(position) },
      opening,
    );
    streams.add(stream);
    opening.response.once('close', () => {
      streams.delete(stream);
      if (streams.size > 0) return;
      recent?.stop();
      recent = undefined;
    });
    recent ??= followRecentEvents({
      ...{ feed, onError },
      textOf: (event) => textOf(event, cursorKey),
      onNew() {
        for (const one of streams) one.push();
      },
    });
    stream.push();
  }
}
