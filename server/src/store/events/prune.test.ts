import { expect, test } from 'vitest';
import { describeEachEngine } from '../../../test/database.ts';
import { statement } from '../store.ts';
import { events } from './events.ts';
import { eventNotes } from './notes.ts';
import { eventPages } from './readEvents.ts';

const CHAIN = 8453;

const age = statement(
  'test.prune.age',
  'update event_batch set committed_at = 100 where seq <= $1',
);
const count = statement('test.prune.count', 'select count(*) as "count" from event_note');

describeEachEngine('events.prune', (open) => {
  test('default: removes old batches, but not the newest, nor any after a row that is not final', async () => {
    const store = await open();
    const add = (block: number) =>
      events.add(
        store,
        { chainId: CHAIN, families: [1], fromBlock: block, toBlock: block, fromTime: 0, toTime: 0 },
        -1,
      );
    const extent = async () => {
      const { first, head } = await eventPages.getExtent(store);
      return { first, head };
    };
    await events.finalize(store, CHAIN, 0);
    await eventNotes.grades(store, ['chain:base'], 100);
    await add(1);
    await add(2);
    await store.query(age, [3]);
    // Block 1 is not final.
    expect(await events.prune(store, 200, [CHAIN])).toBe(1);
    expect(await extent()).toEqual({ first: 2, head: 3 });
    expect(await store.query(count)).toEqual([{ count: 0 }]);
    await events.finalize(store, CHAIN, 2);
    await store.query(age, [5]);
    expect(await events.prune(store, 200, [CHAIN])).toBe(3);
    expect(await extent()).toEqual({ first: 5, head: 5 });
    expect((await eventPages.getExtent(store)).firstTag).toBeGreaterThan(0);
    expect(await events.prune(store, 200, [CHAIN])).toBe(0);
    // The rows of a chain that left the configuration never become final.
    await add(3);
    await add(4);
    await store.query(age, [7]);
    expect(await events.prune(store, 200, [CHAIN])).toBe(1);
    expect(await events.prune(store, 200, [CHAIN])).toBe(0);
    expect(await events.prune(store, 200, [CHAIN + 1])).toBe(1);
  });
});
