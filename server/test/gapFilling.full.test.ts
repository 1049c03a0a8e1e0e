import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Provider, serveProvider } from '../../devnet/src/index.ts';
import { gaps } from '../src/store/gaps/gaps.ts';
import type { Store } from '../src/store/store.ts';
import { createDatabase, useDatabase } from './database.ts';
import { FINE_CHAIN, indexUndisturbed, type Reference } from './faultRun.ts';
import { type Indexing, liveAt, startIndexing } from './indexing.ts';
import { ARCHIVE } from './providers.ts';
import { createTimedVaults, DEPTH, TIMED_CHAIN } from './shapes/timedVaults.ts';
import { readRows } from './tableRows.ts';
import { type ServedWorld, serveWorld } from './world.ts';

const [BASE, ARBITRUM] = [8453, 42161] as const;
/** Less than `DEPTH`: blocks that are not final lack their state, too. */
const STATE = 5;
const KEPT = 30;
/** As of a node without an archive. */
const PRUNED = { state: KEPT, logs: Number.POSITIVE_INFINITY };

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
    await withNodes(await database().open(), 1, async ({ store, nodes, start }) => {
      nodes[0]!.control.setDepth(PRUNED);
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

      nodes[0]!.control.setDepth(null);
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
    await withNodes(await database().open(), 2, async ({ store, nodes, start }) => {
      nodes[0]!.control.setDepth(PRUNED);
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
    await withNodes(await database().open(), 2, async ({ store, nodes, start }) => {
      await nodes[0]!.control.down(true);
      nodes[1]!.control.setDepth(PRUNED);
      const indexing = start();
      await indexing.until(liveAt(served.heads()));
      expect(await gaps.getAll(store)).not.toEqual([]);
      await nodes[0]!.control.down(false);
      await indexing.until(async () => (await gaps.getAll(store)).length === 0, 120);
      await indexing.stop();
      expect(await readRows(store)).toEqual(await undisturbed.rows());
    });
  });
});

describe.each(['erc4626', 'erc7540'] as const)('a gap of a family of kind %s', (adapter) => {
  const { database } = useDatabase('postgres');

  test('behavior: prices and queues at its events are filled as well', async () => {
    const vaults = await createTimedVaults();
    const whole = await createDatabase('postgres');
    const node = await serveProvider({ profile: ARCHIVE, target: vaults.url });
    const running: Indexing[] = [];
    const index = (store: Store, rpc: readonly string[]) => {
      const { families, ...config } = vaults.config({ rpc });
      const own = families.filter((family) => family.adapter === adapter);
      const indexing = startIndexing(store, { ...config, families: own });
      running.push(indexing);
      return indexing;
    };
    try {
      const perfect = await whole.open();
      const undisturbed = index(perfect, [vaults.url]);
      await undisturbed.until(liveAt(vaults.heads()));
      const store = await database().open();
      // Less than what is not final, so the gap ends above the finalized block.
      node.control.setDepth({ ...PRUNED, state: STATE });
      const first = index(store, [node.url]);
      await first.until(liveAt(vaults.heads()));
      await first.stop();
      const [gap, ...others] = await gaps.getOfChain(store, TIMED_CHAIN);
      expect(gap).toMatchObject({ reason: 'state', initial: true });
      expect(others).toEqual([]);
      // Otherwise nothing would be left to fill.
      expect(await readRows(store)).not.toEqual(await readRows(perfect));

      node.control.setDepth(null);
      const second = index(store, [node.url]);
      const head = vaults.heads().get(TIMED_CHAIN)!;
      await second.until(async () =>
        (await gaps.getAll(store)).every(({ fromBlock }) => fromBlock > head - DEPTH),
      );
      // The gap is final before the blocks after it, whose queue follows from what is in the gap.
      await vaults.mine(DEPTH - STATE);
      await second.until(async () =>
        (await gaps.getAll(store)).every(({ toBlock }) => toBlock >= head),
      );
      await vaults.mine(STATE);
      await second.until(async (rows) => {
        return (await gaps.getAll(store)).length === 0 && liveAt(vaults.heads())(rows);
      });
      await undisturbed.until(liveAt(vaults.heads()));
      await second.stop();
      expect(await readRows(store)).toEqual(await readRows(perfect));
    } finally {
      for (const indexing of running) await indexing.stop();
      await node.close();
      await whole.drop();
      await vaults.close();
    }
  });
});

interface Nodes {
  readonly store: Store;
  /** All in front of the same chain. */
  readonly nodes: readonly Provider[];
  start(): Indexing;
}

async function withNodes(
  store: Store,
  count: number,
  work: (nodes: Nodes) => Promise<void>,
): Promise<void> {
  const target = served.urlOf(ARBITRUM);
  const nodes = await Promise.all(
    Array.from({ length: count }, () => serveProvider({ profile: ARCHIVE, target })),
  );
  const urls = { [ARBITRUM]: nodes.map(({ url }) => url) };
  const config = served.config({ chain: FINE_CHAIN, rpc: urls });
  const running: Indexing[] = [];
  const start = () => {
    const indexing = startIndexing(store, config);
    running.push(indexing);
    return indexing;
  };
  try {
    await work({ store, nodes, start });
  } finally {
    for (const indexing of running) await indexing.stop();
    for (const node of nodes) await node.close();
  }
}
