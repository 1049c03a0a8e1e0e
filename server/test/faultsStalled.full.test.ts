import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { serveProvider, step } from '../../devnet/src/index.ts';
import { createIndexer } from '../src/ingest/indexer.ts';
import { type ChainRow, chains } from '../src/store/chains/chains.ts';
import { loadReadStates } from '../src/store/sources/readState.ts';
import type { Store } from '../src/store/store.ts';
import { withDatabase } from './database.ts';
import { FINE_CHAIN, indexUndisturbed, type Reference } from './faultRun.ts';
import { liveAt } from './indexing.ts';
import { ARCHIVE } from './providers.ts';
import { readRows } from './tableRows.ts';
import { type ServedWorld, serveWorld } from './world.ts';

const [BASE, ARBITRUM] = [8453, 42161] as const;
const FAMILY = 'svcusd';
const BLOCK_SECONDS = 400;
/** More blocks than the expected interval is computed from. Afterwards, a pause of twice `BLOCK_SECONDS` is normal. */
const REGULAR_BLOCKS = 70;
const SETTLED = [
  ...['history', 'movement', 'position', 'share_price', 'pool', 'price'],
  ...['tick', 'tick_rollup'],
];

describe('a stalled chain', () => {
  let served: ServedWorld;
  let undisturbed: Reference;
  let clock: number;
  beforeEach(async () => {
    served = await serveWorld({ seed: 'stall' });
    for (let i = 0; i < REGULAR_BLOCKS; i++) await move(BASE, ARBITRUM);
    undisturbed = await indexUndisturbed(served);
    clock = newest();
  });
  afterEach(async () => {
    await undisturbed?.drop();
    await served?.close();
  });

  const tipOf = (chainId: number) => served.world.chain(chainId).chain.tip;
  const newest = () => Math.max(...[BASE, ARBITRUM].map((chainId) => tipOf(chainId).time));

  async function move(...chainIds: readonly number[]): Promise<void> {
    for (const chainId of chainIds) {
      await step(served.world, chainId, tipOf(chainId).time + BLOCK_SECONDS);
    }
  }

  test('behavior: delays no family, is reported, and is caught up later', async () => {
    await withDatabase('postgres', async (database) => {
      const store = await database.open();
      let running = start(store, served);
      await running.until(liveAt(served.heads()));

      // A pause of this length is still normal.
      clock = newest() + 2 * BLOCK_SECONDS;
      await running.looked(ARBITRUM);
      expect((await rowOf(store, ARBITRUM)).state).toBe('live');

      clock++;
      const text = `the chain has produced no block since ${tipOf(ARBITRUM).number} (`;
      const stands = async () => {
        const row = await rowOf(store, ARBITRUM);
        return row.state === 'unreachable' && row.error!.startsWith(text);
      };
      await running.until(stands);
      expect((await loadReadStates(store, new Map(), 0)).stateOf(FAMILY, ARBITRUM)).toBe(
        'unreachable',
      );

      const before = await ticksOf(store);
      for (let i = 0; i < 4; i++) {
        await move(BASE);
        clock = Math.max(clock, newest());
        await running.until(liveAt(new Map([[BASE, tipOf(BASE).number]])));
      }
      const during = await ticksOf(store);
      expect(during.length).toBeGreaterThan(before.length + 3);

      // After a restart, the chain is still treated as stalled, and no family waits for it.
      await running.stop();
      running = start(store, served);
      await move(BASE);
      await running.until(liveAt(new Map([[BASE, tipOf(BASE).number]])));
      await running.until(async () => (await ticksOf(store)).length > during.length);
      await running.until(stands);

      for (let i = 0; i < 5; i++) await move(ARBITRUM);
      clock = newest();
      await running.until(liveAt(served.heads()));
      expect((await loadReadStates(store, new Map(), 0)).stateOf(FAMILY, ARBITRUM)).toBe('current');
      await undisturbed.catchUp();
      await running.stop();
      const asked = { tables: SETTLED };
      expect(await readRows(store, asked)).toEqual(await undisturbed.rows(asked));
    });
  });

  test('behavior: a node that stays behind is treated the same', async () => {
    const rpc = await serveProvider({ profile: ARCHIVE, target: served.urlOf(ARBITRUM) });
    await withDatabase('postgres', async (database) => {
      const store = await database.open();
      const running = start(store, served, { [ARBITRUM]: [rpc.url] });
      await running.until(liveAt(served.heads()));
      rpc.control.setLag(3);
      const behind = (state: ChainRow['state']) => async () => {
        const row = await rowOf(store, ARBITRUM);
        return row.state === state && /^rpc 1 is behind block/.test(row.error ?? '');
      };
      await running.until(behind('syncing'));
      clock += 3 * BLOCK_SECONDS;
      await running.until(behind('unreachable'));
      rpc.control.setLag(0);
      await move(ARBITRUM);
      await running.until(liveAt(new Map([[ARBITRUM, tipOf(ARBITRUM).number]])));
      await running.stop();
    }).finally(() => rpc.close());
  });

  /** Starts an indexer that uses the test's clock. */
  function start(store: Store, world: ServedWorld, rpc?: Record<number, string[]>) {
    const stopping = new AbortController();
    const log = { info() {}, warn() {}, error() {} };
    const config = world.config({ chain: FINE_CHAIN, ...(rpc && { rpc }) });
    const indexer = createIndexer({ config, store, log, now: () => clock });
    const done = indexer.run(stopping.signal);
    async function until(is: (rows: readonly ChainRow[]) => boolean | Promise<boolean>) {
      const end = performance.now() + 30_000;
      for (;;) {
        const rows = await chains.getAll(store);
        if (await is(rows)) return;
        if (performance.now() > end) {
          throw new Error(`still not there at ${clock}: ${JSON.stringify(rows)}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
    return {
      until,
      /** Waits until an idle chain was polled at the current test clock, which writes its row. */
      looked: (chainId: number) =>
        until((rows) => rows.find((row) => row.chainId === chainId)!.updatedAt === clock),
      async stop() {
        stopping.abort();
        await done;
      },
    };
  }
});

async function rowOf(store: Store, chainId: number): Promise<ChainRow> {
  return (await chains.getAll(store)).find((row) => row.chainId === chainId)!;
}

async function ticksOf(store: Store): Promise<readonly string[]> {
  return (await readRows(store, { tables: ['tick'] })).tick!;
}
