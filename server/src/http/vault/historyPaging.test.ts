import { afterAll, beforeAll, expect, test } from 'vitest';
import { FULL, LONG } from '../../../../scripts/test/extents.mjs';
import { createRandom, mineBlocks, reorg } from '../../../test/activity.ts';
import { describeAnyEngine } from '../../../test/database.ts';
import { liveAt, startIndexing } from '../../../test/indexing.ts';
import { type ServedWorld, serveWorld } from '../../../test/world.ts';
import { blocks } from '../../store/blocks/blocks.ts';
import { HISTORY_TYPE } from '../../store/history/history.ts';
import { statement } from '../../store/store.ts';
import { toJson } from '../jsonText.ts';
import { loadCursorKey } from './cursor.ts';
import { historyRoutes } from './history.ts';

const SEED = Number(process.env.ASSAY_SEED ?? 20_260_801);
const CHANGES = LONG ? 120 : FULL ? 8 : 5;
/** Maximum reorg depth; older blocks stay. */
const DEPTH = 12;

const settled = statement(
  'test.paging.settled',
  `select h.tx_hash as "txHash", f.slug as family, h.type, h.chain_id as "chainId" from history h
   join family f using (family_id)
   where block_number <= (select number from unnest($1::bigint[], $2::bigint[]) as s(chain, number) where chain = chain_id)`,
);

interface Settled {
  readonly txHash: string;
  readonly family: string;
  readonly type: number;
  readonly chainId: number;
}

/** Pages through the history concurrently, each walk with its own filters. */
const WALKS: readonly Walk[] = [
  { filters: {}, holds: () => true },
  { filters: { family: 'svcusd' }, holds: ({ family }) => family === 'svcusd' },
  { filters: { chainId: '8453' }, holds: ({ chainId }) => chainId === 8453 },
  { filters: { type: 'deposit' }, holds: ({ type }) => type === HISTORY_TYPE.deposit },
];

interface Walk {
  readonly filters: Readonly<Record<string, string>>;
  readonly holds: (row: Settled) => boolean;
}

let served: ServedWorld;
beforeAll(async () => {
  served = await serveWorld({ seed: `paging ${SEED}` });
  const random = createRandom(SEED);
  for (const { chainId } of served.world.chains)
    await mineBlocks(served.world, chainId, 40, random);
});
afterAll(() => served?.close());

describeAnyEngine(`history paging (seed ${SEED})`, (open) => {
  test('behavior: returns every settled item once during blocks and reorgs', async () => {
    const store = await open();
    const config = served.config({ chain: { finality: { depth: 64 } } });
    const random = createRandom(SEED + 1);
    const { chains } = served.world;
    const indexing = startIndexing(store, config);
    try {
      await indexing.until(liveAt(served.heads()));
      const ids = chains.map(({ chainId }) => chainId);
      const numbers = chains.map(({ chain }) => chain.tip.number - DEPTH);
      const rows = await store.query<Settled>(settled, [`{${ids}}`, `{${numbers}}`]);
      const [route] = historyRoutes({ config, store, cursorKey: await loadCursorKey(store) });
      const walks = WALKS.map((walk) => ({
        ...walk,
        wanted: countsOf(rows.filter(walk.holds).map(({ txHash }) => txHash)),
        items: [] as Item[],
        cursor: undefined as string | null | undefined,
      }));
      const most = Math.ceil((2 * rows.length) / CHANGES);
      let rounds = 0;
      for (; walks.some(({ cursor }) => cursor !== null); rounds++) {
        for (const walk of walks) {
          if (walk.cursor === null) continue;
          // The limit can change from page to page.
          const asked = { ...walk.filters, limit: `${1 + random.int(most)}` };
          const query = new Map(Object.entries(asked).map(([name, value]) => [name, [value]]));
          if (walk.cursor !== undefined) query.set('cursor', [walk.cursor]);
          const now = Math.floor(Date.now() / 1000);
          const page: Page = JSON.parse(toJson(await route!.answer({ path: {}, query, now })));
          walk.items.push(...page.items);
          walk.cursor = page.nextCursor;
        }
        if (rounds < CHANGES) await change();
      }
      expect(rounds).toBeGreaterThan(CHANGES / 4);
      for (const { filters, wanted, items } of walks) {
        const where = JSON.stringify(filters);
        expect(wanted.size, where).toBeGreaterThan(0);
        const seen = countsOf(items.map(({ transactionHash }) => transactionHash));
        const found = [...wanted.keys()].map((hash) => [hash, seen.get(hash)]);
        expect(found, where).toEqual([...wanted]);
        // All pages together are in one order, regardless of rows added in between.
        const times = items.map(({ blockTimestamp }) => blockTimestamp);
        expect(times, where).toEqual([...times].sort((a, b) => b - a));
      }
    } finally {
      await indexing.stop();
    }

    async function change(): Promise<void> {
      const { chainId, chain } = random.pick(chains);
      // Never deeper than the chain's length at the start.
      await mineBlocks(served.world, chainId, 1 + random.int(3), random);
      const depth = 1 + random.int(3);
      await reorg(served.world, chainId, { depth, newBlocks: depth + random.int(2) }, random);
      const { hash } = await chain.head();
      await indexing.until(async () => {
        const ring = await blocks.getOfChain(store, chainId);
        return ring.at(-1)?.hash === hash;
      });
    }
  }, 600_000);
});

function countsOf(hashes: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const hash of hashes) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  return counts;
}

interface Item {
  readonly transactionHash: string;
  readonly blockTimestamp: number;
}

interface Page {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}
