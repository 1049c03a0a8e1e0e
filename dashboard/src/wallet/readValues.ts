import {
  getMovements,
  getSharePriceSeries,
  getTvlSeries,
  type ListedVault,
  type MovementPage,
} from '@assay/client';
import { client } from '../state/api.ts';
import { type LoggedMove, withoutOwn } from './ownMoves.ts';
import { type FamilyPrices, valueByDay, type WalletValues } from './valueDays.ts';

/** Further movements would take too many requests, and without the first ones no value is right. */
const MAX_PAGES = 10;
const PAGE = 500;
/** A series of days has at most so many. */
const MAX_DAYS = 5000;

export interface ReadValues extends WalletValues {
  /** Wallets with too many movements to read. With one, there are no values: a sum without it would be wrong. */
  readonly tooLong: readonly string[];
}

/** Reads what the shares of one owner's wallets were worth at the end of each day. */
export async function readValues(
  wallets: readonly string[],
  vaults: readonly ListedVault<bigint>[],
  signal: AbortSignal,
): Promise<ReadValues> {
  const found = await Promise.all(wallets.map((wallet) => readMoves(wallet, signal)));
  const now = Math.floor(Date.now() / 1000);
  const tooLong = wallets.filter((_, index) => found[index] === undefined);
  if (tooLong.length > 0) return { ...valueByDay([], [], now), tooLong };
  const moves = withoutOwn(found.flatMap((one) => one ?? []));
  const families = [...new Set(moves.map(({ family }) => family))];
  const prices = await Promise.all(
    families.map((family) => readPrices(family, decimalsOf(family), signal)),
  );
  return { ...valueByDay(moves, prices, now), tooLong };

  /** Null for a family that is not served now. */
  function decimalsOf(family: string): number | null {
    return vaults.find(({ slug }) => slug === family)?.assets?.share.decimals ?? null;
  }
}

/** Undefined if there are too many. */
async function readMoves(
  walletAddress: string,
  signal: AbortSignal,
): Promise<readonly LoggedMove[] | undefined> {
  const moves: LoggedMove[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const found: MovementPage<bigint> = await getMovements(client, {
      ...{ walletAddress, limit: PAGE, signal, amounts: 'bigint' },
      ...(cursor !== null && { cursor }),
    });
    for (const { family, type, shares, usd, ...rest } of found.items) {
      const isOut = type === 'exit' || type === 'sent';
      const log = `${rest.chainId} ${rest.blockNumber} ${rest.logIndex}`;
      const at = rest.blockTimestamp;
      moves.push({ family, at, shares: isOut ? -shares : shares, usd, type, log });
    }
    cursor = found.nextCursor;
    if (cursor === null) return moves;
  }
  return undefined;
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
