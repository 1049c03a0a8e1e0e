import { type Address, lower } from '../../src/domain/hex.ts';
import type { Book } from './book.ts';
import { difference, type Snapshot, seconds } from './compareSnapshot.ts';
import { walletsOf } from './holders.ts';
import { queueAmounts } from './queueAmounts.ts';
import type { Family, Place } from './scenario.ts';
import type { Served } from './serve.ts';
import { positionOf, type Queue, queuesOf, ratioAt } from './words.ts';

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

interface Waiting {
  readonly chainId: number;
  readonly vault: string;
  readonly baseAsset?: string;
  readonly shares?: string;
  readonly requestedAssets?: string;
  readonly currentAssets?: string;
  readonly claimableShares?: string;
  readonly claimableAssets?: string | null;
  readonly assets?: string;
}

export async function performanceOf(served: Served, family: Family, wallet: Address) {
  const answer = await served.get<Performance>(`/v1/performance/${wallet}?family=${family.slug}`);
  return answer.families.find((entry) => entry.family === family.slug);
}

/** What every wallet has, by the contracts' own words and by the scenario's book. */
export async function compareWallets(
  served: Served,
  family: Family,
  book: Book,
): Promise<string[]> {
  const found: string[] = [];
  const standings = book.standings(family.slug);
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
      // Shares that came and went within a transaction leave nothing to tell of.
      if (shares > 0n || standings.has(wallet))
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
          said('costBasis − realized', String(net), held.paidIn - held.paidOut, held.slack);
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

/** Worth something between the newest tick and the head: many vaults earn by the second. */
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
 * Σ over chains of shares × that chain's price, rounded down once; of one chain, what the vault itself makes of the
 * shares. Null where no chain has a price.
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

/** The queues of a wallet at the heads. */
async function compareQueues(served: Served, family: Family, wallet: Address): Promise<string[]> {
  const found: string[] = [];
  const about = (route: string) =>
    served.get<Record<string, unknown>>(`/v1/users/${wallet}/${route}?family=${family.slug}`);
  const answer = await about('pending-redeems');
  if ((answer.incompleteChains as number[]).length > 0)
    found.push(`pending redeems of ${wallet}: incomplete`);
  const redeems = [...(answer.redeems as Waiting[])];
  const deposits = family.kind === 'erc7540' ? await pendingDeposits() : [];
  for (const place of family.places) {
    const block = place.chain.tip.number;
    for (const queue of await queuesOf(family, place, wallet, block)) {
      const name = `of ${wallet} at ${queue.vault} on ${place.chain.chainId}`;
      const leaving = take(redeems, place.chain.chainId, queue);
      const owed = await queueAmounts(place, queue, leaving?.baseAsset, block);
      // One that is paused may leave unsaid what a claim would pay, but must not say 0.
      const unsaid = leaving?.claimableAssets === null && (await isQuiet(place, block));
      const expected = {
        shares: queue.shares,
        currentAssets: owed.currentAssets,
        requestedAssets: queue.requestedAssets ?? owed.currentAssets,
        ...(family.kind === 'erc7540' && { claimableShares: queue.claimableShares }),
        ...(family.kind === 'erc7540' && !unsaid && { claimableAssets: owed.claimableAssets }),
      };
      found.push(...judge(`redeems ${name}`, leaving, expected, owed.slack));
      if (family.kind !== 'erc7540') continue;
      const coming = take(deposits, place.chain.chainId, queue);
      const paid = await queueAmounts(place, queue, coming?.baseAsset, block);
      const told = {
        assets: paid.pendingDeposit,
        claimableAssets: paid.claimableDeposit,
        claimableShares: queue.depositShares,
      };
      found.push(...judge(`deposits ${name}`, coming, told, paid.slack));
    }
  }
  for (const entry of [...redeems, ...deposits]) {
    found.push(`pending of ${wallet}: served but not on the chain: ${JSON.stringify(entry)}`);
  }
  return found;

  /** A route that does not answer must not hide what is wrong with the other. */
  async function pendingDeposits(): Promise<Waiting[]> {
    const answer = await about('pending-deposits').catch((error: Error) => {
      found.push(error.message);
      return { deposits: [] };
    });
    return [...(answer.deposits as Waiting[])];
  }
}

function take(entries: Waiting[], chainId: number, { vault }: Queue): Waiting | undefined {
  const at = entries.findIndex((one) => one.chainId === chainId && lower(one.vault) === vault);
  return at < 0 ? undefined : entries.splice(at, 1)[0];
}

async function isQuiet(place: Place, block: number): Promise<boolean> {
  return ((await place.spokenAt?.(block)) ?? block) !== block;
}

/** No entry is right where there is nothing. */
function judge(
  name: string,
  entry: Waiting | undefined,
  expected: Readonly<Partial<Record<keyof Waiting, bigint>>>,
  slack: bigint,
): string[] {
  if (entry === undefined) {
    const nothing = Object.values(expected).every((amount) => amount === 0n);
    return nothing ? [] : [`pending ${name}: missing`];
  }
  return Object.entries(expected).flatMap(([key, amount]) => {
    const got = entry[key as keyof Waiting];
    // Shares are never a value.
    const near = key.endsWith('hares') ? 0n : slack;
    const off = difference(got == null ? null : String(got), amount, near);
    return off === undefined
      ? []
      : [`pending ${name}: ${key} is ${got}, the contract says ${amount}${off}`];
  });
}
