import type { Config } from '../../config/config.ts';
import {
  EVENT_TYPES,
  type EventFeed,
  type EventFilter,
  type EventPage,
  type EventPosition,
  type EventType,
} from '../../domain/events/event.ts';
import type { Hex } from '../../domain/hex.ts';
import { pause } from '../../runtime/pause.ts';
import { type ParameterReader, readParameters } from '../parameters.ts';
import { BadParameters, NotFound, noSuch } from '../problem.ts';
import type { Route } from '../route.ts';
import { CHAIN_ID } from '../routeParameters.ts';
import { openPosition, sealPosition } from './eventCursor.ts';
import {
  DELIVERIES,
  EVENT_LIMIT,
  eventExample,
  eventPage,
  pollParameters,
  presentEvent,
  streamParameters,
  WAIT_SECONDS,
} from './eventSchema.ts';
import type { EventStreams } from './eventStreams.ts';

export interface EventDeps {
  readonly config: Config;
  readonly feed: EventFeed;
  readonly streams: EventStreams;
  /** See loadCursorKey. */
  readonly cursorKey: Hex;
}

const STREAM_EXAMPLE = `id: ${eventExample.cursor}\nevent: history\ndata: ${JSON.stringify(eventExample.events[0])}\n\n`;

/** Routes of the event feed: pages with long polling, and a stream of server-sent events. */
export function eventRoutes({ config, feed, streams, cursorKey }: EventDeps): Route[] {
  return [
    {
      path: '/v1/events',
      access: 'open',
      operationId: 'getEvents',
      summary: 'List events',
      description:
        'Returns every change of history items, share prices, pools, governance, price outages, states, grades, and alerts, in the order in which they were committed. Apply `applied` and `final` events by inserting or replacing the row with the same `type` and `id`, and delete it on `retracted`: you then have the rows that the API serves. To start with the existing rows, get a cursor with `after=latest`, read `/v1/history` to its end, and continue from that cursor. Removing a family from the configuration does not retract its rows.',
      tag: 'events',
      parameters: pollParameters,
      response: eventPage,
      responseExample: eventExample,
      problems: [400, 404, 410],
      maxAge: 0,
      async answer(request) {
        const { filter, after, limit, wait } = readParameters(
          (parameters) => ({
            ...readFilter(parameters),
            after: parameters.text('after'),
            limit: parameters.integer('limit', EVENT_LIMIT),
            wait: parameters.integer('wait', WAIT_SECONDS),
          }),
          request,
        );
        checkFamily(config, filter);
        if (after === 'latest') {
          return { events: [], cursor: sealPosition(cursorKey, await feed.head()), hasMore: false };
        }
        const from = after === undefined ? undefined : positionOf(after);
        const page = await readOrWait(feed, from, { filter, limit, wait });
        return {
          events: page.events.map((event) =>
            presentEvent(event, sealPosition(cursorKey, event.position)),
          ),
          cursor: sealPosition(cursorKey, page.next),
          hasMore: page.events.length === limit,
        };
      },
    },
    {
      path: '/v1/events/stream',
      access: 'open',
      operationId: 'streamEvents',
      summary: 'Stream events',
      description:
        'Streams the events of `/v1/events` as server-sent events: `event` is the type, `data` the event, and `id` its cursor. A client that reconnects with `Last-Event-ID` continues where it stopped, without a gap. An `id` without data is sent when other events were skipped. The stream ends when the server stops, and with `event: gone` if the next events are no longer stored.',
      tag: 'events',
      parameters: streamParameters,
      response: { type: 'string', description: 'Server-sent events.' },
      responseExample: STREAM_EXAMPLE,
      mediaType: 'text/event-stream',
      problems: [400, 404, 410, 503],
      maxAge: 0,
      answer: async () => STREAM_EXAMPLE,
      async stream(request, raw, response) {
        const { filter, after } = readParameters(
          (parameters) => ({ ...readFilter(parameters), after: parameters.text('after') }),
          request,
        );
        checkFamily(config, filter);
        const last = raw.headers['last-event-id'];
        const from = typeof last === 'string' && last !== '' ? last : after;
        const position = from === undefined ? await feed.head() : positionOf(from);
        await streams.open({ position, filter, raw, response });
      },
    },
  ];

  function positionOf(after: string): EventPosition {
    const position = openPosition(cursorKey, after);
    if (position !== undefined) return position;
    const reason = 'is not a cursor of this server; pass a `cursor` back unchanged';
    throw new BadParameters([{ parameter: 'after', reason }]);
  }
}

function readFilter(parameters: ParameterReader): { readonly filter: EventFilter } {
  return {
    filter: {
      types: readTypes(parameters),
      family: parameters.text('family'),
      user: parameters.address('user', parameters.text('user')),
      chainId: parameters.optionalInteger('chainId', CHAIN_ID),
      delivery: parameters.choice('delivery', DELIVERIES),
    },
  };
}

function readTypes(parameters: ParameterReader): EventType[] | undefined {
  const types = parameters.text('types')?.split(',');
  const known = EVENT_TYPES.filter((type) => types?.includes(type));
  if (types?.every((type) => (EVENT_TYPES as readonly string[]).includes(type))) return known;
  if (types !== undefined) {
    parameters.mistake('types', `must be a comma-separated list of ${EVENT_TYPES.join(', ')}`);
  }
  return undefined;
}

function checkFamily({ families }: Config, { family }: EventFilter): void {
  if (family !== undefined && !families.some(({ slug }) => slug === family)) {
    throw new NotFound(noSuch('vault family'));
  }
}

/** Waits for the first event, if there is none, for at most `wait` seconds. */
async function readOrWait(
  feed: EventFeed,
  after: EventPosition | undefined,
  { filter, limit, wait }: { filter: EventFilter; limit: number; wait: number },
): Promise<EventPage> {
  const end = performance.now() + wait * 1_000;
  let from = after;
  for (;;) {
    const committed = new AbortController();
    // Before reading: what is committed meanwhile ends the wait.
    const stop = feed.onCommit(() => committed.abort());
    try {
      const page = await feed.read(from, filter, limit);
      const left = end - performance.now();
      if (page.events.length > 0 || left <= 0) return page;
      from = page.next;
      await pause(left, committed.signal);
    } finally {
      stop();
    }
  }
}
