import { parseConfig } from '../../src/config/load.ts';
import type { Address } from '../../src/domain/hex.ts';
import { exitsRoute } from '../../src/http/vault/exits.ts';
import { createLiveChains } from '../../src/http/vault/liveChains.ts';
import { pendingRedeemRoutes } from '../../src/http/vault/pendingRedeems.ts';
import type { PendingRedeems } from '../../src/http/vault/pendingRedeemsSchema.ts';
import type { Store } from '../../src/store/store.ts';
import { walletsOf } from './holders.ts';
import { configOf, type Family, type Place, type Scenario } from './scenario.ts';
import { convertToAssets, waitingAt } from './words.ts';

interface Request {
  readonly at: number;
  readonly order: number;
  readonly wallet: Address;
  /** The total that the vault reserved for all of the wallet's pending requests. */
  readonly pool: { assets: bigint; shares: bigint };
  shares: bigint;
}

interface Watched {
  readonly waits: readonly { readonly seconds: number; readonly shares: bigint }[];
  readonly settled: ReadonlySet<Request>;
  /** Open requests by place, oldest first. */
  readonly open: ReadonlyMap<Place, readonly Request[]>;
}

/** Compares wait times and the queue ahead of each redemption, by reading every requester’s queue at every block since. */
export async function compareWaits(store: Store, scenario: Scenario): Promise<string[]> {
  const config = parseConfig({ file: 'scenario.yaml', text: configOf(scenario), env: {} });
  const chains = createLiveChains(config, { deadlineMs: 60_000 });
  const found: string[] = [];
  for (const family of scenario.families) {
    const wallets = await walletsOf(family);
    const watched = await watch(family, scenario, wallets);
    const now = Math.max(...family.places.map(({ chain }) => chain.tip.time)) + 1;
    const request = { path: { slug: family.slug }, query: new Map(), now };
    const served = await exitsRoute({ config, store }).answer(request);
    const expected = expectedExits(watched);
    const { paid, waiting } = served as ReturnType<typeof expectedExits>;
    if (JSON.stringify({ paid, waiting }) !== JSON.stringify(expected)) {
      found.push(
        `exits of ${family.slug}: ${JSON.stringify({ paid, waiting })}, must be ${JSON.stringify(expected)}`,
      );
    }
    const [route] = pendingRedeemRoutes({ config, store, chains });
    for (const wallet of wallets) {
      const query = new Map([['family', [family.slug]]]);
      const asked = { path: { walletAddress: wallet }, query, now };
      const { redeems } = (await route!.answer(asked)) as PendingRedeems;
      found.push(...(await compareBefore(family, watched, wallet, redeems)));
    }
  }
  chains.close();
  return found;
}

function expectedExits({ waits, settled, open }: Watched) {
  const sorted = waits.toSorted((a, b) => a.seconds - b.seconds);
  const total = sum(sorted);
  /** Returns the shortest wait that covers this percentage of the shares. */
  const within = (percent: bigint) => {
    const one = sorted.find(
      (_, i) => sum(sorted.slice(0, i + 1)) * 100n >= total * percent && total > 0n,
    );
    return one?.seconds ?? null;
  };
  const all = [...open.values()].flat();
  const oldest = Math.min(...all.map(({ at }) => at));
  return {
    paid: {
      requests: settled.size,
      shares: String(total),
      medianSeconds: within(50n),
      p90Seconds: within(90n),
    },
    waiting: {
      requests: all.length,
      shares: String(sum(all)),
      oldest: all.length === 0 ? null : new Date(oldest * 1000).toISOString(),
    },
  };
}

/** Follows each wallet's queue block by block: adds requested shares, and takes off settled and returned ones. */
async function watch(
  family: Family,
  { book }: Scenario,
  wallets: readonly Address[],
): Promise<Watched> {
  const waits: { seconds: number; shares: bigint }[] = [];
  const settled = new Set<Request>();
  const open = new Map<Place, Request[]>();
  for (const place of family.places) {
    const { chain } = place;
    const served = book.history.filter(
      (entry) => entry.family === family.slug && entry.chainId === chain.chainId,
    );
    const left: Request[] = [];
    for (const wallet of wallets) {
      const queue: Request[] = [];
      const pool = { assets: 0n, shares: 0n };
      let before = { shares: 0n, returned: 0n };
      const first = served.find(({ type, user }) => type === 'redeem' && user === wallet);
      if (first === undefined) continue;
      for (let block = first.block; block <= chain.tip.number; block++) {
        const after = await waitingAt(family, place, wallet, block);
        const own = served.filter((entry) => entry.block === block && entry.user === wallet);
        const at = chain.timeOf(block);
        for (const [order, { type, shares, assets }] of own.entries()) {
          if (type !== 'redeem') continue;
          queue.push({ at, order: block * 1000 + order, wallet, pool, shares });
          pool.assets += assets;
          pool.shares += shares;
        }
        const asked = sum(own.filter(({ type }) => type === 'redeem'));
        const fetched = sum(own.filter(({ type }) => type === 'cancel'));
        const back = fetched + after.returned - before.returned;
        take(queue.toReversed(), back);
        take(queue, before.shares + asked - back - after.shares, (request, shares) => {
          waits.push({ seconds: at - request.at, shares });
          settled.add(request);
        });
        // Settled or returned shares take their part of the reserved assets with them.
        if (pool.shares > 0n) pool.assets = (pool.assets * after.shares) / pool.shares;
        pool.shares = after.shares;
        before = after;
      }
      left.push(...queue.filter(({ shares }) => shares > 0n));
    }
    open.set(
      place,
      left.sort((a, b) => a.order - b.order),
    );
  }
  return { waits, settled, open };
}

function take(
  queue: readonly Request[],
  shares: bigint,
  onTaken: (request: Request, shares: bigint) => void = () => {},
): void {
  let left = shares;
  for (const request of queue) {
    const part = request.shares < left ? request.shares : left;
    if (part <= 0n) continue;
    request.shares -= part;
    left -= part;
    onTaken(request, part);
  }
}

async function compareBefore(
  family: Family,
  { open }: Watched,
  wallet: Address,
  redeems: PendingRedeems['redeems'],
): Promise<string[]> {
  const found: string[] = [];
  for (const { chainId, shares, assetsAhead: got, assetsAheadReason: why } of redeems) {
    const place = family.places.find(({ chain }) => chain.chainId === chainId)!;
    if (place.vaults.length > 1 || shares === '0') {
      if (got !== null || why === null) found.push(`before ${wallet}: ${got}, must be unknown`);
      continue;
    }
    const queue = open.get(place)!;
    const last = queue.findLastIndex((request) => request.wallet === wallet);
    const before = queue.slice(0, last).filter((request) => request.wallet !== wallet);
    const expected = await worthOf(family, place, before);
    const off = got === null ? null : BigInt(got) - expected;
    // Each partial payment is rounded once.
    const slack = 8n * BigInt(before.length) + 1n;
    if (off === null || off > slack || -off > slack) {
      found.push(`before ${wallet} on ${chainId}: ${got} (${why}), must be ${expected}`);
    }
  }
  return found;
}

/** Returns the assets reserved for the remaining shares, or, if the vault reserves none, what the shares convert to. */
async function worthOf(family: Family, place: Place, requests: readonly Request[]) {
  if (family.kind !== 'receiver-queue' && !place.promised) {
    return (await convertToAssets(place, sum(requests), place.chain.tip.number)) ?? 0n;
  }
  return requests.reduce(
    (total, { pool, shares }) => total + (pool.assets * shares) / pool.shares,
    0n,
  );
}

function sum(list: readonly { readonly shares: bigint }[]): bigint {
  return list.reduce((total, { shares }) => total + shares, 0n);
}
