import { getMovements, getSharePriceSeries, getTvlSeries, type ListedVault } from '@assay/client';
import { client } from '../state/api.ts';
import { type FamilyPrices, type ShareMove, valueByDay, type WalletValues } from './valueDays.ts';

/** Further movements would take too many requests, and without the first ones no value is right. */
const MAX_PAGES = 10;
const PAGE = 500;
/** A series of days has at most so many. */
const MAX_DAYS = 5000;

export interface ReadValues extends WalletValues {
  /** Whether there are too many movements to read; then there are no values. */
  readonly isTooLong: boolean;
}

/** Reads what a wallet's shares were worth at the end of each day. */
export async function readValues(
  wallet: string,
  vaults: readonly ListedVault<bigint>[],
  signal: AbortSignal,
): Promise<ReadValues> {
  const moves: ShareMove[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { items, nextCursor }: Awaited<ReturnType<typeof readPage>> = await readPage(cursor);
    moves.push(...items);
    cursor = nextCursor;
    if (cursor === null) break;
  }
  const now = Math.floor(Date.now() / 1000);
  if (cursor !== null) return { ...valueByDay([], [], now), isTooLong: true };
  const families = [...new Set(moves.map(({ family }) => family))];
  const prices = await Promise.all(
    families.map((family) => readPrices(family, decimalsOf(family), signal)),
  );
  return { ...valueByDay(moves, prices, now), isTooLong: false };

  /** Null for a family that is not served now. */
  function decimalsOf(family: string): number | null {
    return vaults.find(({ slug }) => slug === family)?.assets?.share.decimals ?? null;
  }

  async function readPage(after: string | null) {
    const { items, nextCursor } = await getMovements(client, {
      ...{ walletAddress: wallet, limit: PAGE, signal, amounts: 'bigint' },
      ...(after !== null && { cursor: after }),
    });
    return {
      nextCursor,
      items: items.map(({ family, type, shares, usd, blockTimestamp }): ShareMove => {
        const isOut = type === 'exit' || type === 'sent';
        return { family, at: blockTimestamp, shares: isOut ? -shares : shares, usd };
      }),
    };
  }
}

/** The price of a share in USD: its price in the asset, times what the asset was worth in the TVL of that day. */
async function readPrices(
  slug: string,
  shareDecimals: number | null,
  signal: AbortSignal,
): Promise<FamilyPrices> {
  const query = { slug, interval: 'day', limit: MAX_DAYS, signal, amounts: 'bigint' } as const;
  const [prices, tvls] = await Promise.all([
    getSharePriceSeries(client, query),
    getTvlSeries(client, query),
  ]);
  const worth = new Map(
    tvls.map(({ at, value, usd }) => [
      at.slice(0, 10),
      usd === null || value === 0n ? null : usd / Number(value),
    ]),
  );
  return {
    family: slug,
    points: prices.map(({ at, value }) => {
      const perUnit = worth.get(at.slice(0, 10)) ?? null;
      return {
        at: Math.floor(Date.parse(at) / 1000),
        usdPerShare:
          perUnit === null || shareDecimals === null
            ? null
            : (Number(value) * perUnit) / 10 ** shareDecimals,
      };
    }),
  };
}
