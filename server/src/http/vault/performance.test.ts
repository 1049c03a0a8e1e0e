import { Value } from 'typebox/value';
import { createPublicClient, getAddress, http, parseAbi } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeAnyEngine } from '../../../test/database.ts';
import { liveAt, startIndexing } from '../../../test/indexing.ts';
import { type ChainView, viewChain } from '../../../test/oracleChain.ts';
import { type FamilyOnChain, type Holding, holdingsAt } from '../../../test/oracleWallets.ts';
import { type ServedWorld, serveWorld } from '../../../test/world.ts';
import type { Config, FamilyConfig } from '../../config/config.ts';
import { type Address, lower } from '../../domain/hex.ts';
import { refoldPositions } from '../../ingest/fold/foldPositions.ts';
import { families } from '../../store/families/families.ts';
import type { Queryable, Store } from '../../store/store.ts';
import { ticks } from '../../store/ticks/ticks.ts';
import { BadParameters, NotFound } from '../problem.ts';
import { performanceRoutes } from './performance.ts';
import type { PerformanceAnswer, PerformanceEntry } from './performanceSchema.ts';

const STRANGER = '0x00000000000000000000000000000000000000aa';
const ABI = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function pendingRedeemRequest(address) view returns (uint256 assets, uint256 pendingShares)',
  'function getLatestPrice(address) view returns (uint256 price, uint64 timestamp)',
  'function latestRoundData() view returns (uint80, int256 answer, uint256, uint256 updatedAt, uint80)',
]);

let served: ServedWorld;
let config: Config;
let views: Map<number, ChainView>;
beforeAll(async () => {
  served = await serveWorld({ seed: 'performance' });
  config = served.config();
  views = new Map();
  for (const { chainId, chain } of served.world.chains) views.set(chainId, await viewChain(chain));
});
afterAll(() => served?.close());

/** The time of the newest block. */
const now = () => Math.max(...[...views.values()].map(({ head }) => head.time));

function ask(db: Queryable, wallet: string, query: Record<string, string> = {}, at = now()) {
  const [route] = performanceRoutes({ config, store: { reads: db } as Store });
  const request = {
    path: { walletAddress: wallet },
    query: new Map(Object.entries(query).map(([name, value]) => [name, [value]])),
    now: at,
  };
  return route!.answer(request) as Promise<PerformanceAnswer>;
}

/** Returns every wallet's holding by the test's own model, from the chains' logs alone. */
function holdingsOf(family: FamilyConfig): Map<string, Holding> {
  const master = config.families.find(({ slug }) => slug === family.feederOf);
  const parts = family.chains.map(
    (chain): FamilyOnChain => ({
      family,
      chain,
      priced: (master ?? family).address,
      isFeeder: master !== undefined,
      view: views.get(chain.chainId)!,
      events: views.get(chain.chainId)!.events,
      startTime: 0,
    }),
  );
  return holdingsAt(parts, 6, Number.POSITIVE_INFINITY);
}

function entryIn(answer: PerformanceAnswer, slug: string): PerformanceEntry | undefined {
  return answer.families.find(({ family }) => family === slug);
}

async function sharesOnChains(family: FamilyConfig, wallet: Address): Promise<bigint> {
  let shares = 0n;
  for (const { chainId } of family.chains) {
    const reader = createPublicClient({ transport: http(served.urlOf(chainId)) });
    const at = { address: family.address, abi: ABI, args: [wallet] } as const;
    const [, pending] = await reader.readContract({ ...at, functionName: 'pendingRedeemRequest' });
    shares += pending + (await reader.readContract({ ...at, functionName: 'balanceOf' }));
  }
  return shares;
}

/** Returns the current price, or the price at a timestamp, from the family's first settlement chain. */
async function sharePriceOf(family: FamilyConfig, at = now()): Promise<bigint> {
  const { chainId, oracle } = family.chains.find(({ role }) => role === 'settlement')!;
  const { client, blockAt } = views.get(chainId)!;
  const [price] = await client.readContract({
    address: oracle!,
    abi: ABI,
    functionName: 'getLatestPrice',
    args: [family.bindingDeclarationAddress],
    blockNumber: BigInt(blockAt(at)!.number),
  });
  return price;
}

describeAnyEngine('performance', (open) => {
  let store: Store;
  beforeAll(async () => {
    store = await open();
    const indexing = startIndexing(store, config);
    await indexing.until(liveAt(served.heads()));
    await indexing.stop();
  });

  test('default: cost, result, and shares of every wallet equal those on the chains', async () => {
    let held = 0;
    let realized = 0;
    for (const family of config.families) {
      const holdings = holdingsOf(family);
      const price = await sharePriceOf(family);
      for (const [wallet, holding] of holdings) {
        const entry = entryIn(await ask(store, wallet), family.slug)!;
        expect(BigInt(entry.sharesBalance)).toBe(holding.shares);
        expect(BigInt(entry.sharesBalance)).toBe(await sharesOnChains(family, lower(wallet)));
        expect(BigInt(entry.costBasis)).toBe(holding.cost);
        expect(BigInt(entry.realized)).toBe(holding.realized);
        const value = (holding.shares * price) / 10n ** 6n;
        expect(BigInt(entry.currentValue!)).toBe(value);
        expect(BigInt(entry.unrealized!)).toBe(value - holding.cost);
        if (holding.shares > 0n) held++;
        if (holding.realized !== 0n) realized++;
      }
    }
    expect(held).toBeGreaterThan(10);
    expect(realized).toBeGreaterThan(3);
  });

  test('behavior: uses the current price, not that of the last tick', async () => {
    const family = config.families[0]!;
    const { familyId } = (await families.getAll(store)).find(({ slug }) => slug === family.slug)!;
    const instants = await ticks.getInstants(store, [familyId], 0, now());
    const price = await sharePriceOf(family);
    expect(await sharePriceOf(family, instants.at(-1)!)).not.toBe(price);
    const [wallet, { shares }] = [...holdingsOf(family)].find(
      ([, held]) => held.shares > 10n ** 9n,
    )!;
    const entry = entryIn(await ask(store, wallet), family.slug)!;
    expect(BigInt(entry.currentValue!)).toBe((shares * price) / 10n ** 6n);
  });

  test('behavior: the result does not depend on how far positions are folded', async () => {
    const family = config.families[0]!;
    const { familyId } = (await families.getAll(store)).find(({ slug }) => slug === family.slug)!;
    const wallets = [...holdingsOf(family).keys()].map(lower);
    const expected = await Promise.all(wallets.map((wallet) => ask(store, wallet)));
    // At the second of an event, the event must count once.
    const moves = [...views.values()].flatMap(({ events }) =>
      events.filter(({ address }) => lower(address) === family.address).map(({ time }) => time),
    );
    moves.sort((a, b) => a - b);
    for (const part of [0, 0.3, 0.8]) {
      const until = moves[Math.floor(moves.length * part)]!;
      const undone = store.transaction(async (tx) => {
        await families.setPositionUntil(tx, familyId, until);
        await refoldPositions(tx, familyId, wallets, until);
        for (const [i, wallet] of wallets.entries())
          expect(await ask(inTurn(tx), wallet)).toEqual(expected[i]);
        throw new Undone();
      });
      await expect(undone).rejects.toThrow(Undone);
    }
  });

  test('behavior: USD values at the newest price, of all families together', async () => {
    const feed = served.world.feeds.find(({ name }) => name === config.families[0]!.priceFeed)!;
    const { client } = views.get(feed.chainId)!;
    const [, price, , updatedAt] = await client.readContract({
      address: feed.address,
      abi: ABI,
      functionName: 'latestRoundData',
    });
    const dollars = (amount: string) => Number(BigInt(amount) * price) / 1e14;
    const [wallet] = [...holdingsOf(config.families[0]!)].find(([, { shares }]) => shares > 0n)!;
    const answer = await ask(store, wallet);
    let total = 0;
    for (const { usd, pricedAt, currentValue, unrealized, realized } of answer.families) {
      expect(usd!.currentValueUsd).toBeCloseTo(dollars(currentValue!), 6);
      expect(usd!.unrealizedUsd).toBeCloseTo(dollars(unrealized!), 6);
      expect(usd!.realizedUsd).toBeCloseTo(dollars(realized), 6);
      expect(pricedAt).toBe(new Date(Number(updatedAt) * 1000).toISOString());
      total += usd!.currentValueUsd;
    }
    expect(total).toBeGreaterThan(0);
    expect(answer.totals.currentValueUsd).toBe(total);
    expect(answer.totals.unpricedFamilies).toEqual([]);
  });

  test('behavior: a price that is too old is not used', async () => {
    const family = config.families[0]!;
    const [wallet] = [...holdingsOf(family)].find(([, { shares }]) => shares > 0n)!;
    const later = now() + config.prices.maxAgeSeconds + 1;
    const answer = await ask(store, wallet, { family: family.slug }, later);
    expect(answer.families).toMatchObject([{ family: family.slug, usd: null, pricedAt: null }]);
    expect(answer.totals).toEqual({
      currentValueUsd: 0,
      unrealizedUsd: 0,
      realizedUsd: 0,
      unpricedFamilies: [family.slug],
    });
  });

  test('behavior: only the requested family, and only families that the wallet ever held', async () => {
    for (const family of config.families) {
      const others = config.families.filter((one) => one !== family);
      for (const [wallet] of holdingsOf(family)) {
        const both = await ask(store, wallet);
        const one = await ask(store, wallet, { family: family.slug });
        expect(one.families).toEqual([entryIn(both, family.slug)]);
        for (const other of others) {
          expect(entryIn(both, other.slug) !== undefined).toBe(holdingsOf(other).has(wallet));
        }
      }
    }
  });

  test('behavior: a wallet without any activity', async () => {
    expect(await ask(store, STRANGER.toUpperCase().replace('0X', '0x'))).toEqual({
      wallet: getAddress(STRANGER),
      families: [],
      totals: { currentValueUsd: 0, unrealizedUsd: 0, realizedUsd: 0, unpricedFamilies: [] },
    });
  });

  test('error: an unknown family, and an invalid wallet', async () => {
    await expect(ask(store, STRANGER, { family: 'nothing' })).rejects.toThrow(NotFound);
    await expect(ask(store, '0x12')).rejects.toThrow(BadParameters);
    await expect(ask(store, STRANGER, { family: '' })).rejects.toThrow(BadParameters);
  });

  test('behavior: responses match the schema', async () => {
    const [route] = performanceRoutes({ config, store });
    expect(Value.Check(route!.response, route!.responseExample)).toBe(true);
    for (const [wallet] of holdingsOf(config.families[0]!)) {
      const answer = await ask(store, wallet);
      expect([...Value.Errors(route!.response, JSON.parse(JSON.stringify(answer)))]).toEqual([]);
    }
  });
});

class Undone extends Error {}

/** A transaction has one connection, which runs one query at a time. */
function inTurn(tx: Queryable): Queryable {
  let last: Promise<unknown> = Promise.resolve();
  return {
    query<Row>(...query: Parameters<Queryable['query']>) {
      const next = last.then(() => tx.query<Row>(...query));
      last = next.catch(() => undefined);
      return next;
    },
  };
}
