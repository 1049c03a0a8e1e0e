import { describe, expect, test } from 'vitest';
import {
  EVENTS_START,
  type EventFeed,
  type EventPosition,
  EventsGone,
  type FeedEvent,
} from '../domain/events/event.ts';
import { MAX_EVENTS, readStep, type StepOptions } from './message.ts';

const at = (batch: number): EventPosition => ({ ...EVENTS_START, batch });
const event = (batch: number, family = 'a', data: FeedEvent['data'] = {}): FeedEvent => ({
  ...{ position: at(batch), type: 'history', state: 'applied', id: `${batch}`, family, data },
  ...{ chainId: 1, blockNumber: batch, logIndex: 0, blockTimestamp: 0, user: null, isFinal: false },
});

function step(events: readonly FeedEvent[], options: Partial<StepOptions> = {}) {
  const feed: EventFeed = {
    read: async () => ({ events, next: at(1_000) }),
    oldest: async () => EVENTS_START,
    head: async () => at(2_000),
    onCommit: () => () => {},
  };
  const wire: StepOptions['wire'] = {
    cursorOf: ({ batch }) => `c${batch}`,
    present: ({ id, data }, cursor) => ({ id, cursor, ...data }),
  };
  const endpoint = { name: 'one', delivery: 'applied' } as const;
  return readStep({ feed, wire, endpoint, after: at(1), replays: 0, ...options });
}

const bodyOf = async (promise: ReturnType<typeof step>) =>
  JSON.parse((await promise).message!.body) as { type: string; events: { id: string }[] };

describe('readStep', () => {
  test('default', async () => {
    const { message, next, hasMore } = await step([event(2), event(3)]);
    expect(JSON.parse(message!.body)).toEqual({
      type: 'events',
      cursor: 'c1000',
      events: [
        { id: '2', cursor: 'c2' },
        { id: '3', cursor: 'c3' },
      ],
    });
    expect(message).toMatchObject({ events: 2, id: expect.stringMatching(/^msg_[\w-]{27}$/) });
    expect({ next, hasMore }).toEqual({ next: at(1_000), hasMore: false });
  });

  test('behavior: the id is the same for a retry, and another for a replay or endpoint', async () => {
    const idOf = async (options: Partial<StepOptions>) =>
      (await step([event(2)], options)).message!.id;
    const first = await idOf({});
    expect(await idOf({})).toBe(first);
    expect(await idOf({ replays: 1 })).not.toBe(first);
    expect(await idOf({ endpoint: { name: 'two', delivery: 'applied' } })).not.toBe(first);
  });

  test('behavior: only events of some families', async () => {
    const endpoint = { name: 'one', delivery: 'applied', families: ['a', 'c'] } as const;
    const events = [event(2, 'a'), event(3, 'b'), event(4, 'c')];
    const body = await bodyOf(step(events, { endpoint }));
    expect(body.events.map(({ id }) => id)).toEqual(['2', '4']);
    expect(await step([event(3, 'b')], { endpoint })).toEqual({ next: at(1_000), hasMore: false });
  });

  test('behavior: a message is bounded, and the next one continues after its last event', async () => {
    const data = { text: 'é'.repeat(100_000) };
    const events = [2, 3, 4].map((batch) => event(batch, 'a', data));
    const { message, next, hasMore } = await step(events);
    expect(message!.events).toBe(2);
    expect({ next, hasMore }).toEqual({ next: at(3), hasMore: true });
    const long = { text: 'x'.repeat(1_000_000) };
    const one = await step([event(2, 'a', long), event(3)]);
    expect(one.message!.events).toBe(1);
    expect(one.next).toEqual(at(2));
  });

  test('behavior: a full page has more', async () => {
    const events = Array.from({ length: MAX_EVENTS }, (_, i) => event(i + 2));
    expect(await step(events)).toMatchObject({ hasMore: true });
  });

  test('behavior: events that are not stored any longer', async () => {
    const feed: EventFeed = {
      read: () => Promise.reject(new EventsGone()),
      oldest: async () => EVENTS_START,
      head: async () => at(2_000),
      onCommit: () => () => {},
    };
    const { message, next } = await step([], { feed });
    expect(JSON.parse(message!.body)).toEqual({ type: 'gone', cursor: 'c2000', events: [] });
    expect(next).toEqual(at(2_000));
  });
});
