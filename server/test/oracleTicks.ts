import type { Row } from './oracleDifference.ts';

const DAY = 86_400;
const YEAR = 365 * DAY;

export interface ChainTick {
  readonly chainId: number;
  readonly at: number;
  readonly idle: bigint;
  readonly invested: bigint;
  readonly pendingExits: bigint;
  readonly pendingRedemptionAssets: bigint;
  readonly shareSupply: bigint;
  readonly sharePrice: bigint | null;
  readonly rewardPerYear: bigint;
}

export interface Price {
  readonly at: number;
  readonly value: bigint;
  readonly decimals: number;
}

export interface FamilyFacts {
  /** Indexed chains with the time of the family's first block on each. */
  readonly chains: readonly { readonly chainId: number; readonly startTime: number }[];
  readonly priceChainId: number;
  readonly assetDecimals: number;
  /** Ascending; empty if the family has no feed. */
  readonly prices: readonly Price[];
  readonly maxPriceAge: number;
}

/** Returns the family's ticks up to a timestamp, each computed from the states of all its chains. */
export function ticksOf(family: FamilyFacts, rows: readonly ChainTick[], until: number): Row[] {
  const byInstant = groupBy(
    rows.filter((row) => row.at <= until),
    (row) => row.at,
  );
  const priced: { at: number; price: bigint }[] = [];
  const ticks: Row[] = [];
  for (const at of [...byInstant.keys()].sort((a, b) => a - b)) {
    const states = byInstant.get(at)!;
    const begun = family.chains.filter(({ startTime }) => startTime <= at);
    if (!begun.every(({ chainId }) => states.some((state) => state.chainId === chainId))) continue;
    const sum = (pick: (state: ChainTick) => bigint) =>
      states.reduce((total, state) => total + pick(state), 0n);
    const tvl = sum((state) => state.idle + state.invested + state.pendingExits);
    const own = states.find(({ chainId }) => chainId === family.priceChainId);
    const price = own?.sharePrice ?? null;
    const usd = usdPriceAt(family, at);
    const apy = (days: number) => (price === null ? null : apyOf(priced, at, price, days * DAY));
    ticks.push({
      at,
      tvl,
      idle: sum((state) => state.idle),
      invested: sum((state) => state.invested),
      pendingExits: sum((state) => state.pendingExits),
      pendingRedemptionAssets: sum((state) => state.pendingRedemptionAssets),
      totalShares: sum((state) => state.shareSupply),
      assetsPerShare: price,
      usd: usd === undefined ? null : worthOf(tvl, family.assetDecimals, usd),
      apy1d: apy(1),
      apy7d: apy(7),
      apy30d: apy(30),
      rewardApr: tvl === 0n ? 0 : Number(sum((state) => state.rewardPerYear)) / Number(tvl),
      imported: false,
    });
    if (price !== null) priced.push({ at, price });
  }
  return ticks;
}

/** Returns the newest price that is not too old. */
export function usdPriceAt(
  { prices, maxPriceAge }: Pick<FamilyFacts, 'prices' | 'maxPriceAge'>,
  at: number,
): Price | undefined {
  const newest = prices.findLast((price) => price.at <= at);
  return newest !== undefined && at - newest.at <= maxPriceAge ? newest : undefined;
}

export function worthOf(amount: bigint, assetDecimals: number, price: Price): number {
  return Number(amount * price.value) / 10 ** (assetDecimals + price.decimals);
}

/** Returns the compound rate since `span` earlier, or since the first price if that is later. */
function apyOf(
  priced: readonly { at: number; price: bigint }[],
  at: number,
  price: bigint,
  span: number,
): number | null {
  const from = priced.findLast((point) => point.at <= at - span) ?? priced[0];
  if (from === undefined) return null;
  const apy = (Number(price) / Number(from.price)) ** (YEAR / (at - from.at)) - 1;
  return Number.isFinite(apy) ? apy : null;
}

/** Returns the last tick of each hour and day, series by series. */
export function rollupsOf(ticks: readonly Row[]): Row[] {
  return [3600, DAY].flatMap((span) => {
    const buckets = groupBy(ticks, (tick) => Math.floor((tick.at as number) / span) * span);
    return [...buckets].map(([bucket, unordered]) => {
      const own = unordered.toSorted((a, b) => (a.at as number) - (b.at as number));
      const last = (field: string) => own.findLast((tick) => tick[field] !== null);
      const tvl = last('tvl');
      const apy = last('apy7d');
      const price = last('assetsPerShare');
      return {
        span,
        bucket,
        tvlAt: tvl?.at ?? null,
        tvl: tvl?.tvl ?? null,
        usd: tvl?.usd ?? null,
        apyAt: apy?.at ?? null,
        apy: apy?.apy7d ?? null,
        sharePriceAt: price?.at ?? null,
        assetsPerShare: price?.assetsPerShare ?? null,
        imported: Boolean(tvl?.imported) || Boolean(apy?.imported),
      };
    });
  });
}

/** Returns the multiples of `interval` in [from, until]. */
export function gridOf(from: number, until: number, interval: number): number[] {
  const first = Math.ceil(from / interval) * interval;
  const length = Math.max(0, Math.floor((until - first) / interval) + 1);
  return Array.from({ length }, (_, i) => first + i * interval);
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => number): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
