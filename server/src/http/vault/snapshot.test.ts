import type { Static } from 'typebox';
import { getAddress } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { step } from '../../../../devnet/src/index.ts';
import { closed, violations } from '../../../test/answers.ts';
import { describeAnyEngine } from '../../../test/database.ts';
import { liveAt, startIndexing } from '../../../test/indexing.ts';
import { readValue, sameAddress, viewChain } from '../../../test/oracleChain.ts';
import { stateAt } from '../../../test/oracleStates.ts';
import { type ServedWorld, serveWorld } from '../../../test/world.ts';
import type { Config } from '../../config/config.ts';
import { lower } from '../../domain/hex.ts';
import { type Queryable, type Store, statement } from '../../store/store.ts';
import type { Page } from '../jsonText.ts';
import { toJsonSchema } from '../openapiDocument.ts';
import { NotFound, NotReady } from '../problem.ts';
import type { Route } from '../route.ts';
import { snapshotRoutes } from './snapshot.ts';
import type { snapshotSchema } from './snapshotSchema.ts';

type Snapshot = Static<typeof snapshotSchema>;

const ALPHA = 'base:lending:alpha-usdc';
const DAY = 86_400;

let served: ServedWorld;
let config: Config;
beforeAll(async () => {
  served = await serveWorld({ seed: 'snapshot' });
  config = served.config({
    edit(file) {
      // A chain without RPC URLs, and descriptions for one of the pools.
      file.chains.push({ ...file.chains[0]!, id: 10, name: 'optimism', rpc: [] });
      const master = file.families[0]!;
      master.chains.push({ ...master.chains[0]!, chain: 10, role: 'execution' });
      const asset = served.world.families[0]!.chains[0]!.asset;
      const part = { chain: 8453, address: asset, symbol: 'USDC' };
      const pool = {
        offchainId: ALPHA,
        name: 'Alpha',
        protocol: 'Alpha Markets',
        url: 'https://alpha.example',
        composition: [
          { ...part, kind: 'underlying', share: 1 },
          { ...part, kind: 'collateral', share: 0.9, symbol: 'WETH' },
        ],
      };
      Object.assign(master, { pools: [pool] });
    },
  });
});
afterAll(() => served?.close());

describeAnyEngine('snapshot', (open) => {
  let store: Store;
  let route: Route;
  beforeAll(async () => {
    store = await open();
    route = snapshotRoutes({ config, store, cursorKey: '0x07' }).find(({ path }) =>
      path.includes('{slug}'),
    )!;
    await expect(ask('svcusd')).rejects.toThrow(NotReady);
    const indexing = startIndexing(store, config);
    await indexing.until(liveAt(served.heads()));
    await indexing.stop();
  });

  async function ask(slug: string): Promise<Snapshot> {
    return (await route.answer({ path: { slug }, query: new Map(), now: 0 })) as Snapshot;
  }

  test('default', async () => {
    const snapshot = await ask('svcusd');
    expectShape(route, snapshot);
    expect(snapshot).toMatchObject({
      slug: 'svcusd',
      address: getAddress(config.families[0]!.address),
      authority: getAddress(served.world.authority),
      feederOf: null,
      bindingDeclarationAddress: getAddress(config.families[0]!.address),
    });
    expect(snapshot.assets.base).toMatchObject({
      address: getAddress(served.world.families[0]!.chains[0]!.asset),
      symbol: 'USDC',
      decimals: 6,
      marketDataId: 'usd-coin',
    });
    expect(snapshot.stats.baseAsset).toBe(snapshot.assets.base.address);
    expect(snapshot.stats.apy).toBe(snapshot.stats.apy7d);
    expect(snapshot.stats.importedFromLegacy).toBe(false);
    expect(snapshot.stats.tvlUsd).toBeGreaterThan(0);
    expectSums(snapshot);
  });

  test.each(['svcusd', 'svcusd-edge'])('behavior: %s matches its chains', async (slug) => {
    const snapshot = await ask(slug);
    expect(snapshot.stats.chains.length).toBe(2);
    for (const row of snapshot.stats.chains) {
      const { state } = await readChain(slug, row.chainId, Number(row.block));
      expect(row).toEqual({
        chainId: row.chainId,
        block: row.block,
        at: snapshot.stats.updatedAt,
        idle: `${state.idle}`,
        invested: `${state.invested}`,
        pendingExits: `${state.pendingExits}`,
        tvl: `${state.idle + state.invested + state.pendingExits}`,
        shareSupply: `${state.shareSupply}`,
      });
      const at = Date.parse(snapshot.stats.updatedAt) / 1000;
      const { view } = await readChain(slug, row.chainId, Number(row.block));
      expect(view.blockAt(at)?.number).toBe(Number(row.block));
      if (row.chainId === 8453) expect(snapshot.stats.assetsPerShare).toBe(`${state.sharePrice}`);
    }
  });

  test('behavior: pools have the values that their venues report', async () => {
    const { stats } = await ask('svcusd');
    let listed = 0;
    for (const { chainId, block } of stats.chains) {
      const { state, view, part } = await readChain('svcusd', chainId, Number(block));
      for (const pool of state.pools) {
        const declared = part.events.findLast(
          (event) => event.eventName === 'PoolDeclared' && event.args.id === pool.poolId,
        );
        if (declared?.eventName !== 'PoolDeclared') throw new Error('not declared');
        const { offchainId, riskScore, idleOnly, status, venue } = declared.args;
        const row = stats.pools.find((one) => one.offchainId === offchainId);
        expect(row).toMatchObject({
          chainId,
          value: `${pool.value}`,
          availableLiquidity: `${pool.availableLiquidity}`,
          riskScore,
          idleOnly,
          status: status === 1 ? 'active' : 'exit-only',
        });
        if (pool.statedRate !== null)
          expect(row?.mechanismApy).toBe(Number(pool.statedRate) / 1e18);
        else expect(row?.mechanismApy).toBe(row?.apy7d);
        const at = Date.parse(stats.updatedAt) / 1000;
        const start = Math.floor((at - DAY) / 3600) * 3600;
        const before = await readValue(
          view.client,
          view.blockAt(start)!,
          venue,
          'convertToAssets(uint256) view returns (uint256)',
          [10n ** 18n],
        );
        const growth = Number(pool.sharePrice) / Number(before);
        expect(row?.apy1d).toBeCloseTo(growth ** ((365 * DAY) / (at - start)) - 1, 9);
        listed++;
      }
    }
    expect(stats.pools.length).toBe(listed);
    expect(listed).toBeGreaterThan(3);
    expect(stats.pools.find(({ offchainId }) => offchainId === ALPHA)?.name).toBe('Alpha');
    const other = stats.pools.find(({ offchainId }) => offchainId !== ALPHA);
    expect(other?.name).toBe(other?.offchainId);
  });

  test('behavior: exposure follows the composition', async () => {
    const { exposure, stats } = await ask('svcusd');
    const alpha = stats.pools.find(({ offchainId }) => offchainId === ALPHA)!;
    const part = Number(alpha.value) / Number(stats.invested);
    expect(exposure.at).toBe(stats.updatedAt);
    expect(exposure.allocatedUsd).toBeCloseTo(
      (stats.tvlUsd! * Number(stats.invested)) / Number(stats.tvl),
      6,
    );
    expect(exposure.underlying).toHaveLength(1);
    expect(exposure.underlying[0]!.exposurePct).toBeCloseTo(100 * part, 9);
    expect(exposure.collateral[0]!.exposurePct).toBeCloseTo(90 * part, 9);
    // One pool is partly uncollateralized; the assets of the others are unknown.
    expect(exposure.uncollateralizedPct).toBeCloseTo(10 * part, 9);
    expect(exposure.uncollateralizedUsd).toBeCloseTo(exposure.allocatedUsd! * 0.1 * part, 6);
    expect(exposure.unclassifiedPct).toBeCloseTo(100 * (1 - part), 9);
    expect(exposure.unclassifiedUsd).toBeCloseTo(exposure.allocatedUsd! * (1 - part), 6);
  });

  test('behavior: the values of an exposure add up to the allocated value', async () => {
    for (const { slug } of config.families) {
      const { collateral, uncollateralizedUsd, unclassifiedUsd, allocatedUsd } = (await ask(slug))
        .exposure;
      const backed = collateral.reduce((sum, { exposureUsd }) => sum + exposureUsd!, 0);
      const all = backed + uncollateralizedUsd! + unclassifiedUsd!;
      expect(all, slug).toBeCloseTo(allocatedUsd!, 2);
    }
  });

  test('behavior: a mirroring family has the texts of the declarations it is bound to', async () => {
    const [declaring] = config.families;
    const mirror = { ...declaring!, address: getAddress(`0x${'ab'.repeat(20)}`), pools: [] };
    const families = [mirror, { ...declaring!, slug: 'declaring' }];
    const routes = snapshotRoutes({ config: { ...config, families }, store, cursorKey: '0x07' });
    const { answer } = routes.find(({ path }) => path.includes('{slug}'))!;
    const request = { path: { slug: mirror.slug }, query: new Map(), now: 0 };
    const { stats, exposure } = (await answer(request)) as Snapshot;
    expect(stats.pools.find(({ offchainId }) => offchainId === ALPHA)?.name).toBe('Alpha');
    expect(exposure.collateral).toHaveLength(1);
  });

  test('behavior: a chain that was never read has the tokens of the file', async () => {
    const [first] = config.families;
    const [asset, share] = [getAddress(`0x${'cd'.repeat(20)}`), getAddress(`0x${'ef'.repeat(20)}`)];
    const served = async (named: object) => {
      const chains = first!.chains.map((chain) =>
        chain.chainId === 10 ? { ...chain, ...named } : chain,
      );
      const family = { ...first!, chains };
      const changed = { ...config, families: [family, ...config.families.slice(1)] };
      const routes = snapshotRoutes({ config: changed, store, cursorKey: '0x07' });
      const { answer } = routes.find(({ path }) => path.includes('{slug}'))!;
      const found = await answer({ path: { slug: family.slug }, query: new Map(), now: 0 });
      expectShape(route, found);
      const chain = (found as Snapshot).chains.find(({ chainId }) => chainId === 10);
      return chain && [chain.assets.base.address, chain.assets.share.address];
    };
    const own = getAddress(first!.address);
    expect(await served({ asset: lower(asset) })).toEqual([asset, own]);
    expect(await served({ asset: lower(asset), share: lower(share) })).toEqual([asset, share]);
    // Without an address there is no entry, because the interface requires a string for each.
    expect(await served({})).toBeUndefined();
  });

  test("behavior: a feeder's pools are its master's, and add up to its stake", async () => {
    const [master, feeder] = [await ask('svcusd'), await ask('svcusd-edge')];
    expectShape(route, feeder);
    expect(feeder.feederOf).toBe('svcusd');
    expect(feeder.bindingDeclarationAddress).toBe(master.address);
    const names = (one: Snapshot) => one.stats.pools.map(({ offchainId }) => offchainId).sort();
    expect(names(feeder)).toEqual(names(master));
    expect(BigInt(feeder.stats.invested)).toBeGreaterThan(0n);
    expectSums(feeder);
    expect(feeder.exposure.collateral[0]!.exposurePct).toBeCloseTo(
      master.exposure.collateral[0]!.exposurePct,
      3,
    );
    const request = (slug: string) => ({ path: { slug }, query: new Map(), now: 0 });
    expect(route.families!(request('svcusd-edge'))).toEqual(['svcusd-edge', 'svcusd']);
    expect(route.families!(request('svcusd'))).toEqual(['svcusd']);
  });

  test('behavior: a feeder gets its part of the rewards that its master receives', async () => {
    const [master, feeder] = [await ask('svcusd'), await ask('svcusd-edge')];
    let perYear = 0;
    for (const { chainId, block } of master.stats.chains) {
      const { state } = await readChain('svcusd', chainId, Number(block));
      for (const pool of state.pools) perYear += Number(pool.rewardPerYear);
    }
    expect(perYear).toBeGreaterThan(0);
    const { invested, tvl } = feeder.stats;
    const part = (perYear * Number(invested)) / Number(master.stats.invested);
    expect(feeder.stats.rewardApr).toBeCloseTo(part / Number(tvl), 9);
    expect(feeder.stats.rewardApr).toBeGreaterThan(0);
    const list = snapshotRoutes({ config, store, cursorKey: '0x07' }).find(
      ({ path }) => path === '/v1/vaults',
    )!;
    const page = (await list.answer({ path: {}, query: new Map(), now: 0 })) as Page;
    const listed = page.body as Snapshot[];
    for (const one of [master, feeder]) {
      const { stats } = listed.find(({ slug }) => slug === one.slug)!;
      expect(stats.rewardApr).toBe(one.stats.rewardApr);
    }
  });

  test('behavior: a chain without an RPC URL is left out if the file lacks its token', async () => {
    const snapshot = await ask('svcusd');
    expect(snapshot.chains.map(({ chainId }) => chainId)).not.toContain(10);
    expect(snapshot.stats.chains.map(({ chainId }) => chainId)).not.toContain(10);
  });

  test('behavior: reports imported ticks in its windows', async () => {
    await store.query(IMPORT_FAR);
    expect((await ask('svcusd')).stats.importedFromLegacy).toBe(false);
    await store.query(IMPORT_NEAR);
    expect((await ask('svcusd')).stats.importedFromLegacy).toBe(true);
  });

  test('behavior: without a price USD is null', async () => {
    const before = await ask('svcusd-edge');
    await store.query(FORGET_USD);
    const after = await ask('svcusd-edge');
    expectShape(route, after);
    expect(after.stats.tvlUsd).toBeNull();
    expect(after.exposure).toMatchObject({
      allocatedUsd: null,
      uncollateralizedUsd: null,
      unclassifiedUsd: null,
      unclassifiedPct: before.exposure.unclassifiedPct,
    });
    expect(after.exposure.underlying[0]!.exposureUsd).toBeNull();
    expect(after.exposure.underlying[0]!.exposurePct).toBe(
      before.exposure.underlying[0]!.exposurePct,
    );
  });

  test('behavior: a chain that cannot be read keeps its last row', async () => {
    const before = await ask('svcusd');
    const { world } = served;
    const time = world.chain(8453).chain.tip.time + 1000;
    await step(world, 8453, time);
    const rest = config.chains.map((chain) =>
      chain.chainId === 42161 ? { ...chain, rpcUrls: [] } : chain,
    );
    const indexing = startIndexing(store, { ...config, chains: rest });
    await indexing.until(liveAt(new Map([[8453, world.chain(8453).chain.tip.number]])));
    await indexing.stop();
    const after = await ask('svcusd');
    const blockOn = (chainId: number, { stats }: Snapshot) =>
      Number(stats.chains.find((chain) => chain.chainId === chainId)?.block);
    expect(after.stats.updatedAt > before.stats.updatedAt).toBe(true);
    expect(blockOn(42161, after)).toBe(blockOn(42161, before));
    // Its values are from the time of its last read, not of the other chains' reads.
    const atOn = (chainId: number, { stats }: Snapshot) =>
      stats.chains.find((chain) => chain.chainId === chainId)?.at;
    const at = atOn(42161, after)!;
    expect([at >= before.stats.updatedAt, at < after.stats.updatedAt]).toEqual([true, true]);
    expect(atOn(8453, after)).toBe(after.stats.updatedAt);
    expectSums(after);
    expect(after.stats.pools.map(({ chainId }) => chainId)).toContain(42161);
    expectSums(await ask('svcusd-edge'));
  });

  test('behavior: a commit between two statements is seen completely or not at all', async () => {
    const { stats } = await ask('svcusd');
    let undone = false;
    const reads: Queryable = {
      async query(asked, params) {
        if (asked.name === 'chainTicks.newestAt' && !undone) {
          undone = true;
          await store.transaction(async (tx) => {
            await tx.query(UNDO_TICKS);
            await tx.query(UNDO_CHAIN_TICKS);
          });
        }
        return store.query(asked, params);
      },
    };
    const [, other] = snapshotRoutes({ config, store: { reads }, cursorKey: '0x07' });
    const request = { path: { slug: 'svcusd' }, query: new Map(), now: 0 };
    const after = (await other!.answer(request)) as Snapshot;
    expect(undone).toBe(true);
    expect(after.stats.updatedAt < stats.updatedAt).toBe(true);
    expectSums(after);
  });

  test('error: unknown family', async () => {
    await expect(ask('unknown')).rejects.toThrow(NotFound);
    await expect(ask('__proto__')).rejects.toThrow(NotFound);
  });
});

const IMPORT = `insert into tick_rollup (family_id, span, bucket, imported)
  select family_id, 3600, max(at) - max(at) % 3600 - 3600 * `;
const OF_SVCUSD = `, true from tick join family using (family_id) where slug = 'svcusd' group by family_id
  on conflict (family_id, span, bucket) do update set imported = true`;
const IMPORT_FAR = statement('test.snapshot.importFar', `${IMPORT} 721 ${OF_SVCUSD}`);
const IMPORT_NEAR = statement('test.snapshot.importNear', `${IMPORT} 700 ${OF_SVCUSD}`);
const FORGET_USD = statement(
  'test.snapshot.forgetUsd',
  "update tick set usd = null where family_id = (select family_id from family where slug = 'svcusd-edge')",
);
const OF_LAST_DAY = `where family_id = (select family_id from family where slug = 'svcusd')
  and at > (select max(at) - 86400 from chain_tick join family using (family_id) where slug = 'svcusd')`;
const UNDO_TICKS = statement('test.snapshot.undoTicks', `delete from tick ${OF_LAST_DAY}`);
const UNDO_CHAIN_TICKS = statement(
  'test.snapshot.undoChainTicks',
  `delete from chain_tick ${OF_LAST_DAY}`,
);

function expectShape(route: Route, answer: unknown): void {
  const schema = closed(toJsonSchema(route.response));
  expect(violations(schema, answer)).toEqual([]);
  expect(violations(schema, route.responseExample)).toEqual([]);
}

function expectSums({ stats }: Snapshot): void {
  const total = (values: readonly string[]) => values.reduce((sum, one) => sum + BigInt(one), 0n);
  expect(total([stats.idle, stats.invested, stats.pendingExits])).toBe(BigInt(stats.tvl));
  for (const field of ['idle', 'invested', 'pendingExits', 'tvl'] as const) {
    expect(total(stats.chains.map((chain) => chain[field]))).toBe(BigInt(stats[field]));
  }
  expect(total(stats.chains.map((chain) => chain.shareSupply))).toBe(BigInt(stats.totalShares));
  expect(total(stats.pools.map((pool) => pool.value))).toBe(BigInt(stats.invested));
  const bps = stats.pools.reduce((sum, pool) => sum + pool.allocationBps, 0);
  const outside = Number(total([stats.idle, stats.pendingExits])) / Number(stats.tvl);
  expect(Math.abs(bps + 10_000 * outside - 10_000)).toBeLessThan(1);
}

/** Reads the family's state at a block by plain sequential calls. */
async function readChain(slug: string, chainId: number, block: number) {
  const view = await viewChain(served.world.chain(chainId).chain);
  const family = config.families.find((one) => one.slug === slug)!;
  const chain = family.chains.find((one) => one.chainId === chainId)!;
  const master = config.families.find((one) => one.slug === family.feederOf);
  const own = [family.address, chain.oracle, chain.registry];
  const part = {
    family,
    chain,
    view,
    priced: (master ?? family).address,
    isFeeder: master !== undefined,
    startTime: 0,
    events: view.events.filter(({ address }) => own.some((one) => sameAddress(address, one))),
  };
  return { view, part, state: await stateAt(part, view.blocks[block]!) };
}
