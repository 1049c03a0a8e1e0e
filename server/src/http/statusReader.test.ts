import { expect, test } from 'vitest';
import { describeAnyEngine } from '../../test/database.ts';
import type { ChainConfig, Config } from '../config/config.ts';
import { chainProgress } from '../store/chains/progress.ts';
import { families } from '../store/families/families.ts';
import { type Gap, gaps } from '../store/gaps/gaps.ts';
import { loadReadStates } from '../store/sources/readState.ts';
import { sources } from '../store/sources/sources.ts';
import { createStatusReader } from './status.ts';

const base = {
  chainId: 8453,
  name: 'base',
  rpcUrls: ['http://127.0.0.1'],
} as unknown as ChainConfig;

const config = {
  chains: [base],
  families: [{ slug: 'svcusd', chains: [{ chainId: 8453 }] }],
  prices: { feeds: [] },
} as unknown as Config;

describeAnyEngine('createStatusReader', (open) => {
  test('default', async () => {
    const store = await open();
    const read = createStatusReader({ store, config, now: () => 1_700_000_100 });
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
        sources: [
          {
            ...{ kind: 'family', name: 'svcusd', state: 'syncing', error: null },
            ...{ families: ['svcusd'], gaps: [] },
          },
        ],
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

  test('behavior: gaps are of their family and chain', async () => {
    const store = await open();
    const [first] = await families.register(store, ['svcusd', 'other']);
    const gap: Gap = {
      ...{ familyId: first!.familyId, chainId: 8453, reason: 'state', initial: true },
      ...{ fromBlock: 11, toBlock: 20, fromTime: 100, toTime: 200, foundAt: 1_000 },
    };
    await gaps.add(store, gap);
    await gaps.add(store, { ...gap, chainId: 1 });
    const read = createStatusReader({ store, config, now: () => 1_700_000_100 });
    const shown = { ...gap, family: 'svcusd', requestedAt: null };
    expect((await read())[0]!.sources[0]!.gaps).toEqual([shown]);
    await gaps.fill(store, gap, { number: 20, time: 200 });
    expect((await read())[0]!.sources[0]!.gaps).toEqual([]);
  });

  test('behavior: reports why a family is halted, since its first error', async () => {
    const store = await open();
    const [row] = await families.register(store, ['svcusd']);
    const { familyId } = row!;
    const source = { chainId: 8453, key: 'family:svcusd', feed: null, fingerprint: 'f' };
    await sources.insert(store, [{ ...source, familyId, startBlock: 1 }]);
    await chainProgress.update(store, 8453, {
      head: 118,
      headTime: 1_700_000_090,
      finalized: 100,
      indexedBlock: 118,
      indexedTime: 1_700_000_080,
      state: 'live',
      backfilled: true,
      error: null,
      now: 1_700_000_091,
    });
    await sources.advance(store, 8453, [source], { number: 118, time: 1_700_000_080 });
    const read = createStatusReader({ store, config, now: () => 1_700_000_100 });
    const states = async () => {
      const known = await loadReadStates(store, new Map(), 1_700_000_100);
      return [(await read())[0]!.sources[0], known.stateOf('svcusd', 8453)];
    };
    const name = { kind: 'family', name: 'svcusd', families: ['svcusd'], gaps: [] };
    const held = (message: string) => ({
      ...name,
      state: 'halted',
      error: { message, since: 1_700_000_050 },
    });
    const current = { ...name, state: 'current', error: null };
    expect(await states()).toEqual([current, 'current']);
    await sources.setErrors(
      store,
      8453,
      [{ key: source.key, error: 'asset() does not answer' }],
      1_700_000_050,
    );
    expect(await states()).toEqual([held('asset() does not answer'), 'syncing']);
    await sources.setErrors(
      store,
      8453,
      [{ key: source.key, error: 'share() does not answer' }],
      1_700_000_060,
    );
    expect(await states()).toEqual([held('share() does not answer'), 'syncing']);
    await sources.setErrors(store, 8453, [{ key: source.key, error: null }], 1_700_000_070);
    expect(await states()).toEqual([current, 'current']);
    // A different error of another contract.
    await sources.setErrors(
      store,
      8453,
      [{ key: source.key, error: 'asset() does not answer' }],
      1_700_000_080,
    );
    await sources.restart(store, { ...source, fingerprint: 'g', startBlock: 1 });
    expect(await states()).toEqual([{ ...name, state: 'syncing', error: null }, 'syncing']);
  });
});
