import { expect, test } from 'vitest';
import { describeEachEngine } from '../../test/database.ts';
import type { ChainConfig } from '../config/config.ts';
import { chainProgress } from '../store/chains/progress.ts';
import { createStatusReader } from './status.ts';

const base = {
  chainId: 8453,
  name: 'base',
  rpcUrls: ['http://127.0.0.1'],
} as unknown as ChainConfig;

describeEachEngine('createStatusReader', (open) => {
  test('default', async () => {
    const store = await open();
    const read = createStatusReader({ store, configured: [base], now: () => 1_700_000_100 });
    expect(await read()).toMatchObject([{ state: 'syncing', indexedBlock: null, updatedAt: null }]);

    await store.transaction(async (tx) => {
      await chainProgress.bind(tx, 8453, `0x${'ab'.repeat(32)}`, 1_700_000_000);
      await chainProgress.update(tx, 8453, {
        head: 30_000_000_000,
        headTime: 1_700_000_090,
        finalized: 100,
        indexedBlock: 118,
        indexedTime: 1_700_000_080,
        state: 'live',
        backfilled: true,
        error: null,
        now: 1_700_000_091,
      });
    });
    const [first, second] = await Promise.all([read(), read()]);
    expect(first).toEqual(second);
    expect(first).toEqual([
      {
        chainId: 8453,
        name: 'base',
        state: 'live',
        backfilled: true,
        head: 30_000_000_000,
        finalized: 100,
        indexedBlock: 118,
        lagSeconds: 20,
        lastError: null,
        updatedAt: 1_700_000_091,
        stale: false,
      },
    ]);

    await chainProgress.unreachable(store, 8453, 'rpc 1 did not answer in time', 1_700_000_095);
    expect(await read()).toMatchObject([
      {
        state: 'unreachable',
        indexedBlock: 118,
        lastError: { message: 'rpc 1 did not answer in time', since: 1_700_000_095 },
      },
    ]);
  });
});
