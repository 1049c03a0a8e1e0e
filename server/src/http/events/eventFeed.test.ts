import { beforeAll, expect, test } from 'vitest';
import { describeEachEngine } from '../../../test/database.ts';
import type { Config } from '../../config/config.ts';
import { EventsGone } from '../../domain/events/event.ts';
import { events } from '../../store/events/events.ts';
import { eventNotes } from '../../store/events/notes.ts';
import { type Queryable, type Store, statement } from '../../store/store.ts';
import { createEventFeed } from './eventFeed.ts';

const FILTER = { types: ['grade'] } as const;
const age = statement('test.eventFeed.age', 'update event_batch set committed_at = 100');

describeEachEngine('createEventFeed', (open) => {
  let store: Store;

  beforeAll(async () => {
    store = await open();
    for (const place of [1, 2, 3]) await eventNotes.grades(store, [`chain:${place}`], place);
  });

  function feedOf(reads: Queryable, primary?: Queryable) {
    const config = { families: [], chains: [] } as unknown as Config;
    return createEventFeed({
      ...{ config, store: { ...primary, reads } },
      onCommit: () => () => undefined,
    });
  }

  async function idsAfter(feed: ReturnType<typeof feedOf>, batch: number) {
    const [from] = (await feedOf(store).read(undefined, FILTER, batch)).events.slice(batch - 1);
    const page = await feed.read(from?.position, FILTER, 10);
    return page.events.map(({ id }) => id);
  }

  test('default', async () => {
    const feed = feedOf(store);
    const page = await feed.read(undefined, FILTER, 10);
    expect(page.events.map(({ id }) => id)).toEqual(['chain:1', 'chain:2', 'chain:3']);
    expect(page.next).toEqual(await feed.head());
    expect(await feed.read(page.next, FILTER, 10)).toEqual({ events: [], next: page.next });
    const first = await feed.read(undefined, FILTER, 1);
    expect(first.next).toEqual(first.events[0]!.position);
    expect(await idsAfter(feed, 1)).toEqual(['chain:2', 'chain:3']);
    expect((await feed.read(undefined, { ...FILTER, family: 'none' }, 10)).events).toEqual([]);
    const other = { ...page.next, tag: page.next.tag + 1 };
    await expect(feed.read(other, FILTER, 10)).rejects.toThrow(EventsGone);
  });

  test('behavior: a cursor beyond the end of a replica that lags is read from the primary', async () => {
    // Simulates a replica that has only the first batch.
    const lagging: Queryable = {
      async query<Row>(...call: Parameters<Queryable['query']>) {
        const rows = await store.query<object>(...call);
        return rows.slice(0, 1).map((row) => ({ ...row, head: 1, last: 1, batch: null })) as Row[];
      },
    };
    expect(await idsAfter(feedOf(lagging, store), 2)).toEqual(['chain:3']);
    await expect(idsAfter(feedOf(lagging), 2)).rejects.toThrow(EventsGone);
  });

  // Must be last, because it removes batches.
  test('behavior: a prune between two statements removes nothing from a page', async () => {
    await store.query(age);
    const [first] = (await feedOf(store).read(undefined, FILTER, 1)).events;
    const pruned: Queryable = {
      async query<Row>(...call: Parameters<Queryable['query']>) {
        const rows = await store.query<Row>(...call);
        await events.prune(store, 200, []);
        return rows;
      },
    };
    const page = await feedOf(pruned).read(undefined, FILTER, 10);
    expect(page.events.map(({ id }) => id)).toEqual(['chain:1', 'chain:2', 'chain:3']);
    await expect(feedOf(store).read(first!.position, FILTER, 10)).rejects.toThrow(EventsGone);
    const left = await feedOf(store).read(undefined, FILTER, 10);
    expect(left.events.map(({ id }) => id)).toEqual(['chain:3']);
  });
});
