import { parseAbi } from 'viem';
import { type Snapshot, seconds } from './compareSnapshot.ts';
import { type Family, type Feed, MAX_PRICE_AGE, TICKS } from './scenario.ts';
import type { Served } from './serve.ts';
import { convertToAssets, decimalsOf, type Ratio, ratioAt, totalAssets } from './words.ts';

interface TvlTick {
  readonly at: string;
  readonly value: string;
  readonly usd: number | null;
}

const DAY = 86_400;
const YEAR = 365 * DAY;
const EXACT = 1e-9;
const FEED = parseAbi([
  'function latestRoundData() view returns (uint80 id, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredIn)',
  'function decimals() view returns (uint8)',
]);

/** Compares every tick of every series with the contracts at the last block at or before its timestamp. */
export async function compareSeries(
  served: Served,
  family: Family,
  feed?: Feed,
): Promise<string[]> {
  const path = (name: string) =>
    `/v1/vaults/${family.slug}/timeseries/${name}?interval=raw&limit=5000`;
  const [tvl, prices, apys] = await Promise.all([
    served.get<TvlTick[]>(path('tvl')),
    served.get<{ at: string; value: string }[]>(path('share-price')),
    served.get<{ at: string; value: number }[]>(path('apy')),
  ]);
  const found: string[] = [...missingTicks(family, new Set(tvl.map(({ at }) => seconds(at))))];
  const priceAt = new Map(prices.map(({ at, value }) => [seconds(at), value]));
  const apyAt = new Map(apys.map(({ at, value }) => [seconds(at), value]));
  const first = family.places.find(({ role }) => role !== 'execution')!;
  const unit = 10n ** BigInt(await decimalsOf(first, first.share, first.chain.tip.number));
  const ratios: { at: number; ratio: Ratio }[] = [];
  const wrong = {
    tvl: [] as string[],
    price: [] as string[],
    apy: [] as string[],
    usd: [] as string[],
  };
  for (const tick of tvl) {
    const at = seconds(tick.at);
    let sum = 0n;
    for (const place of family.places) {
      const block = place.chain.blockAt(at);
      if (block >= place.startBlock) sum += await totalAssets(place, block);
    }
    if (BigInt(tick.value) !== sum) wrong.tvl.push(`${at}: ${tick.value}, not ${sum}`);
    const usd = feed && (await usdOf(feed, family, sum, at));
    if (feed && !near(tick.usd, usd!)) wrong.usd.push(`${at}: ${tick.usd}, not ${usd}`);
    const block = first.chain.blockAt(at);
    const begun = block >= first.startBlock;
    const price = begun ? await convertToAssets(first, unit, block) : null;
    const got = priceAt.get(at);
    if ((got ?? null) !== (price === null ? null : String(price)))
      wrong.price.push(`${at}: ${got}, not ${price}`);
    const ratio = begun ? await ratioAt(first, block) : null;
    if (ratio === null) continue;
    const apy = apyOf(ratios, { at, ratio }, 7);
    if (!near(apyAt.get(at) ?? null, apy)) wrong.apy.push(`${at}: ${apyAt.get(at)}, not ${apy}`);
    ratios.push({ at, ratio });
  }
  for (const [name, list] of Object.entries(wrong)) {
    if (list.length > 0) {
      found.push(
        `series ${name}: ${list.length} of ${tvl.length} ticks are wrong, first ${list.slice(0, 2).join('; ')}, last ${list.at(-1)}`,
      );
    }
  }
  const { stats } = await served.get<Snapshot>(`/v1/vaults/${family.slug}`);
  const newest = ratios.findLast(({ at }) => at <= seconds(stats.updatedAt));
  for (const [name, days] of [
    ['apy1d', 1],
    ['apy7d', 7],
    ['apy30d', 30],
    ['apy', 7],
  ] as const) {
    const before = ratios.filter(({ at }) => at < (newest?.at ?? 0));
    const expected = newest === undefined ? null : apyOf(before, newest, days);
    if (!near(stats[name], expected))
      found.push(`snapshot: ${name} is ${stats[name]}, not ${expected}`);
  }
  return found;
}

/** Returns the hours without a tick between the first block of all chains and the last known timestamp. */
function missingTicks(family: Family, instants: ReadonlySet<number>): string[] {
  const begun = Math.max(...family.places.map(({ chain, startBlock }) => chain.timeOf(startBlock)));
  const known = Math.min(...family.places.map(({ chain }) => chain.tip.time)) - 1;
  const step = TICKS.backfillSeconds;
  const missing: number[] = [];
  for (let at = Math.ceil(begun / step) * step; at <= known; at += step) {
    if (!instants.has(at)) missing.push(at);
  }
  return missing.length === 0
    ? []
    : [`series: ${missing.length} hours have no tick, first ${missing[0]}`];
}

function apyOf(
  earlier: readonly { at: number; ratio: Ratio }[],
  now: { at: number; ratio: Ratio },
  days: number,
): number | null {
  const from = earlier.findLast(({ at }) => at <= now.at - days * DAY) ?? earlier[0];
  if (from === undefined || from.ratio.assets === 0n || now.ratio.assets === 0n) return null;
  const before = from.ratio.assets * now.ratio.shares;
  const grown = now.ratio.assets * from.ratio.shares - before;
  // Scales the growth to 30 digits before the conversion to a number, so that a small growth keeps its digits.
  const growth = Number((grown * 10n ** 30n) / before) / 1e30;
  const apy = Math.expm1((Math.log1p(growth) * YEAR) / (now.at - from.at));
  return Number.isFinite(apy) ? apy : null;
}

function near(got: number | null | undefined, expected: number | null): boolean {
  if (got == null || expected === null) return (got ?? null) === expected;
  return Math.abs(got - expected) <= EXACT * Math.max(1, Math.abs(expected));
}

/** Reads the price from the proxy's newest round at that timestamp; null if it is too old or missing. */
async function usdOf(
  feed: Feed,
  family: Family,
  amount: bigint,
  at: number,
): Promise<number | null> {
  const contract = { address: feed.proxy, abi: FEED };
  const block = feed.chain.blockAt(at);
  const round = await feed.chain
    .read<readonly bigint[]>(contract, 'latestRoundData', [], block)
    .catch(() => null);
  if (round === null || round[1]! <= 0n || at - Number(round[3]!) > MAX_PRICE_AGE) return null;
  const digits = await feed.chain.read<number>(contract, 'decimals', [], block);
  const [place] = family.places;
  const decimals = await decimalsOf(place!, place!.asset, place!.chain.tip.number);
  return Number(amount * round[1]!) / 10 ** (decimals + digits);
}
