import { createHash } from 'node:crypto';
import type { WebhookConfig } from '../config/config.ts';
import {
  type EventFeed,
  type EventFilter,
  type EventPosition,
  EventsGone,
  type FeedEvent,
} from '../domain/events/event.ts';

/** One request to an endpoint. */
export interface Message {
  /** The same for the same body, so that receivers can recognize a retry. */
  readonly id: string;
  readonly body: string;
  readonly events: number;
}

/** The next step of an endpoint. */
export interface Step {
  /** Absent: none of the events is for this endpoint. */
  readonly message?: Message;
  readonly next: EventPosition;
  /** Whether there is probably more to read at once. */
  readonly hasMore: boolean;
}

/** Turns positions and events into what receivers see. */
export interface Wire {
  cursorOf(position: EventPosition): string;
  /** The event as JSON. */
  present(event: FeedEvent, cursor: string): object;
}

export const MAX_EVENTS = 500;
/** A single event is sent even if it is longer. */
const MAX_BODY_BYTES = 512 * 1024;

export interface StepOptions {
  readonly feed: EventFeed;
  readonly wire: Wire;
  readonly endpoint: Pick<WebhookConfig, 'name' | 'types' | 'families' | 'delivery'>;
  readonly after: EventPosition;
  /** Part of the id, so that a receiver does not take replayed events for a retry. */
  readonly replays: number;
}

/** Reads the events after a position that an endpoint wants. */
export async function readStep({
  feed,
  wire,
  endpoint,
  after,
  replays,
}: StepOptions): Promise<Step> {
  const { name, families } = endpoint;
  const create = (type: MessageType, cursor: string, texts: readonly string[]) =>
    createMessage(`${name} ${replays}`, type, cursor, texts);
  let page: Awaited<ReturnType<EventFeed['read']>>;
  try {
    page = await feed.read(after, filterOf(endpoint), MAX_EVENTS);
  } catch (error) {
    if (!(error instanceof EventsGone)) throw error;
    const next = await feed.head();
    return { message: create('gone', wire.cursorOf(next), []), next, hasMore: false };
  }
  const texts: string[] = [];
  let bytes = 0;
  let last: EventPosition | undefined;
  for (const event of page.events) {
    if (!isWanted(event.family, families)) continue;
    const text = JSON.stringify(wire.present(event, wire.cursorOf(event.position)));
    bytes += Buffer.byteLength(text);
    if (texts.length > 0 && bytes > MAX_BODY_BYTES) return step(texts, last!, true);
    texts.push(text);
    last = event.position;
  }
  return step(texts, page.next, page.events.length === MAX_EVENTS);

  function step(texts: readonly string[], next: EventPosition, hasMore: boolean): Step {
    if (texts.length === 0) return { next, hasMore };
    return { message: create('events', wire.cursorOf(next), texts), next, hasMore };
  }
}

/** Events of no family, such as the state of a chain, are for endpoints that want every family. */
function isWanted(family: string | null, families: WebhookConfig['families']): boolean {
  return families === undefined || (family !== null && families.includes(family));
}

type MessageType = 'events' | 'gone' | 'test';

/** A message that shows that an endpoint can be reached and accepts the signature. */
export function createTestMessage(name: string, cursor: string, unique: string): Message {
  return createMessage(`${name} test ${unique}`, 'test', cursor, []);
}

function createMessage(
  salt: string,
  type: MessageType,
  cursor: string,
  texts: readonly string[],
): Message {
  const body = `{"type":"${type}","cursor":${JSON.stringify(cursor)},"events":[${texts.join(',')}]}`;
  const hash = createHash('sha256').update(`${salt}\n${body}`).digest('base64url');
  return { id: `msg_${hash.slice(0, 27)}`, body, events: texts.length };
}

function filterOf({ types, families, delivery }: StepOptions['endpoint']): EventFilter {
  return { types, delivery, ...(families?.length === 1 && { family: families[0] }) };
}
