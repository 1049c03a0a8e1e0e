import type { Address } from '../../src/domain/hex.ts';
import type { Book } from './book.ts';
import { compareQueues } from './compareQueues.ts';
import { difference, type Snapshot, seconds } from './compareSnapshot.ts';
import { holdersOf, walletsOf } from './holders.ts';
import type { Family, Place } from './scenario.ts';
import type { Served } from './serve.ts';
import { convertToAssets, positionOf, ratioAt } from './words.ts';

interface Performance {
  readonly families: readonly {
    readonly family: string;
    readonly realized: string;
    readonly costBasis: string;
    readonly sharesBalance: string;
    readonly currentValue: string | null;
    readonly unrealized: string | null;
  }[];
}

export async function performanceOf(served: Served, family: Family, wallet: Address) {
  const answer = await served.get<Performance>(`/v1/performance/${wallet}?family=${family.slug}`);
  return answer.families.find((entry) => entry.family === family.slug);
}

/** Compares every wallet's holdings with the contracts and with the scenario's record. */
export async function compareWallets(
  served: Served,
  family: Family,
  book: Book,
): Promise<string[]> {
  const found: string[] = [];
  const standings = book.standings(family.slug);
  const holders = new Set(await holdersOf(family));
  const wallets = new Set([...(await walletsOf(family)), ...standings.keys()]);
  const { stats } = await served.get<Snapshot>(`/v1/vaults/${family.slug}`);
  const newest = seconds(stats.updatedAt);
  for (const wallet of wallets) {
    const entry = await performanceOf(served, family, wallet);
    const said = (what: string, got: string | null | undefined, expected: bigint, slack = 0n) => {
      const off = difference(got ?? null, expected, slack);
      if (off !== undefined)
        found.push(`wallet ${wallet}: ${what} is ${got}, must be ${expected}${off}`);
    };
    let shares = 0n;
    for (const place of family.places) {
      shares += await positionOf(family, place, wallet, place.chain.tip.number);
    }
    if (entry === undefined) {
      // A wallet has no performance entry if its shares came and went in one transaction, or if it only had pending
      // requests.
      if (shares > 0n || (standings.has(wallet) && holders.has(wallet)))
        found.push(`wallet ${wallet}: no performance, it has ${shares} shares`);
    } else {
      said('sharesBalance', entry.sharesBalance, shares);
      found.push(...(await compareValue(family, wallet, entry.currentValue, newest)));
      const held = standings.get(wallet);
      if (held !== undefined) {
        said('costBasis', entry.costBasis, held.cost, held.slack);
        said('realized', entry.realized, held.realized, held.slack);
        if (held.plain) {
          const net = BigInt(entry.costBasis) - BigInt(entry.realized);
          said('costBasis − realized', String(net), held.paidIn - held.paidOut, held.netSlack);
        }
        if (held.shares !== shares) {
          found.push(
            `the scenario's book has ${held.shares} shares of ${wallet}, the contracts ${shares}`,
          );
        }
      }
      const { currentValue, costBasis } = entry;
      const gain = currentValue === null ? null : `${BigInt(currentValue) - BigInt(costBasis)}`;
      if (entry.unrealized !== gain) {
        found.push(`wallet ${wallet}: unrealized is ${entry.unrealized}, not ${gain}`);
      }
    }
    found.push(...(await compareQueues(served, family, wallet)));
  }
  for (const place of family.places) {
    for (const custody of new Set([...place.custody, ...(place.routers ?? [])])) {
      const entry = await performanceOf(served, family, custody);
      if (entry !== undefined && BigInt(entry.sharesBalance) !== 0n) {
        found.push(`custody ${custody}: has a position of ${entry.sharesBalance} shares`);
      }
    }
  }
  return found;
}

/** The value must lie between the values at the newest tick and at the head, because many vaults earn every second. */
async function compareValue(
  family: Family,
  wallet: Address,
  got: string | null,
  newest: number,
): Promise<string[]> {
  const ticked = await worthAt(family, wallet, ({ chain }) => chain.blockAt(newest));
  const head = await worthAt(family, wallet, ({ chain }) => chain.tip.number);
  if (got === null || ticked === null || head === null) {
    return got === null && head === null
      ? []
      : [`wallet ${wallet}: currentValue is ${got}, must be ${head}`];
  }
  const [low, high] = ticked < head ? [ticked, head] : [head, ticked];
  if (BigInt(got) >= low - 1n && BigInt(got) <= high + 1n) return [];
  return [`wallet ${wallet}: currentValue is ${got}, must be ${head} (${BigInt(got) - head} off)`];
}

/**
 * Returns Σ over chains of shares × that chain's price, rounded down once; on a single chain, the vault's own
 * conversion. Null if no chain has a price.
 */
async function worthAt(
  family: Family,
  wallet: Address,
  blockOf: (place: Place) => number,
): Promise<bigint | null> {
  const [only, ...others] = family.places;
  if (others.length === 0) {
    const shares = await positionOf(family, only!, wallet, only!.chain.tip.number);
    return convertToAssets(only!, shares, blockOf(only!));
  }
  let sum = 0n;
  let below = 1n;
  let priced = false;
  for (const place of family.places) {
    const shares = await positionOf(family, place, wallet, place.chain.tip.number);
    const ratio = await ratioAt(place, blockOf(place));
    if (ratio === null) continue;
    priced = true;
    sum = sum * ratio.shares + shares * ratio.assets * below;
    below *= ratio.shares;
  }
  return priced ? sum / below : null;
}
