import { Check } from 'typebox/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeAnyEngine } from '../../../test/database.ts';
import { liveAt, startIndexing } from '../../../test/indexing.ts';
import { type ServedWorld, serveWorld } from '../../../test/world.ts';
import type { Config } from '../../config/config.ts';
import type { RatedConfig } from '../../config/rated/description.ts';
import { HOUR, toIso } from '../../domain/time.ts';
import { type Store, statement } from '../../store/store.ts';
import { BadParameters, NotFound } from '../problem.ts';
import { yieldRoute } from './yield.ts';
import type { YieldAnswer } from './yieldSchema.ts';

const UNIT = 10n ** 18n;
const venues = statement(
  'test.yield.venues',
  `select distinct on (p.chain_id, p.offchain_id) p.chain_id as "chainId", p.offchain_id as "offchainId", p.venue, p.pool_id as "poolId"
   from pool p join family f on f.family_id = p.family_id where f.slug = $1 order by p.chain_id, p.offchain_id, p.block_number desc`,
);
const blocks = statement(
  'test.yield.blocks',
  `select c.chain_id as "chainId", c.at, c.block_number as "block" from chain_tick c
   join family f on f.family_id = c.family_id where f.slug = $1 and c.at = any($2::bigint[])`,
);
const instants = statement(
  'test.yield.instants',
  `select at, total_shares as shares, ratio_assets as "ratioAssets", ratio_shares as "ratioShares" from tick
   where family_id = (select family_id from family where slug = $1) and ratio_shares is not null and idle is not null order by at`,
);
const mintFree = statement(
  'test.yield.mintFree',
  `insert into movement (family_id, wallet, block_time, chain_id, block_number, log_index, part, kind, shares, assets)
   select family_id, '\\x01'::bytea, $2, 1, 1, $3, 0, $4::smallint, $5::numeric, 0 from family where slug = $1`,
);

interface Instant {
  readonly at: number;
  readonly shares: bigint;
  readonly ratioAssets: bigint;
  readonly ratioShares: bigint;
}

let served: ServedWorld;
beforeAll(async () => {
  served = await serveWorld({ seed: 'yield' });
});
afterAll(() => served?.close());

/** What a contract returns at a block. */
async function call(chainId: number, to: string, data: string, block: number): Promise<bigint> {
  const params = [{ to, data }, `0x${block.toString(16)}`];
  const response = await fetch(served.urlOf(chainId), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params }),
  });
  return BigInt(((await response.json()) as { result: string }).result);
}

const word = (value: bigint | string) => BigInt(value).toString(16).padStart(64, '0');

function sumOf({ sources, unattributed }: YieldAnswer): bigint {
  return sources.reduce((sum, { assets }) => sum + BigInt(assets), BigInt(unattributed!.assets));
}

describeAnyEngine('yield', (open) => {
  let store: Store;
  let config: Config;
  let now: number;
  beforeAll(async () => {
    store = await open();
    config = served.config();
    const indexing = startIndexing(store, config);
    await indexing.until(liveAt(served.heads()));
    await indexing.stop();
    now = Math.max(...served.world.chains.map(({ chain }) => chain.tip.time)) + 60;
  });

  async function ask(slug: string, query: Record<string, string> = {}, used = config) {
    const route = yieldRoute({ config: used, store });
    const values = new Map(Object.entries(query).map(([name, value]) => [name, [value]]));
    const answer = await route.answer({ path: { slug }, query: values, now });
    expect(Check(route.response, answer)).toBe(true);
    return answer as YieldAnswer;
  }

  test('default: the parts add up, and adjacent windows too', async () => {
    const kinds = new Set<string>();
    for (const { slug } of config.families) {
      const found = await ask(slug);
      expect(sumOf(found)).toBe(BigInt(found.total!.assets));
      for (const { source } of found.sources) kinds.add(source);
      const times = await store.query<Instant>(instants, [slug]);
      const [first, last] = [times[0]!, times.at(-1)!];
      const isRise = last.ratioAssets * first.ratioShares > first.ratioAssets * last.ratioShares;
      expect(BigInt(found.total!.assets) > 0n).toBe(isRise);
      // The end of an hour, at which windows of any length have a data point.
      const cut = times.findLast(
        ({ at }, i) =>
          i < times.length - 5 && Math.floor(times[i + 1]!.at / HOUR) > Math.floor(at / HOUR),
      )!.at;
      const [early, late] = [
        await ask(slug, { to: toIso(cut) }),
        await ask(slug, { from: toIso(cut) }),
      ];
      const all = await ask(slug, { from: early.from! });
      expect([early.to, late.from]).toEqual([toIso(cut), toIso(cut)]);
      const both = BigInt(early.total!.assets) + BigInt(late.total!.assets);
      expect(`${both}`).toBe(all.total!.assets);
    }
    expect(kinds).toEqual(new Set(['pool', 'reward']));
  });

  test("default: between two data points, a pool has its venue's values at their blocks", async () => {
    let compared = 0;
    for (const { slug, feederOf, chains } of config.families) {
      if (feederOf !== null) continue;
      const times = await store.query<Instant>(instants, [slug]);
      const i = Math.floor(times.length * 0.6);
      const [a, b] = [times[i]!, times[i + 1]!];
      const found = await ask(slug, { from: toIso(a.at), to: toIso(b.at) });
      expect([found.from, found.to, found.dataPoints]).toEqual([toIso(a.at), toIso(b.at), 2]);
      const change = b.ratioAssets * a.ratioShares - a.ratioAssets * b.ratioShares;
      const gain = ((a.shares + b.shares) * change) / (2n * a.ratioShares * b.ratioShares);
      expect(found.total!.assets).toBe(`${gain}`);
      const read = await store.query<{ chainId: number; at: number; block: number }>(blocks, [
        slug,
        `{${a.at},${b.at}}`,
      ]);
      const pools = await store.query<{ chainId: number; offchainId: string; venue: string }>(
        venues,
        [slug],
      );
      for (const source of found.sources.filter((one) => one.source === 'pool')) {
        const { chainId, offchainId } = source;
        const { venue } = pools.find(
          (one) => one.chainId === chainId && one.offchainId === offchainId,
        )!;
        const vault = chains.find((one) => one.chainId === chainId)!.address;
        const at = async (time: number) => {
          const { block } = read.find((one) => one.chainId === chainId && one.at === time)!;
          const [held, price] = await Promise.all([
            call(chainId!, venue, `0x70a08231${word(vault)}`, block),
            call(chainId!, venue, `0x07a2d13a${word(UNIT)}`, block),
          ]);
          return { held, price };
        };
        const [from, to] = await Promise.all([at(a.at), at(b.at)]);
        const expected = ((from.held + to.held) * (to.price - from.price)) / (2n * UNIT);
        const off = BigInt(source.assets) - expected;
        expect(off < 0n ? -off : off).toBeLessThanOrEqual(2n);
        if (expected > 0n) compared++;
      }
    }
    expect(compared).toBeGreaterThan(3);
  });

  test('behavior: a feeder has its part of its master’s pools', async () => {
    const feeder = config.families.find(({ feederOf }) => feederOf !== null)!;
    const [own, master] = [await ask(feeder.slug), await ask(feeder.feederOf!)];
    const gains = ({ sources }: YieldAnswer) =>
      new Map(sources.map((one) => [`${one.source} ${one.offchainId}`, BigInt(one.assets)]));
    const all = gains(master);
    expect(own.sources.length).toBeGreaterThan(1);
    for (const [name, gain] of gains(own)) expect(gain).toBeLessThanOrEqual(all.get(name)!);
    expect(sumOf(own)).toBe(BigInt(own.total!.assets));
  });

  test('behavior: shares minted without a deposit are a fee, and burned ones take from it', async () => {
    const { slug } = config.families[0]!;
    const before = await ask(slug);
    expect(before.sources.some(({ source }) => source === 'shareFees')).toBe(false);
    const time = Date.parse(before.to!) / 1000;
    const newest = (await store.query<Instant>(instants, [slug])).at(-1)!;
    const [received, exit] = [3, 2];
    await store.query(mintFree, [slug, time, 900_001, received, `${5n * newest.ratioShares}`]);
    await store.query(mintFree, [slug, time, 900_002, exit, `${2n * newest.ratioShares}`]);
    const after = await ask(slug);
    const fee = after.sources.find(({ source }) => source === 'shareFees')!;
    expect(fee).toMatchObject({
      chainId: null,
      offchainId: null,
      assets: `${-3n * newest.ratioAssets}`,
    });
    expect(after.total).toEqual(before.total);
    // If mints are sales settled off chain, only shares burned next to a payment count.
    const rated = { ledger: { mints: 'received' } } as RatedConfig;
    const families = config.families.map((family) => ({
      ...family,
      chains: family.chains.map((chain) => ({ ...chain, chainId: 1, rated })),
    }));
    const sold = await ask(slug, {}, { ...config, families });
    expect(sold.sources.find(({ source }) => source === 'shareFees')).toMatchObject({
      assets: `${2n * newest.ratioAssets}`,
    });
    expect(sumOf(after)).toBe(BigInt(after.total!.assets));
    // Outside the window, it does not count.
    const earlier = await ask(slug, { to: toIso(time - 1) });
    expect(earlier.sources.some(({ source }) => source === 'shareFees')).toBe(false);
  });

  test('behavior: a bridge that burns shares on one chain and mints them on another takes no fee', async () => {
    const { slug } = config.families[1]!;
    const before = await ask(slug);
    const time = Date.parse(before.to!) / 1000;
    const [received, sent] = [3, 4];
    await store.query(mintFree, [slug, time, 900_003, sent, '5000000']);
    await store.query(mintFree, [slug, time, 900_004, received, '5000000']);
    expect(await ask(slug)).toEqual(before);
  });

  test('behavior: without two data points, there is no result', async () => {
    const { slug } = config.families[0]!;
    expect(await ask(slug, { from: '1990-01-01', to: '1990-02-01' })).toMatchObject({
      from: null,
      to: null,
      dataPoints: 0,
      averageValue: null,
      total: null,
      sources: [],
      unattributed: null,
    });
  });

  test('error: an unknown family, and a window that is too long or in the future', async () => {
    await expect(ask('other')).rejects.toThrow(NotFound);
    const { slug } = config.families[0]!;
    await expect(ask(slug, { from: '1970-01-01' })).rejects.toThrow(BadParameters);
    await expect(ask(slug, { from: '2999-01-01' })).rejects.toThrow(BadParameters);
  });
});
