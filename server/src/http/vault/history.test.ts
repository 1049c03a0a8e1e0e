import { Check } from 'typebox/schema';
import { getAddress } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeAnyEngine } from '../../../test/database.ts';
import { liveAt, startIndexing } from '../../../test/indexing.ts';
import { type ServedWorld, serveWorld } from '../../../test/world.ts';
import type { Config } from '../../config/config.ts';
import type { Address, Hex } from '../../domain/hex.ts';
import { DAY } from '../../domain/time.ts';
import { chainProgress } from '../../store/chains/progress.ts';
import { type Store, statement } from '../../store/store.ts';
import { toJson } from '../jsonText.ts';
import { BadParameters, NotFound } from '../problem.ts';
import { loadCursorKey } from './cursor.ts';
import { historyRoutes } from './history.ts';

const NOW = 2_000_000_000;

interface Item {
  readonly id: string;
  readonly type: string;
  readonly chainId: number;
  readonly vaultAddress: string;
  readonly user: string;
  readonly assets: string | null;
  readonly shares: string;
  readonly transactionHash: string;
  readonly blockTimestamp: number;
  readonly blockNumber: number;
  readonly logIndex: number;
}

interface Page {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
  readonly incompleteChains: readonly object[];
}

/** A row with its family, in an order that no index has. */
interface Row {
  readonly slug: string;
  readonly time: number;
  readonly chainId: number;
  readonly number: number;
  readonly log: number;
  readonly type: number;
  readonly wallet: Address;
  readonly assets: bigint | null;
  readonly shares: bigint;
  readonly usd: number | null;
  readonly txHash: Hex;
}
const everything = statement(
  'test.history.everything',
  `select f.slug, h.block_time as time, h.chain_id as "chainId", h.block_number as number, h.log_index as log, h.type,
     h.wallet, h.assets, h.shares, h.usd, h.tx_hash as "txHash" from history h join family f using (family_id)`,
);
/** Makes the indexer count as running at the time of the tests. */
const markUpdated = statement('test.markUpdated', 'update chain set updated_at = $1');
const enlarge = statement(
  'test.history.enlarge',
  'update history set usd = 250000 where type = 1 and log_index % 2 = 0',
);
/** As for a vault whose requests name only shares, before its first price. */
const forgetAssets = statement(
  'test.history.forgetAssets',
  'update history set assets = null where type = 3 and block_number % 2 = 0',
);

async function newestFirst(store: Store): Promise<Row[]> {
  const rows = await store.query<Row>(everything);
  return rows.sort(
    (a, b) => b.time - a.time || b.chainId - a.chainId || b.number - a.number || b.log - a.log,
  );
}

function itemOf(row: Row, { families }: Config): Item {
  return {
    id: `${row.chainId}-${row.number}-${row.log}`,
    type: ['', 'deposit', 'withdraw', 'redeem', 'cancel'][row.type]!,
    chainId: row.chainId,
    vaultAddress: getAddress(
      families
        .find(({ slug }) => slug === row.slug)!
        .chains.find(({ chainId }) => chainId === row.chainId)!.address,
    ),
    user: getAddress(row.wallet),
    assets: row.assets?.toString() ?? null,
    shares: row.shares.toString(),
    transactionHash: row.txHash,
    blockTimestamp: row.time,
    blockNumber: row.number,
    logIndex: row.log,
  };
}

type Query = Readonly<Record<string, string | number | undefined>>;

async function createAsk(store: Store, config: Config) {
  const [route] = historyRoutes({ config, store, cursorKey: await loadCursorKey(store) });
  // Each request is a second later, so no cached state is used.
  let now = NOW;
  async function ask(query: Query, at = now++): Promise<Page> {
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const values = new Map(given.map(([name, value]) => [name, [`${value}`]]));
    const page: Page = JSON.parse(
      toJson(await route!.answer({ path: {}, query: values, now: at })),
    );
    expect(Check(route!.response, page)).toBe(true);
    return page;
  }
  async function askAll(query: Query, at?: () => number): Promise<Item[]> {
    const items: Item[] = [];
    let cursor: string | undefined;
    do {
      const page = await ask({ ...query, cursor }, at?.());
      items.push(...page.items);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    return items;
  }
  return { ask, askAll };
}

let served: ServedWorld;
beforeAll(async () => {
  served = await serveWorld({ seed: 'history' });
});
afterAll(() => served?.close());

describeAnyEngine('history', (open) => {
  let store: Store;
  let config: Config;
  let rows: Row[];
  let ask: Awaited<ReturnType<typeof createAsk>>['ask'];
  let askAll: Awaited<ReturnType<typeof createAsk>>['askAll'];

  beforeAll(async () => {
    store = await open();
    config = served.config();
    const indexing = startIndexing(store, config);
    await indexing.until(liveAt(served.heads()));
    await indexing.stop();
    await store.query(enlarge);
    await store.query(forgetAssets);
    await store.query(markUpdated, [NOW + 600]);
    rows = await newestFirst(store);
    ({ ask, askAll } = await createAsk(store, config));
  });

  test('default', async () => {
    const page = await ask({});
    expect(rows.length).toBeGreaterThan(20);
    expect(page.items).toEqual(rows.slice(0, 20).map((row) => itemOf(row, config)));
    expect(rows.some(({ assets }) => assets === null)).toBe(true);
    expect(page.nextCursor).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(page.incompleteChains).toEqual([]);
  });

  test('behavior: filters alone and combined, over all pages', async () => {
    const family = rows[0]!.slug;
    const user = rows[Math.floor(rows.length / 2)]!.wallet;
    const chainId = rows.at(-1)!.chainId;
    const hash =
      rows.find(({ wallet, type }) => wallet === user && type === 2)?.txHash ?? rows[0]!.txHash;
    const picks: Record<string, [Query, (row: Row) => boolean]> = {
      family: [{ family }, (row) => row.slug === family],
      user: [{ user: getAddress(user) }, (row) => row.wallet === user],
      chainId: [{ chainId }, (row) => row.chainId === chainId],
      type: [{ type: 'withdraw' }, (row) => row.type === 2],
      // Uppercase works too.
      hash: [
        { transactionHash: hash.toUpperCase().replace('0X', '0x') },
        ({ txHash }) => txHash === hash,
      ],
    };
    const names = Object.keys(picks);
    for (let mask = 0; mask < 2 ** names.length; mask++) {
      const chosen = names.filter((_, i) => mask & (1 << i)).map((name) => picks[name]!);
      const query = Object.assign({ limit: 7 }, ...chosen.map(([one]) => one)) as Query;
      const wanted = rows.filter((row) => chosen.every(([, matches]) => matches(row)));
      expect(await askAll(query), JSON.stringify(query)).toEqual(
        wanted.map((row) => itemOf(row, config)),
      );
    }
  });

  test('behavior: large deposits', async () => {
    const { slug, wallet } = rows.find(({ type, usd }) => type === 1 && usd === 250_000)!;
    const large = rows.filter(
      (row) => row.slug === slug && row.type === 1 && (row.usd ?? 0) >= 1e5,
    );
    const query = { type: 'large-deposit', family: slug, limit: 3 };
    expect(await askAll(query)).toEqual(large.map((row) => itemOf(row, config)));
    const own = large.filter((row) => row.wallet === wallet);
    expect(await askAll({ ...query, user: wallet })).toEqual(own.map((row) => itemOf(row, config)));
    expect(own.length).toBeGreaterThan(0);
  });

  test('behavior: the first page fixes a relative period', async () => {
    const newest = rows[0]!.time;
    for (const [period, days] of [
      ['1d', 1],
      ['7d', 7],
      ['30d', 30],
    ] as const) {
      let now = newest + 100;
      const since = now - days * DAY;
      const wanted = rows.filter((row) => row.time > since);
      const found = await askAll({ period, limit: 4 }, () => {
        now += 600;
        return now - 600;
      });
      expect(found).toEqual(wanted.map((row) => itemOf(row, config)));
    }
    expect((await ask({ period: '1d' }, newest + DAY)).items).toEqual([]);
  });

  test('behavior: the limit may change between pages, and a page that ends exactly is the last', async () => {
    const first = await ask({ limit: 3 });
    const second = await ask({ limit: 500, cursor: first.nextCursor! });
    expect([...first.items, ...second.items]).toEqual(
      rows.slice(0, 503).map((row) => itemOf(row, config)),
    );
    const { slug } = rows[0]!;
    const count = rows.filter(
      (row) => row.slug === slug && row.chainId === rows[0]!.chainId,
    ).length;
    const query = { family: slug, chainId: rows[0]!.chainId };
    expect((await ask({ ...query, limit: count })).nextCursor).toBeNull();
    expect((await ask({ ...query, limit: count - 1 })).nextCursor).not.toBeNull();
  });

  test('behavior: a chain without the family', async () => {
    const nothing = { items: [], nextCursor: null, incompleteChains: [] };
    expect(await ask({ chainId: 999_999 })).toEqual(nothing);
    expect(await ask({ chainId: 999_999_999_999_999, family: rows[0]!.slug })).toEqual(nothing);
  });

  test('behavior: items of removed configurations are not shown', async () => {
    const [{ slug, chainId }] = rows as [Row];
    const families = config.families.map((family) => ({
      ...family,
      chains: family.chains.filter((chain) => family.slug !== slug || chain.chainId !== chainId),
    }));
    const other = await createAsk(store, { ...config, families });
    const wanted = rows.filter((row) => row.slug !== slug || row.chainId !== chainId);
    const found = await other.askAll({ limit: 500 });
    expect(found).toEqual(wanted.map((row) => itemOf(row, config)));
  });

  test('behavior: chains that could not be read in full', async () => {
    const [first, second] = config.chains as [Config['chains'][0], Config['chains'][0]];
    const onChain = (chainId: number) =>
      config.families.filter(({ chains }) => chains.some((chain) => chain.chainId === chainId));
    const said = (chainId: number, reason: string) =>
      onChain(chainId).map(({ slug }) => ({ family: slug, chainId, reason }));
    const chains = config.chains.map((chain) =>
      chain.chainId === first.chainId ? { ...chain, rpcUrls: [] } : chain,
    );
    const unconfigured = await createAsk(store, { ...config, chains });
    const page = await unconfigured.ask({ limit: 500 });
    expect(page.incompleteChains).toEqual(said(first.chainId, 'unconfigured'));
    // Indexed rows are still served.
    expect(page.items.some(({ chainId }) => chainId === first.chainId)).toBe(true);
    const elsewhere = await unconfigured.ask({ chainId: second.chainId });
    expect(elsewhere.incompleteChains).toEqual([]);

    await inTransaction(store, async (tx) => {
      await chainProgress.unreachable(tx, second.chainId, 'no answer', NOW);
      const { incompleteChains } = await (await createAsk(tx, config)).ask({});
      expect(incompleteChains).toEqual(said(second.chainId, 'unreachable'));
    });
    await inTransaction(store, async (tx) => {
      // Marked as live by an indexer that no longer runs.
      await tx.query(statement(`test.silent.${store.engine}`, SILENT), [second.chainId, NOW - 301]);
      const { incompleteChains } = await (await createAsk(tx, config)).ask({});
      expect(incompleteChains).toEqual(said(second.chainId, 'unreachable'));
    });
    await inTransaction(store, async (tx) => {
      await tx.query(statement(`test.behind.${store.engine}`, BEHIND), [second.chainId]);
      const { incompleteChains } = await (await createAsk(tx, config)).ask({});
      expect(incompleteChains).toEqual(said(second.chainId, 'syncing').slice(0, 1));
    });
    await inTransaction(store, async (tx) => {
      await tx.query(statement(`test.syncing.${store.engine}`, SYNCING), [second.chainId]);
      const asked = await createAsk(tx, config);
      const { slug } = onChain(second.chainId)[0]!;
      expect((await asked.ask({})).incompleteChains).toEqual(said(second.chainId, 'syncing'));
      const narrowed = await asked.ask({ family: slug, chainId: second.chainId });
      expect(narrowed.incompleteChains).toEqual([
        { family: slug, chainId: second.chainId, reason: 'syncing' },
      ]);
    });
  });

  test('behavior: an empty store', async () => {
    await inTransaction(store, async (tx) => {
      await tx.query(
        statement(`test.forget.${store.engine}`, "update family set slug = slug || '-old'"),
      );
      const page = await (await createAsk(tx, config)).ask({});
      const all = config.families.flatMap(({ slug, chains }) =>
        chains.map(({ chainId }) => ({ family: slug, chainId, reason: 'syncing' })),
      );
      expect(page).toEqual({ items: [], nextCursor: null, incompleteChains: all });
    });
  });

  test('error: parameters', async () => {
    const { slug } = rows[0]!;
    const { nextCursor } = await ask({ family: slug, limit: 1 });
    const bad: Query[] = [
      { type: 'large-deposit' },
      { type: 'transfer' },
      { period: '2d' },
      { chainId: '0x1' },
      { chainId: 0 },
      { user: '0x123' },
      { transactionHash: `0x${'1'.repeat(63)}` },
      { transactionHash: rows[0]!.txHash.slice(2) },
      ...['0', '501', '1.5', '1e3', '-1', ''].map((limit) => ({ limit })),
      { cursor: '' },
      { cursor: 'anything' },
      { cursor: nextCursor!, family: slug, type: 'deposit' },
      { cursor: nextCursor!, family: slug, period: '7d' },
      { cursor: nextCursor!, family: slug, chainId: rows[0]!.chainId },
      { cursor: nextCursor!, family: slug, user: rows[0]!.wallet },
      { cursor: nextCursor!, family: config.families.find((one) => one.slug !== slug)!.slug },
      { cursor: nextCursor! },
      { cursor: `${nextCursor!}A`, family: slug },
      { cursor: nextCursor!.slice(0, -1), family: slug },
    ];
    for (const query of bad) {
      await expect(ask(query), JSON.stringify(query)).rejects.toThrow(BadParameters);
    }
    await expect(ask({ family: 'unknown' })).rejects.toThrow(NotFound);
    expect((await ask({ family: slug, cursor: nextCursor! })).items.length).toBeGreaterThan(0);
  });
});

const BEHIND = `update source set indexed_block = indexed_block - 1 where chain_id = $1 and family_id =
  (select family_id from source where chain_id = $1 order by family_id limit 1)`;
const SILENT = 'update chain set updated_at = $2 where chain_id = $1';
const SYNCING = `update chain set state = 'syncing' where chain_id = $1`;

class Undone extends Error {}

/** Leaves the store unchanged. */
async function inTransaction(store: Store, work: (tx: Store) => Promise<void>): Promise<void> {
  const done = store.transaction(async (tx) => {
    await work({ ...store, query: tx.query, reads: tx });
    throw new Undone();
  });
  await expect(done).rejects.toThrow(Undone);
}
