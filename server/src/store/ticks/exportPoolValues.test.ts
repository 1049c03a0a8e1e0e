import { expect, test } from 'vitest';
import { describeEachEngine } from '../../../test/database.ts';
import type { Address } from '../../domain/hex.ts';
import { POOL_STATUS } from '../../domain/vault/event.ts';
import { readExportPage } from '../exports/exportTable.ts';
import { type DeclaredPool, pools } from '../pools/pools.ts';
import { statement } from '../store.ts';
import { exportPoolValues } from './exportPoolValues.ts';

const POOL = `0x${'01'.repeat(32)}` as const;
const VENUE = `0x${'02'.repeat(20)}` as Address;

const insertValue = statement(
  'test.exportPoolValues.insert',
  `insert into pool_tick (family_id, chain_id, pool_id, at, block_number, value, pending_exit, share_price, reward_per_year)
   values (1, 8453, decode($1, 'hex'), $2, $2, 7, 0, 1, 0)`,
);

function declared(blockNumber: number, offchainId: string, epoch: number, status: number) {
  const place = { blockTime: blockNumber, chainId: 8453, blockNumber, logIndex: 0 };
  const facts = { venue: VENUE, venueKind: 1, idleOnly: false, riskScore: 0 };
  return { place, pool: { ...facts, poolId: POOL, offchainId, epoch, status } } as DeclaredPool;
}

describeEachEngine('exportPoolValues', (open) => {
  test('behavior: a pool that is removed and declared again keeps the id of its former values', async () => {
    const store = await open();
    const read = async () => {
      const range = {};
      const query = { familyId: 1, slug: 'f', after: [], limit: 100, range };
      const { lines } = await readExportPage(store, exportPoolValues, query);
      return lines.split('\n').map((line) => {
        const cells = line.split(',');
        return [cells[3], Buffer.from(cells[5]!, 'hex').toString()];
      });
    };
    const value = (at: number) => store.query(insertValue, [POOL.slice(2), at]);
    await pools.insert(store, 1, 8453, [declared(10, 'alpha', 1, POOL_STATUS.active)]);
    for (const at of [5, 10, 15]) await value(at);
    const before = [
      ['5', ''],
      ['10', 'alpha'],
      ['15', 'alpha'],
    ];
    expect(await read()).toEqual(before);
    await pools.insert(store, 1, 8453, [
      declared(20, 'alpha', 2, POOL_STATUS.removed),
      declared(30, 'beta', 3, POOL_STATUS.active),
      // An older epoch, so the newer one stays in force.
      declared(35, 'stale', 2, POOL_STATUS.active),
    ]);
    for (const at of [30, 40]) await value(at);
    expect(await read()).toEqual([...before, ['30', 'beta'], ['40', 'beta']]);
  });
});
