import { expect, test } from 'vitest';
import { describeAnyEngine } from '../../../test/database.ts';
import { sources } from '../sources/sources.ts';
import { statement } from '../store.ts';
import { watchedSeries } from './watchedSeries.ts';

const CHAIN = 8453;
const fill = statement(
  'test.watchedSeries.fill',
  `with made as (insert into family (family_id, slug) overriding system value values (1, 'one'), (2, 'two') returning family_id),
   read as (insert into chain (chain_id, genesis_hash, state, head, indexed_block, backfilled, updated_at)
     values (${CHAIN}, '', 'live', 90, 90, true, 100)),
   priced as (insert into share_price (family_id, chain_id, block_number, log_index, block_time, price) values (2, ${CHAIN}, 1, 0, 40, 1))
   insert into source (chain_id, key, family_id, fingerprint, start_block, indexed_block, indexed_time, followed, readable)
   select ${CHAIN}, 'family:' || family_id, family_id, '', 1, 80, 80, true, family_id = 1 from made`,
);

describeAnyEngine('watched series', (_, database) => {
  test('default: the time of a rate or a published price; a halted family does not count as behind', async () => {
    const store = await database().open();
    await store.query(fill);
    const times = async () => {
      const found = await watchedSeries.getClock(store, [1, 2], 0);
      return found.map(({ published }) => published?.updatedAt ?? null);
    };
    expect(await times()).toEqual([null, 40]);
    await sources.setRateTimes(store, CHAIN, [{ key: 'family:1', at: 70 }]);
    expect(await times()).toEqual([70, 40]);

    const live = async () => {
      const found = await watchedSeries.getFamilies(store, [1, 2], [CHAIN]);
      return found.map(({ isLive }) => isLive);
    };
    // The first source is behind the head, the second is halted there.
    expect(await live()).toEqual([false, true]);
    const to = { number: 90, time: 90 };
    await sources.advance(store, CHAIN, [{ key: 'family:1', fingerprint: '' }], to);
    expect(await live()).toEqual([true, true]);
  });
});
