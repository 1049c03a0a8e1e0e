import { expect, test } from 'vitest';
import { EVENTS_START, type EventFeed, type FeedEvent } from '../../domain/events/event.ts';
import { followRecentEvents, MAX_CHARACTERS } from './recentEvents.ts';

/** Events of batches 1, 2, and so on. */
function feedOf(count: number): EventFeed {
  const position = (batch: number) => ({ ...EVENTS_START, batch, tag: batch });
  const all = Array.from({ length: count }, (_, i) => ({ position: position(i + 1) }) as FeedEvent);
  return {
    async read(after = EVENTS_START, _, limit) {
      const events = all.slice(after.batch, after.batch + limit);
      return { events, next: events.at(-1)?.position ?? after };
    },
    oldest: async () => EVENTS_START,
    head: async () => EVENTS_START,
    onCommit: () => () => undefined,
  };
}

async function follow(count: number, text: string) {
  const feed = feedOf(count);
  return new Promise<ReturnType<typeof followRecentEvents>>((resolve, reject) => {
    const recent = followRecentEvents({
      ...{ feed, textOf: () => text, onError: reject },
      onNew: () => resolve(recent),
    });
  });
}

const at = (batch: number) => ({ ...EVENTS_START, batch });

test('default: every event after a position', async () => {
  const recent = await follow(700, 'x');
  expect(recent.after(EVENTS_START)?.events).toHaveLength(700);
  expect(recent.after(at(690))?.events).toHaveLength(10);
});

test('behavior: keeps a limited number of events', async () => {
  const recent = await follow(5_100, 'x');
  expect(recent.after(at(99))).toBeUndefined();
  expect(recent.after(at(100))?.events).toHaveLength(5_000);
});

test('behavior: long events are kept only as long as they fit into memory together', async () => {
  const recent = await follow(700, 'x'.repeat(MAX_CHARACTERS / 10));
  expect(recent.after(at(689))).toBeUndefined();
  expect(recent.after(at(690))?.events).toHaveLength(10);
  const tooLong = await follow(3, 'x'.repeat(MAX_CHARACTERS + 1));
  expect(tooLong.after(at(2))).toBeUndefined();
  expect(tooLong.after(at(3))?.events).toEqual([]);
});
