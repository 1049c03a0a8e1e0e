import { afterAll, beforeAll, expect, test } from 'vitest';
import { reorgWorld } from '../../../../devnet/src/index.ts';
import { createRandom, mineBlocks } from '../../../test/activity.ts';
import { createCheckedFetch } from '../../../test/answers.ts';
import { describeAnyEngine } from '../../../test/database.ts';
import { type Indexing, liveAt, startIndexing } from '../../../test/indexing.ts';
import { type ServedWorld, serveWorld } from '../../../test/world.ts';
import { verifyStore } from '../../commands/verify.ts';
import type { Config } from '../../config/config.ts';
import { type Address, lower } from '../../domain/hex.ts';
import { toIso } from '../../domain/time.ts';
import { EMPTY_POSITION, moved, type Position } from '../../domain/wallet/position.ts';
import { blocks } from '../../store/blocks/blocks.ts';
import { gaps } from '../../store/gaps/gaps.ts';
import { movements } from '../../store/movements/movements.ts';
import { type Store, statement } from '../../store/store.ts';
import { Headed, Page } from '../jsonText.ts';
import { closeServer, listen } from '../listen.ts';
import type { Route } from '../route.ts';
import { createServer } from '../server.ts';
import { holdersRoute } from './holders.ts';
import { performanceRoutes } from './performance.ts';
import { snapshotRoutes } from './snapshot.ts';

const BASE = 8453;
const TICK = 60;
/** Blocks below the head that a reorg can still replace. */
const FINALITY = 12;
const ROUNDS = 4;

let served: ServedWorld;
let config: Config;
beforeAll(async () => {
  served = await serveWorld({ seed: 'as of' });
  config = served.config({
    ticks: { liveSeconds: TICK, backfillSeconds: 3600 },
    chain: { finality: { depth: FINALITY } },
  });
});
afterAll(() => served?.close());

const familyId = statement(
  'test.asOfFamily',
  'select family_id as "familyId" from family where slug = $1',
);
const bend = statement(
  'test.asOfBend',
  'update chain_tick set share_supply = share_supply + $4 where family_id = $1 and chain_id = $2 and at = $3',
);

// biome-ignore lint/suspicious/noExplicitAny: bodies of several routes, compared as they are
type Body = any;

/** The responses at a data point. */
interface Recorded {
  readonly at: number;
  readonly bodies: ReadonlyMap<string, Body>;
}

const removeTicks = statement(
  'test.asOfGap',
  'delete from tick where family_id = $1 and at > $2 and at <= $3',
);

describeAnyEngine('asOf', (open) => {
  const random = createRandom(7);
  const recorded: Recorded[] = [];
  let wallets: readonly string[];
  let store: Store;
  let routes: readonly Route[];
  let indexing: Indexing;
  let app: ReturnType<typeof createServer>;
  let get: ReturnType<typeof createCheckedFetch>;

  beforeAll(async () => {
    store = await open();
    routes = [
      ...snapshotRoutes({ config, store, cursorKey: '0x07' }),
      holdersRoute({ config, store }),
      ...performanceRoutes({ config, store }),
    ];
    app = createServer({
      version: '1',
      getChainStatuses: async () => [],
      onError: (error) => {
        throw error;
      },
      routes,
      now: () => tip(),
    });
    const port = await listen(app, { host: '127.0.0.1', port: 0, setting: 'PORT' });
    get = createCheckedFetch(`http://127.0.0.1:${port}`);
    wallets = served.world.wallets.slice(0, 6).map(({ address }) => address);
    indexing = startIndexing(store, config);
    await indexing.until(liveAt(served.heads()));
    for (let round = 0; round < ROUNDS; round++) {
      await advance();
      recorded.push(await record());
    }
  }, 300_000);

  afterAll(async () => {
    await indexing?.stop();
    if (app !== undefined) await closeServer(app, 1_000);
  });

  const tip = () => Math.max(...served.world.chains.map(({ chain }) => chain.tip.time));

  /** Mines activity on every chain, and then empty blocks until a data point includes all of it. */
  async function advance(): Promise<void> {
    for (const { chainId } of served.world.chains) {
      await mineBlocks(served.world, chainId, 5, random);
    }
    const at = (Math.floor(tip() / TICK) + 2) * TICK;
    for (const { chain } of served.world.chains) {
      await chain.exclusive(async () => {
        await chain.mine(at);
        await chain.mine(at + 1);
      });
    }
    await settled();
  }

  /** Waits until every chain is live at its head block, with a data point for it. */
  async function settled(): Promise<void> {
    const heads = new Map<number, string>();
    for (const { chainId, chain } of served.world.chains) {
      heads.set(chainId, (await chain.head()).hash);
    }
    const newest = Math.floor((tip() - 1) / TICK) * TICK;
    await indexing.until(async () => {
      for (const [chainId, hash] of heads) {
        const ring = await blocks.getOfChain(store, chainId);
        if (ring.at(-1)?.hash !== hash) return false;
      }
      const listed: Body[] = await body('/v1/vaults');
      return listed.every(({ stats }) => Date.parse(stats.updatedAt) >= newest * 1000);
    });
  }

  function paths(): string[] {
    return [
      '/v1/vaults',
      ...config.families.flatMap(({ slug }) => [
        `/v1/vaults/${slug}`,
        `/v1/vaults/${slug}/holders`,
      ]),
      ...wallets.map((wallet) => `/v1/performance/${wallet}`),
    ];
  }

  /** Calls the route directly, because the server's short cache would return the previous round's response. */
  async function body(path: string, query: Record<string, string> = {}): Promise<Body> {
    const [, v1, noun, name, more] = path.split('/');
    const pattern = [
      ...['', v1, noun],
      ...(name === undefined ? [] : [noun === 'performance' ? '{walletAddress}' : '{slug}']),
      ...(more === undefined ? [] : [more]),
    ].join('/');
    const route = routes.find((one) => one.path === pattern)!;
    const asked = new Map(Object.entries(query).map(([key, value]) => [key, [value]]));
    const request = { path: { slug: name!, walletAddress: name! }, query: asked, now: tip() };
    let answer = await route.answer(request);
    if (answer instanceof Headed) answer = answer.body;
    if (answer instanceof Page) answer = answer.body;
    return JSON.parse(JSON.stringify(answer));
  }

  async function record(): Promise<Recorded> {
    const bodies = new Map<string, Body>();
    for (const path of paths()) bodies.set(path, await body(path));
    const { updatedAt } = bodies.get(`/v1/vaults/${config.families[0]!.slug}`).stats;
    return { at: Date.parse(updatedAt) / 1000, bodies };
  }

  /** Removes the fields that only responses for a moment have, and those that these lack. */
  function comparable(path: string, given: Body): Body {
    if (Array.isArray(given)) return given.map(({ asOf: _, ...rest }) => rest);
    const { asOf: _, incompleteChains: __, ...rest } = given;
    if (path.startsWith('/v1/performance')) {
      return { ...rest, families: comparable('', rest.families) };
    }
    return 'authority' in rest ? { ...rest, authority: null } : rest;
  }

  async function problemOf(url: string) {
    const { response, text } = await get(url);
    return { status: response.status, ...JSON.parse(text) };
  }

  test('default: as of each recorded moment, every route returns what it returned then', async () => {
    expect(new Set(recorded.map(({ at }) => at)).size).toBe(ROUNDS);
    let changed = 0;
    for (const { at, bodies } of recorded) {
      for (const [path, then] of bodies) {
        const asked = await body(path, { at: toIso(at) });
        expect(comparable(path, asked), `${path} at ${toIso(at)}`).toEqual(comparable(path, then));
        const now = recorded.at(-1)!.bodies.get(path);
        if (JSON.stringify(now) !== JSON.stringify(then)) changed++;
      }
    }
    // Otherwise the test would compare current values with themselves.
    expect(changed).toBeGreaterThan(paths().length);
  });

  test('behavior: between two data points, the earlier one is used', async () => {
    const [{ at }] = recorded as [Recorded];
    const slug = config.families[0]!.slug;
    const exact = await body(`/v1/vaults/${slug}`, { at: toIso(at) });
    expect(await body(`/v1/vaults/${slug}`, { at: toIso(at + TICK - 1) })).toMatchObject({
      stats: exact.stats,
      asOf: { at: toIso(at) },
    });
    expect(exact.asOf.at).toBe(exact.stats.updatedAt);
  });

  test('behavior: the response names the block and hash of every chain, and both find it again', async () => {
    for (const { at, bodies } of recorded) {
      for (const { slug } of config.families) {
        const path = `/v1/vaults/${slug}`;
        const { asOf, stats } = await body(path, { at: toIso(at) });
        expect(asOf.blocks.map(({ chainId, block }: Body) => [chainId, block])).toEqual(
          bodies.get(path).stats.chains.map(({ chainId, block }: Body) => [chainId, block]),
        );
        for (const { chainId, block, hash } of asOf.blocks) {
          const { chain } = served.world.chain(chainId);
          const tag = `0x${Number(block).toString(16)}`;
          const header = await chain.rpc<{ hash: string }>('eth_getBlockByNumber', [tag, false]);
          expect(hash).toBe(header.hash);
          for (const name of [block, hash]) {
            const found = await body(path, { block: `${chainId}:${name}` });
            const row = found.stats.chains.find((one: Body) => one.chainId === chainId);
            expect(row).toMatchObject({ block, shareSupply: expect.any(String) });
            expect(found.stats.tvl).toBe(stats.tvl);
          }
        }
      }
    }
  });

  test('behavior: a block between two data points uses the earlier one', async () => {
    const slug = config.families[0]!.slug;
    const [first, second] = recorded as [Recorded, Recorded];
    const row = second.bodies.get(`/v1/vaults/${slug}`).stats.chains[0];
    const before = await body(`/v1/vaults/${slug}`, {
      block: `${row.chainId}:${Number(row.block) - 1}`,
    });
    expect(Date.parse(before.asOf.at)).toBeLessThan(second.at * 1000);
    expect(Date.parse(before.asOf.at)).toBeGreaterThanOrEqual(first.at * 1000);
  });

  test('behavior: final moments can be cached forever, others for as long as the present', async () => {
    for (const path of paths()) {
      const final = await get(`${path}?at=${toIso(recorded[0]!.at)}`);
      expect(final.response.headers.get('cache-control'), path).toBe(
        'public, max-age=31536000, immutable',
      );
      expect(final.response.headers.get('memento-datetime'), path).toBe(
        new Date(recorded[0]!.at * 1000).toUTCString(),
      );
      const recent = await get(`${path}?at=${toIso(recorded.at(-1)!.at)}`);
      expect(recent.response.headers.get('cache-control'), path).toMatch(/^public, max-age=\d\d?$/);
    }
  });

  test('behavior: holders and positions equal a fold of the movements', async () => {
    const [{ at }] = recorded as [Recorded];
    for (const { slug } of config.families) {
      const [row] = await store.query<{ familyId: number }>(familyId, [slug]);
      const folded = new Map<Address, Position>();
      for await (const page of movements.getBetween(store, row!.familyId, -1, at)) {
        for (const { wallet, place, ...move } of page) {
          const before = folded.get(wallet) ?? EMPTY_POSITION;
          folded.set(wallet, moved(before, { ...move, chainId: place.chainId }));
        }
      }
      const held = new Map(
        [...folded].flatMap(([wallet, { shares }]) => (shares > 0n ? [[wallet, shares]] : [])),
      );
      const { holders, shares, largest } = await body(`/v1/vaults/${slug}/holders`, {
        at: toIso(at),
      });
      expect(holders).toBe(held.size);
      expect(BigInt(shares)).toBe([...held.values()].reduce((sum, one) => sum + one, 0n));
      for (const { wallet, shares: own } of largest) {
        expect(held.get(lower(wallet))).toBe(BigInt(own));
      }
    }
  });

  test('behavior: assay verify --at confirms the values on the chains, and finds a wrong one', async () => {
    const [{ at }] = recorded as [Recorded];
    const args = { family: null, wallets: 5, seed: 'test', at };
    const verify = async () => {
      const lines: string[] = [];
      const code = await verifyStore.runOn({ config, store }, args, (line) => lines.push(line));
      return { code, lines: lines.join('\n') };
    };
    const { code, lines } = await verify();
    expect(code, lines).toBe(0);
    for (const place of ['wallets now, ', 'all holders as of ']) expect(lines).toContain(place);
    const { slug } = config.families[0]!;
    const [row] = await store.query<{ familyId: number }>(familyId, [slug]);
    await store.query(bend, [row!.familyId, BASE, at, 1]);
    const bent = await verify();
    await store.query(bend, [row!.familyId, BASE, at, -1]);
    expect(bent.code).toBe(1);
    expect(bent.lines).toMatch(new RegExp(`DIFFERENT ${slug}.*block \\d+: shareSupply is served`));
  });

  test('error: parameters', async () => {
    const path = `/v1/vaults/${config.families[0]!.slug}`;
    for (const [query, reason] of [
      ['at=yesterday', /^at must be a date/],
      ['block=8453', /^block must be CHAIN:NUMBER or CHAIN:HASH/],
      ['block=5:1', /^block names chain 5, which is not configured/],
      [`block=${BASE}:99999999`, /^block is not indexed yet; the newest is \d+/],
      [`at=2026-01-01&block=${BASE}:1`, /^block cannot be combined with at/],
    ] as const) {
      const { status, detail } = await problemOf(`${path}?${query}`);
      expect({ query, status }).toEqual({ query, status: 400 });
      expect(detail).toMatch(reason);
    }
  });

  test('error: before the first data point', async () => {
    const { slug } = config.families[0]!;
    const found = await problemOf(`/v1/vaults/${slug}?at=2020-01-01`);
    expect(found).toMatchObject({ status: 410, code: 'no_data_then' });
    const first = await body(`/v1/vaults/${slug}`, { at: found.nearest });
    expect(first.stats.updatedAt).toBe(found.nearest);
    const [holders, entry] = [
      await problemOf(`/v1/vaults/${slug}/holders?at=2020-01-01`),
      await problemOf(`/v1/performance/${wallets[0]}?family=${slug}&at=2020-01-01`),
    ];
    expect([holders.nearest, entry.nearest]).toEqual([found.nearest, found.nearest]);
    expect(await body(`/v1/performance/${wallets[0]}`, { at: '2020-01-01' })).toMatchObject({
      families: [],
    });
    const listed = await body('/v1/vaults', { at: '2020-01-01' });
    expect(listed.map(({ stats }: Body) => stats)).toEqual(config.families.map(() => null));
    const number = await problemOf(`/v1/vaults/${slug}?block=${BASE}:0`);
    expect(number).toMatchObject({ status: 410, detail: /before the first data point/ });
  });

  test('error: a hash that a reorg removed, and one that never was', async () => {
    const { slug } = config.families[0]!;
    const { asOf } = await body(`/v1/vaults/${slug}`, { at: toIso(tip()) });
    const { hash } = asOf.blocks.find(({ chainId }: Body) => chainId === BASE);
    const before = await get(`/v1/vaults/${slug}?block=${BASE}:${hash}`);
    expect(before.response.status).toBe(200);
    await reorgWorld(served.world, BASE, { depth: 4, newBlocks: 5 });
    await advance();
    const asked = { block: `${BASE}:${hash}` };
    const after = await body(`/v1/vaults/${slug}`, asked).catch((error: Error) => error);
    expect(after).toMatchObject({ name: 'UnknownBlock' });
    for (const path of paths()) {
      const unknown = `0x${'12'.repeat(32)}`;
      const found = await problemOf(`${path}?block=${BASE}:${unknown}`);
      expect(found).toMatchObject({ status: 409, code: 'block_unknown' });
    }
  });

  test('error: in a gap, with the nearest data point on either side', async () => {
    const [first, second, third] = recorded as [Recorded, Recorded, Recorded];
    const { slug } = config.families[0]!;
    await indexing.stop();
    const [row] = await store.query<{ familyId: number }>(familyId, [slug]);
    const own = row!.familyId;
    const [fromTime, toTime] = [first.at + 1, third.at - 1];
    await store.query(removeTicks, [own, fromTime, toTime]);
    const gap = {
      familyId: own,
      chainId: BASE,
      reason: 'state',
      fromBlock: 1,
      toBlock: 2,
    } as const;
    await gaps.add(store, { ...gap, fromTime, toTime, foundAt: 1, initial: false });
    for (const path of [`/v1/vaults/${slug}`, `/v1/vaults/${slug}/holders`]) {
      const near = await problemOf(`${path}?at=${toIso(first.at + 2 * TICK)}`);
      expect(near).toMatchObject({ status: 410, code: 'no_data_then', nearest: toIso(first.at) });
      const far = await problemOf(`${path}?at=${toIso(toTime)}`);
      expect(Date.parse(far.nearest)).toBeGreaterThan(second.at * 1000);
    }
    // Values filled later change what follows them.
    const later = await body(`/v1/vaults/${slug}`, { at: toIso(third.at) });
    expect(later.asOf.final).toBe(false);
    const listed = await body('/v1/vaults', { at: toIso(second.at) });
    expect(listed.find((one: Body) => one.slug === slug).stats).toBeNull();
  });
});
