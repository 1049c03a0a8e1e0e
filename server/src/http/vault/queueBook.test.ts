import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../../../test/database.ts';
import { liveAt, startIndexing } from '../../../test/indexing.ts';
import { type ServedWorld, serveWorld } from '../../../test/world.ts';
import type { FamilyConfig } from '../../config/config.ts';
import { DAY } from '../../domain/time.ts';
import { createPlaces, measureWaits, type QueueStep } from '../../domain/vault/waits.ts';
import { findIndexedTimes, type IndexedTimes } from '../../store/sources/indexedTimes.ts';
import type { Queryable, Store } from '../../store/store.ts';
import { createQueueBook } from './queueBook.ts';
import { readQueueSteps } from './queueSteps.ts';

let served: ServedWorld;
let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  served = await serveWorld({ seed: 'queue book', days: 9 });
  database = await createDatabase('postgres');
  store = await database.open();
  const indexing = startIndexing(store, served.config());
  await indexing.until(liveAt(served.heads()));
  await indexing.stop();
});
afterAll(async () => {
  await database?.drop();
  await served?.close();
});

/** A store whose indexed times the test sets. */
function movable(): { db: Queryable; asked: string[]; move(times: IndexedTimes): void } {
  let times: IndexedTimes | undefined;
  const asked: string[] = [];
  const db: Queryable = {
    async query<Row>(statement: Parameters<Queryable['query']>[0], params?: never[]) {
      if (statement.name === 'sources.indexedTimes') return [times] as Row[];
      asked.push(`${statement.name} ${params?.[2]}`);
      return store.query<Row>(statement, params);
    },
  };
  return { db, asked, move: (next) => (times = next) };
}

async function allSteps(family: FamilyConfig, chainId: number, { from, until }: IndexedTimes) {
  const steps: QueueStep[] = [];
  const span = { chainId, after: from - 1, until };
  for await (const page of readQueueSteps(store, family, span, new Map())) steps.push(...page);
  return steps;
}

test('default: reading in parts gives the same as all steps at once, at every timestamp', async () => {
  let waited = 0;
  for (const family of served.config().families) {
    for (const { chainId } of family.chains) {
      const times = (await findIndexedTimes(store, family.slug, chainId))!;
      const { db, asked, move } = movable();
      let clock = 0;
      const book = createQueueBook({ db, family, chainId, clock: () => clock });
      const instants = Array.from({ length: 40 }, (_, i) => times.until - (39 - i) * 5 * 3600);
      // The last two times simulate a chain that is indexed again.
      for (const until of [...instants, times.until - 5 * DAY, times.until]) {
        move({ ...times, until });
        clock += 5_000;
        const steps = await allSteps(family, chainId, { ...times, until });
        const { waiting } = measureWaits(steps, 0);
        const [expected, found] = [createPlaces(waiting), await book.load()];
        for (const { wallet } of steps) expect(found(wallet)).toEqual(expected(wallet));
        waited += waiting.length;
      }
      move({ ...times, fingerprint: 'another' });
      clock += 5_000;
      asked.length = 0;
      await book.load();
      expect(asked).toContain(`history.queueSteps ${times.from - 1}`);
      asked.length = 0;
      await book.load();
      expect(asked).toEqual([]);
      clock += 5_000;
      await book.load();
      // Only the last day is read once everything before it is known.
      expect(asked).toEqual([`history.queueSteps ${times.until - DAY}`]);
    }
  }
  expect(waited).toBeGreaterThan(100);
});
