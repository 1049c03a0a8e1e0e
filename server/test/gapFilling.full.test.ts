import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gaps } from '../src/store/gaps/gaps.ts';
import type { Store } from '../src/store/store.ts';
import { useDatabase } from './database.ts';
import { FINE_CHAIN, indexUndisturbed, type Reference } from './faultRun.ts';
import { createFaultyRpc, type FaultyRpc } from './faultyRpc.ts';
import { type Indexing, liveAt, startIndexing } from './indexing.ts';
import { readRows } from './tableRows.ts';
import { type ServedWorld, serveWorld } from './world.ts';

const [BASE, ARBITRUM] = [8453, 42161] as const;
const KEPT = 30;

let served: ServedWorld;
let undisturbed: Reference;
beforeAll(async () => {
  served = await serveWorld({ seed: 'gaps' });
  undisturbed = await indexUndisturbed(served);
});
afterAll(async () => {
  await undisturbed?.drop();
  await served?.close();
});

describe('a node without an archive', () => {
  const { database } = useDatabase('postgres');

  test('behavior: missing data is a recorded gap, filled once a URL has the data', async () => {
    await withNodes(await database().open(), 1, async ({ store, rpcs, start }) => {
      await rpcs[0]!.mode({ kind: 'pruned', blocks: KEPT });
      const before = start();
      await before.until(liveAt(served.heads()));
      const found = await gaps.getOfChain(store, ARBITRUM);
      const ids = new Set(found.map(({ familyId }) => familyId));
      expect(ids.size).toBeGreaterThan(0);
      expect(found).toHaveLength(ids.size);
      for (const gap of found) {
        expect(gap).toMatchObject({ reason: 'state', initial: true });
        expect(gap.toBlock).toBeGreaterThan(gap.fromBlock);
        expect(gap.toBlock).toBeLessThanOrEqual(served.heads().get(ARBITRUM)!);
      }
      expect(await gaps.getOfChain(store, BASE)).toEqual([]);
      await before.stop();

      await rpcs[0]!.mode({ kind: 'none' });
      const after = start();
      await after.until(async () => (await gaps.getAll(store)).length === 0);
      await after.stop();
      expect(await readRows(store)).toEqual(await undisturbed.rows());
    });
  });
});

describe('an archive URL next to a pruned one', () => {
  const { database } = useDatabase('postgres');

  test('behavior: reads state missing at one URL from the other', async () => {
    await withNodes(await database().open(), 2, async ({ store, rpcs, start }) => {
      await rpcs[0]!.mode({ kind: 'pruned', blocks: KEPT });
      const indexing = start();
      await indexing.until(liveAt(served.heads()));
      await indexing.stop();
      expect(await gaps.getAll(store)).toEqual([]);
      expect(await readRows(store)).toEqual(await undisturbed.rows());
    });
  });
});

describe('an archive URL that is down at first', () => {
  const { database } = useDatabase('postgres');

  test('behavior: its gap is filled automatically', async () => {
    await withNodes(await database().open(), 2, async ({ store, rpcs, start }) => {
      await rpcs[0]!.mode({ kind: 'http500' });
      await rpcs[1]!.mode({ kind: 'pruned', blocks: KEPT });
      const indexing = start();
      await indexing.until(liveAt(served.heads()));
      expect(await gaps.getAll(store)).not.toEqual([]);
      await rpcs[0]!.mode({ kind: 'none' });
      await indexing.until(async () => (await gaps.getAll(store)).length === 0, 120);
      await indexing.stop();
      expect(await readRows(store)).toEqual(await undisturbed.rows());
    });
  });
});

interface Nodes {
  readonly store: Store;
  /** All in front of the same chain. */
  readonly rpcs: readonly FaultyRpc[];
  start(): Indexing;
}

async function withNodes(
  store: Store,
  count: number,
  work: (nodes: Nodes) => Promise<void>,
): Promise<void> {
  const target = served.urlOf(ARBITRUM);
  const rpcs = await Promise.all(Array.from({ length: count }, () => createFaultyRpc({ target })));
  const urls = { [ARBITRUM]: rpcs.map(({ url }) => url) };
  const config = served.config({ chain: FINE_CHAIN, rpc: urls });
  const running: Indexing[] = [];
  const start = () => {
    const indexing = startIndexing(store, config);
    running.push(indexing);
    return indexing;
  };
  try {
    await work({ store, rpcs, start });
  } finally {
    for (const indexing of running) await indexing.stop();
    for (const rpc of rpcs) await rpc.close();
  }
}
