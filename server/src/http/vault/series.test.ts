import { Check } from 'typebox/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FULL } from '../../../../scripts/test/extents.mjs';
import { describeAnyEngine } from '../../../test/database.ts';
import { liveAt, startIndexing } from '../../../test/indexing.ts';
import { type ServedWorld, serveWorld } from '../../../test/world.ts';
import type { Config } from '../../config/config.ts';
import { bucketOf, DAY, HOUR, toIso } from '../../domain/time.ts';
import { MAX_MOVEMENTS } from '../../store/movements/accounting.ts';
import { type Store, statement } from '../../store/store.ts';
import { bytes } from '../../store/wire.ts';
import { BadParameters, NotFound } from '../problem.ts';
import type { Route } from '../route.ts';
import { exitsRoute } from './exits.ts';
import { holdersRoute } from './holders.ts';
import { ledgerRoute } from './ledger.ts';
import { movementsRoute } from './movements.ts';
import { performanceRoutes } from './performance.ts';
import { seriesRoutes } from './series.ts';
import { snapshotRoutes } from './snapshot.ts';

interface TickRow {
  readonly at: number;
  readonly tvl: bigint | null;
  readonly usd: number | null;
  readonly apy: number | null;
  readonly price: bigint | null;
  readonly idle: bigint | null;
  readonly invested: bigint;
  readonly exits: bigint;
  readonly owed: bigint;
}

const everyTick = statement(
  'test.series.everyTick',
  `select at, tvl, usd, apy_7d as apy, assets_per_share as price, idle, invested,
     pending_exits as exits, pending_redemption_assets as owed from tick
   where family_id = (select family_id from family where slug = $1) order by at`,
);

const everyWallet = statement(
  'test.series.everyWallet',
  'select distinct wallet from movement order by wallet',
);

/** Deposits of one share each, one per second, the last of them in the future of the chains. */
const manyDeposits = statement(
  'test.series.manyDeposits',
  `insert into movement (family_id, wallet, block_time, chain_id, block_number, log_index, part, kind, shares, assets, tx_hash)
   select f.family_id, $2::bytea, n, v.chain_id, n, 0, 0, 1, 1, n, '\\x'
   from family f join vault v using (family_id), generate_series($3::bigint, $4::bigint) n
   where f.slug = $1 and v.chain_id = $5`,
);
const noDeposits = statement(
  'test.series.noDeposits',
  'delete from movement where wallet = $1::bytea',
);

const foldedUntil = statement(
  'test.series.foldedUntil',
  'select position_until as "until" from family where slug = $1',
);

/** The expected values of each route for a tick; undefined: no point. */
const PRESENTED: Record<string, (row: TickRow) => object | undefined> = {
  apy: ({ at, apy }) => (apy === null ? undefined : { at: toIso(at), value: apy }),
  tvl: ({ at, tvl, usd }) =>
    tvl === null ? undefined : { at: toIso(at), value: tvl.toString(), usd },
  'share-price': ({ at, price }) =>
    price === null ? undefined : { at: toIso(at), value: price.toString() },
  split: ({ at, idle, invested, exits, owed }) =>
    idle === null
      ? undefined
      : {
          at: toIso(at),
          idle: `${idle}`,
          invested: `${invested}`,
          pendingExits: `${exits}`,
          pendingRedemptionAssets: `${owed}`,
        },
};

let served: ServedWorld;
beforeAll(async () => {
  served = await serveWorld({ seed: 'series' });
});
afterAll(() => served?.close());

/** Just after the newest tick, because the chains have their own clock. */
function nowOf(ticks: readonly TickRow[]): number {
  return ticks.at(-1)!.at + HOUR;
}

/** Calls a contract. */
async function call(chainId: number, to: string, data: string): Promise<bigint> {
  return BigInt((await rpc(chainId, 'eth_call', [{ to, data }, 'latest'])) as string);
}

async function rpc(chainId: number, method: string, params: unknown[]): Promise<unknown> {
  const response = await fetch(served.urlOf(chainId), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params,
    }),
  });
  return ((await response.json()) as { result: unknown }).result;
}

describeAnyEngine('series', (open) => {
  let store: Store;
  let config: Config;
  let slug: string;
  let ticks: TickRow[];
  let routes: Route[];

  beforeAll(async () => {
    store = await open();
    config = served.config();
    slug = config.families[0]!.slug;
    const indexing = startIndexing(store, config);
    await indexing.until(liveAt(served.heads()));
    await indexing.stop();
    ticks = await store.query<TickRow>(everyTick, [slug]);
    routes = seriesRoutes({ config, store });
  });

  async function ask(name: string, query: Record<string, string> = {}, of = slug) {
    const route = routes.find(({ path }) => path.endsWith(`/${name}`))!;
    const values = new Map(Object.entries(query).map(([key, value]) => [key, [value]]));
    const answer = await route.answer({ path: { slug: of }, query: values, now: 0 });
    expect(Check(route.response, answer)).toBe(true);
    return answer as { at: string }[];
  }

  function wanted(name: string, span: number, inside: (at: number) => boolean) {
    const kept = ticks.filter((row) => inside(row.at) && PRESENTED[name]!(row) !== undefined);
    const last = new Map(kept.map((row) => [bucketOf(row.at, span), row]));
    return [...last.values()].map((row) => PRESENTED[name]!(row));
  }

  test.each(Object.keys(PRESENTED))('default: %s', async (name) => {
    const days = await ask(name);
    expect(days.length).toBeGreaterThan(2);
    expect(days).toEqual(wanted(name, DAY, () => true).slice(-1000));
    const hours = await ask(name, { interval: 'hour', limit: '5000' });
    expect(hours).toEqual(wanted(name, HOUR, () => true).slice(-5000));
    const raw = await ask(name, { interval: 'raw', limit: '5000' });
    expect(raw).toEqual(wanted(name, 1, () => true).slice(-5000));
    expect(raw.length).toBeGreaterThan(hours.length / 2);
  });

  test("default: allocation ends with the snapshot's values, also for a feeder", async () => {
    const snapshots = snapshotRoutes({ config, store, cursorKey: '0x07' })[1]!;
    const { feederOf } = config.families.find((family) => family.feederOf !== null)!;
    expect(feederOf).not.toBeNull();
    for (const family of config.families) {
      const snapshot = (await snapshots.answer({
        path: { slug: family.slug },
        query: new Map(),
        now: 0,
      })) as {
        stats: { updatedAt: string; invested: string; pools: Record<string, string | number>[] };
      };
      const points = (await ask('allocation', { interval: 'raw' }, family.slug)) as unknown as {
        at: string;
        pools: { offchainId: string; chainId: number; value: string }[];
      }[];
      const last = points.at(-1)!;
      const { updatedAt, pools, invested } = snapshot.stats;
      expect(last.at).toBe(updatedAt);
      const present = pools.map(({ offchainId, chainId, value }) => ({
        offchainId,
        chainId,
        value,
      }));
      const sorted = present.sort(
        (a, b) => Number(a.chainId) - Number(b.chainId) || (a.offchainId! < b.offchainId! ? -1 : 1),
      );
      expect(last.pools).toEqual(sorted);
      const sum = last.pools.reduce((total, { value }) => total + BigInt(value), 0n);
      expect(`${sum}`).toBe(invested);
      const days = await ask('allocation', {}, family.slug);
      expect(days.map(({ at }) => at)).toEqual(
        (await ask('split', {}, family.slug)).map(({ at }) => at),
      );
    }
  });

  test("default: withdrawable amounts end with the snapshot's values, and start without liquidity", async () => {
    const snapshots = snapshotRoutes({ config, store, cursorKey: '0x07' })[1]!;
    type Chain = { chainId: number; idleAssets: string; availableLiquidity: string | null };
    let withLiquidity = 0;
    for (const family of config.families) {
      const asked = { path: { slug: family.slug }, query: new Map(), now: 0 };
      const { stats } = (await snapshots.answer(asked)) as {
        stats: {
          chains: { chainId: number; idle: string }[];
          pools: { chainId: number; value: string; availableLiquidity: string | null }[];
        };
      };
      const points = (await ask('withdrawable', { interval: 'raw' }, family.slug)) as unknown as {
        at: string;
        chains: Chain[];
      }[];
      const { chains } = points.at(-1)!;
      expect(chains.map(({ chainId, idleAssets }) => [chainId, idleAssets])).toEqual(
        stats.chains.map(({ chainId, idle }) => [chainId, idle]),
      );
      for (const { chainId, availableLiquidity } of chains) {
        const pools = stats.pools.filter((pool) => pool.chainId === chainId);
        if (family.feederOf !== null || pools.length === 0) {
          expect(availableLiquidity).toBeNull();
          continue;
        }
        const sum = pools.reduce((total, { value, availableLiquidity: free }) => {
          const own = BigInt(free ?? 0);
          return total + (own < BigInt(value) ? own : BigInt(value));
        }, 0n);
        if (availableLiquidity !== null) withLiquidity++;
        expect([null, `${sum}`]).toContain(availableLiquidity);
      }
      const idle = (point: { chains: Chain[] }) =>
        point.chains.reduce((total, { idleAssets }) => total + BigInt(idleAssets), 0n);
      const split = (await ask('split', { interval: 'raw' }, family.slug)) as unknown as {
        at: string;
        idle: string;
      }[];
      expect(points.map((point) => [point.at, `${idle(point)}`])).toEqual(
        split.map((point) => [point.at, point.idle]),
      );
      // Backfilled ticks do not have the liquidity of their pools.
      expect(
        points.flatMap((point) => point.chains.map((chain) => chain.availableLiquidity)),
      ).toContain(null);
    }
    expect(withLiquidity).toBeGreaterThan(0);
  });

  test('default: pending shares equal custody holdings, and holders are the wallets with shares', async () => {
    const asked = (of: string) => ({ path: { slug: of }, query: new Map(), now: nowOf(ticks) });
    for (const family of config.families) {
      const exits = exitsRoute({ config, store });
      const reported = (await exits.answer(asked(family.slug))) as {
        paid: { requests: number; medianSeconds: number | null; p90Seconds: number | null };
        waiting: { shares: string };
      };
      expect(Check(exits.response, reported)).toBe(true);
      let held = 0n;
      let supply = 0n;
      for (const { chainId, address } of family.chains) {
        held += await call(chainId, address, `0x70a08231${address.slice(2).padStart(64, '0')}`);
        supply += await call(chainId, address, '0x18160ddd');
      }
      expect(reported.waiting.shares).toBe(`${held}`);
      const { paid } = reported;
      expect(paid.p90Seconds ?? 0).toBeGreaterThanOrEqual(paid.medianSeconds ?? 0);
      const holders = holdersRoute({ config, store });
      const found = (await holders.answer(asked(family.slug))) as {
        holders: number;
        shares: string;
        largest: { shares: string; sharesPct: number; pct: number }[];
        at: string;
      };
      expect(Check(holders.response, found)).toBe(true);
      expect(found.shares).toBe(`${supply}`);
      expect(found.largest.length).toBe(Math.min(10, found.holders));
      expect(found.largest[0]!.sharesPct).toBeGreaterThan(0);
      expect(found.largest[0]!.pct).toBe(found.largest[0]!.sharesPct);
      const [{ until }] = (await store.query<{ until: number }>(foldedUntil, [family.slug])) as [
        { until: number },
      ];
      expect(found.at).toBe(toIso(until));
      const query = new Map([['limit', ['1']]]);
      const first = (await holders.answer({ ...asked(family.slug), query })) as typeof found;
      expect(first).toEqual({ ...found, largest: found.largest.slice(0, 1) });
    }
    for (const route of [exitsRoute({ config, store }), holdersRoute({ config, store })]) {
      await expect(route.answer(asked('unknown'))).rejects.toThrow(NotFound);
    }
  });

  test('behavior: the exits of two halves of a period add up to those of the whole, and the queue is that of its end', async () => {
    const exits = exitsRoute({ config, store });
    const now = nowOf(ticks);
    const of = async (query: Record<string, string>) => {
      const values = new Map(Object.entries(query).map(([key, value]) => [key, [value]]));
      const answer = await exits.answer({ path: { slug }, query: values, now });
      expect(Check(exits.response, answer)).toBe(true);
      return answer as { from: string; to: string; paid: Paid; waiting: { shares: string } };
    };
    type Paid = { requests: number; shares: string };
    const [start, end] = [ticks[0]!.at, ticks.at(-1)!.at];
    const middle = Math.floor((start + end) / 2);
    const whole = await of({ from: toIso(start), to: toIso(end) });
    const first = await of({ from: toIso(start), to: toIso(middle) });
    const second = await of({ from: toIso(middle + 1), to: toIso(end) });
    expect([whole.from, whole.to]).toEqual([toIso(start), toIso(end)]);
    const shares = (part: { paid: Paid }) => BigInt(part.paid.shares);
    expect(shares(first)).toBeGreaterThan(0n);
    expect(shares(second)).toBeGreaterThan(0n);
    expect(shares(first) + shares(second)).toBe(shares(whole));
    const { from, to, ...usual } = await of({});
    expect(await of({ from, to })).toEqual({ from, to, ...usual });
    expect(await of({ to: toIso(now + DAY) })).toEqual({ from, to, ...usual });
    expect((await of({ to: toIso(start - 1) })).waiting.shares).toBe('0');
    for (const query of [
      { from: toIso(now - 367 * DAY) },
      { from: toIso(now + DAY) },
      { from: toIso(end), to: toIso(start) },
      { to: 'yesterday' },
    ] as Record<string, string>[]) {
      await expect(of(query), JSON.stringify(query)).rejects.toThrow(BadParameters);
    }
  });

  test('default: a ledger adds up to the performance', async () => {
    const [wallets, ledger, performance] = [
      await store.query<{ wallet: string }>(everyWallet),
      ledgerRoute({ config, store }),
      performanceRoutes({ config, store })[0]!,
    ];
    expect(wallets.length).toBeGreaterThan(2);
    for (const { wallet } of wallets.slice(0, 40)) {
      const asked = { path: { walletAddress: wallet }, query: new Map(), now: nowOf(ticks) };
      const entries = (await ledger.answer(asked)) as Record<string, string | null>[];
      expect(Check(ledger.response, entries)).toBe(true);
      const { families } = (await performance.answer(asked)) as {
        families: { family: string; costBasis: string; realized: string }[];
      };
      for (const { family, costBasis, realized } of families) {
        const own = entries.filter((entry) => entry.family === family);
        const sum = (name: string) =>
          own.reduce((total, entry) => total + BigInt(entry[name] ?? 0), 0n).toString();
        expect([sum('cost'), sum('result')]).toEqual([costBasis, realized]);
        const paid = own.filter(({ type }) => type === 'deposit' || type === 'exit');
        expect(paid.filter(({ transactionHash }) => transactionHash === null)).toEqual([]);
      }
    }
  });

  test.runIf(FULL)(
    'behavior: pages of many movements have the costs of the complete list; too many are rejected',
    async () => {
      const route = movementsRoute({ config, store, cursorKey: '0x07' });
      const walletAddress = `0x${'5e'.repeat(20)}`;
      const chainId = config.families[0]!.chains[0]!.chainId;
      const wallet = bytes(walletAddress);
      type Page = { items: Record<string, string>[]; nextCursor: string | null };
      const of = async (query: Record<string, string>) => {
        const values = new Map(Object.entries(query).map(([key, value]) => [key, [value]]));
        const request = { path: { walletAddress }, query: values, now: nowOf(ticks) };
        return (await route.answer(request)) as Page;
      };
      await store.query(manyDeposits, [slug, wallet, 1, MAX_MOVEMENTS, chainId]);
      const first = await of({ limit: '2' });
      expect(first.items.map(({ cost }) => cost)).toEqual([
        `${MAX_MOVEMENTS}`,
        `${MAX_MOVEMENTS - 1}`,
      ]);
      const second = await of({ limit: '2', cursor: first.nextCursor! });
      expect(second.items.map(({ cost }) => cost)).toEqual([
        `${MAX_MOVEMENTS - 2}`,
        `${MAX_MOVEMENTS - 3}`,
      ]);
      await store.query(manyDeposits, [
        slug,
        wallet,
        MAX_MOVEMENTS + 1,
        MAX_MOVEMENTS + 1,
        chainId,
      ]);
      await expect(of({})).rejects.toThrow(BadParameters);
      // An older page does not need the newest data.
      const { items } = await of({ limit: '1', cursor: first.nextCursor! });
      expect(items[0]!.cost).toBe(`${MAX_MOVEMENTS - 2}`);
      await store.query(noDeposits, [wallet]);
    },
  );

  test('default: pages of movements are the ledger, newest first, each with its transaction', async () => {
    const route = movementsRoute({ config, store, cursorKey: '0x07' });
    const ledger = ledgerRoute({ config, store });
    const now = nowOf(ticks);
    type Item = Record<string, string | number | null>;
    type Page = { items: Item[]; nextCursor: string | null; incompleteChains: unknown[] };
    const of = async (wallet: string, query: Record<string, string> = {}) => {
      const values = new Map(Object.entries(query).map(([key, value]) => [key, [value]]));
      const page = await route.answer({ path: { walletAddress: wallet }, query: values, now });
      expect(Check(route.response, page)).toBe(true);
      return page as Page;
    };
    const all = async (wallet: string, query: Record<string, string> = {}) => {
      const items: Item[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const asked: Record<string, string> = cursor === '' ? query : { ...query, cursor };
        const page: Page = await of(wallet, { ...asked, limit: '3' });
        expect(page.items.length).toBeLessThanOrEqual(3);
        items.push(...page.items);
        cursor = page.nextCursor;
      }
      return items;
    };
    const wallets = await store.query<{ wallet: string }>(everyWallet);
    const kinds = new Set<unknown>();
    let longest: { wallet: string; items: Item[] } = { wallet: '', items: [] };
    for (const { wallet } of wallets.slice(0, 12)) {
      const items = await all(wallet);
      if (items.length > longest.items.length) longest = { wallet, items };
      expect(items.map(({ blockTimestamp }) => blockTimestamp)).toEqual(
        items.map(({ blockTimestamp }) => blockTimestamp).sort((a, b) => Number(b) - Number(a)),
      );
      expect(new Set(items.map(({ family, id }) => `${family} ${id}`)).size).toBe(items.length);
      const asked = { path: { walletAddress: wallet }, query: new Map(), now };
      const entries = (await ledger.answer(asked)) as Item[];
      const shown = items.map(({ id, blockTimestamp, blockNumber, logIndex, ...item }) => ({
        at: toIso(Number(blockTimestamp)),
        ...item,
        assets: item.assets ?? '0',
        usd: item.type === 'sent' ? undefined : item.usd,
      }));
      const keyOf = (item: object) => JSON.stringify(Object.entries(item).sort());
      const wanted = entries.map((item) =>
        item.type === 'sent' ? { ...item, usd: undefined } : item,
      );
      expect(shown.map(keyOf).sort()).toEqual(wanted.map(keyOf).sort());
      for (const item of items) {
        kinds.add(item.type);
        expect(item.assets === null).toBe(item.type === 'sent');
        const receipt = await rpc(Number(item.chainId), 'eth_getTransactionReceipt', [
          item.transactionHash,
        ]);
        expect(Number((receipt as { blockNumber: string }).blockNumber)).toBe(item.blockNumber);
      }
    }
    expect(kinds).toEqual(new Set(['deposit', 'exit', 'received', 'sent']));
    expect(longest.items.length).toBeGreaterThan(3);
    const { wallet, items } = longest;
    const chainId = Number(items[0]!.chainId);
    expect(await all(wallet, { chainId: `${chainId}` })).toEqual(
      items.filter((item) => item.chainId === chainId),
    );
    expect((await of(wallet)).incompleteChains).toEqual([]);
    const { nextCursor } = await of(wallet, { limit: '1' });
    const other = await of(wallet, { limit: '1', family: `${items[0]!.family}` });
    for (const [query, at] of [
      [{ cursor: 'x' }, wallet],
      [{ cursor: nextCursor!, chainId: '1' }, wallet],
      [{ cursor: nextCursor! }, `0x${'1'.repeat(40)}`],
      [{ limit: '501' }, wallet],
    ] as [Record<string, string>, string][]) {
      await expect(of(at, query), JSON.stringify(query)).rejects.toThrow(BadParameters);
    }
    expect(other.items).toHaveLength(1);
    await expect(of(wallet, { family: 'unknown' })).rejects.toThrow(NotFound);
  });

  test('behavior: both ends are included, in any time format', async () => {
    const from = ticks[Math.floor(ticks.length / 3)]!.at;
    const to = ticks[Math.floor((2 * ticks.length) / 3)]!.at;
    const inside = (at: number) => at >= from && at <= to;
    for (const [interval, span] of [
      ['raw', 1],
      ['hour', HOUR],
      ['day', DAY],
    ] as const) {
      const truth = wanted('tvl', span, inside).slice(-5000);
      const common = { interval, limit: '5000' };
      const east = toIso(from + 2 * HOUR).replace('Z', '+02:00');
      expect(await ask('tvl', { ...common, from: toIso(from), to: toIso(to) })).toEqual(truth);
      expect(await ask('tvl', { ...common, from: east, to: toIso(to) })).toEqual(truth);
    }
    const date = toIso(from).slice(0, 10);
    const sameDay = (at: number) => toIso(at).startsWith(date);
    const day = await ask('tvl', { from: date, to: date, interval: 'raw', limit: '5000' });
    expect(day).toEqual(wanted('tvl', 1, sameDay));
    expect(day.length).toBeGreaterThan(1);
  });

  test('behavior: the newest of the limit, ascending', async () => {
    expect(await ask('tvl', { limit: '2' })).toEqual(wanted('tvl', DAY, () => true).slice(-2));
    expect(await ask('tvl', { limit: '3', interval: 'raw' })).toEqual(
      wanted('tvl', 1, () => true).slice(-3),
    );
  });

  test('behavior: a family that was never read has an empty series', async () => {
    const families = config.families.map((family) => ({ ...family, slug: `new-${family.slug}` }));
    routes = seriesRoutes({ config: { ...config, families }, store });
    for (const interval of ['raw', 'hour', 'day']) {
      expect(await ask('apy', { interval }, families[0]!.slug)).toEqual([]);
    }
    routes = seriesRoutes({ config, store });
  });

  test('error: parameters', async () => {
    const bad = [
      ...['0', '5001', '1.5', '1e3', '-1', ''].map((limit) => ({ limit })),
      { interval: 'week' },
      { from: '2026-02-30' },
      { to: '2026-01-01T00:00:00' },
      { from: '2026-01-02', to: '2026-01-01' },
    ];
    for (const query of bad) {
      await expect(ask('tvl', query as never), JSON.stringify(query)).rejects.toThrow(
        BadParameters,
      );
    }
    await expect(ask('tvl', {}, 'unknown')).rejects.toThrow(NotFound);
  });

  test('behavior: cached no longer than a tick lasts', () => {
    const of = (liveSeconds: number) =>
      seriesRoutes({ config: { ...config, ticks: { ...config.ticks, liveSeconds } }, store })[0]!;
    expect([of(300).maxAge, of(30).maxAge, of(0.5).maxAge]).toEqual([300, 30, 1]);
    expect(of(300).families!({ path: { slug }, query: new Map(), now: 0 })).toEqual([slug]);
  });
});
