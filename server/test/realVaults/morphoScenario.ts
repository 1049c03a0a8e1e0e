import { type Address, lower } from '../../src/domain/hex.ts';
import { createRandom } from '../activity.ts';
import { createBook } from './book.ts';
import { createLocalChain } from './chain.ts';
import { difference, type Exposure, type Snapshot, seconds } from './compareSnapshot.ts';
import { createFeed } from './feed.ts';
import {
  BORROWER,
  borrow,
  deployMorpho,
  expectedSupply,
  FEE_RECIPIENT,
  LIQUIDATOR,
  type MorphoWorld,
} from './morphoDeploy.ts';
import { createPlainActs } from './plainActs.ts';
import { createWallets, DAYS, OWNER, startOfPlay } from './plainScenario.ts';
import type { Served } from './serve.ts';
import type { Played } from './testScenario.ts';

const DAY = 86_400;
const USDC = 10n ** 6n;
const ALL = 2n ** 256n - 1n;

/** Plays lenders, borrowers, a liquidation that leaves a loss, and a feed that changes its aggregator. */
export async function playMorpho(): Promise<Played> {
  const random = createRandom(1_632);
  const chain = await createLocalChain({ chainId: 31_501, startTime: startOfPlay() });
  const book = createBook();
  const wallets = createWallets(10);
  const world = await deployMorpho(chain);
  const { vault, asset, morpho, markets } = world;
  const feed = await createFeed(chain, asset.address);
  await feed.submit(99_990_000n);
  const acts = createPlainActs({
    chain,
    family: 'mmusdc',
    vault,
    asset,
    book,
    feeRecipient: FEE_RECIPIENT,
  });
  for (const wallet of wallets) await acts.fund(wallet, 1_000_000n * USDC);
  // The amount exceeds the caps of both markets, so the rest goes to the idle market.
  await acts.deposit(wallets[0]!, 90_000n * USDC);
  await acts.deposit(wallets[1]!, 45_000n * USDC, wallets[2]);
  await borrow(world, markets[0], 20n * 10n ** 18n, 30_000n * USDC);
  await borrow(world, markets[1], 10n ** 8n, 20_000n * USDC);
  const middle = startOfPlay() + 6 * DAY;
  const end = startOfPlay() + DAYS * DAY;
  while (chain.tip.time < middle) await step(600 * (1 + random.int(24)));
  await liquidate();
  await feed.changeAggregator();
  await feed.submit(100_020_000n);
  while (chain.tip.time < end) await step(600 * (1 + random.int(24)));
  await feed.submit(100_010_000n);
  return {
    book,
    families: [
      {
        slug: 'mmusdc',
        kind: 'erc4626',
        keys: { priceFeed: 'usdc-usd' },
        places: [
          {
            chain,
            vaults: [vault.address],
            share: vault.address,
            asset: asset.address,
            startBlock: world.startBlock,
            custody: [vault.address],
            virtualShares: 10n ** 12n,
            dilutes: true,
          },
        ],
      },
    ],
    feeds: [{ name: 'usdc-usd', chain, proxy: feed.proxy, startBlock: feed.startBlock }],
    async goOn() {
      for (let i = 0; i < 8; i++) await step(60 * random.int(12));
    },
    more: (served) => compareAllocation(served, world),
  };

  async function step(seconds: number): Promise<void> {
    chain.advance(seconds);
    const wallet = random.pick(wallets);
    const other = random.pick(wallets);
    const amount = (USDC * BigInt(1 + random.int(3_000_000))) / 1000n;
    const held = await acts.balance(wallet);
    // `maxRedeem` leaves out what the markets cannot pay out now.
    const free = await chain.read(vault, 'maxRedeem', [wallet]);
    const part = free / BigInt(2 + random.int(4));
    switch (random.int(9)) {
      case 0:
      case 1:
        return acts.deposit(wallet, amount, other);
      case 2:
      case 3:
        if (part > 0n) return acts.redeem(wallet, part, other);
        return acts.deposit(wallet, amount);
      case 4:
        if (free > 0n && free === held) return acts.redeem(wallet, held);
        return acts.deposit(wallet, 1n + BigInt(random.int(9)));
      case 5:
      case 6:
        if (held > 1n) return acts.transfer(wallet, other, held / 2n);
        return acts.deposit(wallet, amount);
      case 7:
        return feed.submit(99_900_000n + BigInt(random.int(200_000)));
      default:
        return reallocate();
    }
  }

  /**
   * Moves 1,000 USDC from the first market to the idle one if it is liquid. Otherwise, accrues the second market's
   * interest.
   */
  async function reallocate(): Promise<void> {
    const [from, to] = random.int(2) === 0 ? [markets[0], markets[2]] : [markets[2], markets[0]];
    const { value, liquidity } = await expectedSupply(world, from, chain.tip.number);
    if (liquidity < 2_000n * USDC || from === markets[2]) {
      await chain.send(OWNER, morpho, 'accrueInterest', [markets[1].params]);
      return;
    }
    const allocations = [
      { marketParams: from.params, assets: value - 1_000n * USDC },
      { marketParams: to.params, assets: ALL },
    ];
    await chain.send(OWNER, vault, 'reallocate', [allocations]);
  }

  /** The second market's collateral loses so much value that the lenders have a loss. */
  async function liquidate(): Promise<void> {
    const { params, oracle } = markets[1];
    await chain.send(OWNER, oracle!, 'setPrice', [15_000n * 10n ** 34n]);
    await chain.together([
      { from: LIQUIDATOR, to: asset, fn: 'mint', args: [LIQUIDATOR, 10n ** 12n] },
      { from: LIQUIDATOR, to: asset, fn: 'approve', args: [morpho.address, ALL] },
    ]);
    await chain.send(LIQUIDATOR, morpho, 'liquidate', [params, BORROWER, 10n ** 8n, 0n, '0x']);
    await chain.send(OWNER, oracle!, 'setPrice', [90_000n * 10n ** 34n]);
  }
}

/** Compares the pools and the assets behind them with Morpho's markets. */
async function compareAllocation(served: Served, world: MorphoWorld): Promise<string[]> {
  const { chain, vault, asset, markets } = world;
  const { stats, exposure } = await served.get<Snapshot>('/v1/vaults/mmusdc');
  const block = chain.blockAt(seconds(stats.updatedAt));
  const found: string[] = [];
  const values: bigint[] = [];
  for (const market of markets) {
    const { value, liquidity } = await expectedSupply(world, market, block);
    values.push(value);
    const name = `market ${market.id.slice(0, 10)} of ${value}`;
    const pool = stats.pools.find((one) => BigInt(one.value) === value);
    if (pool === undefined) {
      found.push(`${name}: no pool has its value`);
      continue;
    }
    if (difference(pool.availableLiquidity, liquidity) !== undefined) {
      found.push(
        `${name}: ${pool.availableLiquidity} can be taken out, the market says ${liquidity}`,
      );
    }
    if (pool.idleOnly !== (market.collateral === null)) {
      found.push(`${name}: idleOnly is ${pool.idleOnly}`);
    }
    const bps = Number((value * 10_000n) / BigInt(stats.tvl));
    if (Math.abs(pool.allocationBps - bps) > 1) {
      found.push(`${name}: ${pool.allocationBps} bps of the total, not ${bps}`);
    }
  }
  const total = await chain.read(vault, 'totalAssets', [], block);
  const sum = values.reduce((all, value) => all + value, 0n);
  if (sum !== total) found.push(`invariant 7: markets hold ${sum}, total assets are ${total}`);
  if (stats.pools.length !== markets.length) {
    found.push(`${stats.pools.length} pools are served, the vault has ${markets.length} markets`);
  }
  const usd = (amount: bigint) =>
    stats.tvlUsd === null ? null : (Number(amount) / Number(total)) * stats.tvlUsd;
  const near = (what: string, got: number | null | undefined, expected: number | null) => {
    const off =
      got == null || expected === null ? got !== expected : Math.abs(got - expected) > 1e-6;
    if (off) found.push(`exposure: ${what} is ${got}, must be ${expected}`);
  };
  const [eth, btc, idle] = values as [bigint, bigint, bigint];
  const entry = (list: readonly Exposure[], address: Address) =>
    list.find((one) => lower(one.address) === address)?.exposureUsd;
  near('allocatedUsd', exposure.allocatedUsd, usd(total));
  near('WETH', entry(exposure.collateral, markets[0].params.collateralToken), usd(eth));
  near('WBTC', entry(exposure.collateral, markets[1].params.collateralToken), usd(btc));
  near('USDC', entry(exposure.underlying, asset.address), usd(total));
  near('uncollateralizedUsd', exposure.uncollateralizedUsd, usd(idle));
  near('unclassifiedUsd', exposure.unclassifiedUsd, stats.tvlUsd === null ? null : 0);
  return found.map((text) => `mmusdc: ${text}`);
}
