import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom, mineBlocks, reorganise } from '../../../test/activity.ts';
import { describeEachEngine } from '../../../test/database.ts';
import { liveAt, startIndexing } from '../../../test/indexing.ts';
import { type ServedWorld, serveWorld } from '../../../test/world.ts';
import { blocks } from '../../store/blocks/blocks.ts';
import { statement } from '../../store/store.ts';
import { loadCursorKey } from './cursor.ts';
import { historyRoutes } from './history.ts';

const SEED = Number(process.env.ASSAY_SEED ?? 20_260_801);
const CHANGES = process.env.ASSAY_LONG === '1' ? 100 : 8;
/** How deep a reorganisation goes here; what lies deeper stays. */
const DEPTH = 12;

const settled = statement(
  'test.paging.settled',
  `select tx_hash as "txHash", count(*)::int as count from history
   where block_number <= (select number from unnest($1::bigint[], $2::bigint[]) as s(chain, number) where chain = chain_id)
   group by tx_hash`,
);

let served: ServedWorld;
beforeAll(async () => {
  served = await serveWorld({ seed: `paging ${SEED}` });
  const random = createRandom(SEED);
  for (const { chainId } of served.world.chains)
    await mineBlocks(served.world, chainId, 40, random);
});
afterAll(() => served?.close());

describeEachEngine(`history paging (seed ${SEED})`, (open) => {
  test('behavior: every settled item once while chains grow and are reorganised', async () => {
    const store = await open();
    const config = served.config({ chain: { finality: { depth: 64 } } });
    const random = createRandom(SEED + 1);
    const { chains } = served.world;
    const indexing = startIndexing(store, config);
    try {
      await indexing.until(liveAt(served.heads()));
      const ids = chains.map(({ chainId }) => chainId);
      const numbers = chains.map(({ chain }) => chain.tip.number - DEPTH);
      const rows = await store.query<{ txHash: string; count: number }>(settled, [
        `{${ids}}`,
        `{${numbers}}`,
      ]);
      const wanted = new Map(rows.map(({ txHash, count }) => [txHash, count]));
      const [route] = historyRoutes({ config, store, cursorKey: await loadCursorKey(store) });
      const seen = new Map<string, number>();
      const limit = Math.ceil(rows.length / CHANGES);
      let cursor: string | null = null;
      let pages = 0;
      do {
        const query = new Map([['limit', [`${limit}`]]]);
        if (cursor !== null) query.set('cursor', [cursor]);
        const now = Math.floor(Date.now() / 1000);
        const page = (await route!.answer({ path: {}, query, now })) as Page;
        for (const { transactionHash: hash } of page.items) {
          seen.set(hash, (seen.get(hash) ?? 0) + 1);
        }
        cursor = page.nextCursor;
        pages++;
        await change();
      } while (cursor !== null);
      expect(pages).toBeGreaterThan(3);
      const found = [...wanted.keys()].map((hash) => [hash, seen.get(hash)]);
      expect(found).toEqual([...wanted]);
    } finally {
      await indexing.stop();
    }

    async function change(): Promise<void> {
      const { chainId, chain } = random.pick(chains);
      // Never below what was there at the start.
      await mineBlocks(served.world, chainId, 1 + random.int(3), random);
      const depth = 1 + random.int(3);
      await reorganise(served.world, chainId, { depth, newBlocks: depth + random.int(2) }, random);
      const { hash } = await chain.head();
      await indexing.until(async () => {
        const ring = await blocks.getOfChain(store, chainId);
        return ring.at(-1)?.hash === hash;
      });
    }
  });
});

interface Page {
  readonly items: readonly { readonly transactionHash: string }[];
  readonly nextCursor: string | null;
}
