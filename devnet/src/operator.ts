import type { Address } from 'viem';
import { encodeCall } from './abi.ts';
import { QUEUE_WAITS_FROM } from './closing.ts';
import { balanceOf, pendingOf, read, readNumber, readNumbers, readPendings } from './read.ts';
import { progress, type Scene, type SceneFamily, type ScenePool } from './scene.ts';
import { isNamed, take } from './users.ts';

const ALL = 2n ** 256n - 1n;
/** Share of the vault's assets on the chain that stays idle. */
const IDLE_BPS = 120n;
const BPS = 10_000n;
const FULFILLED_PER_ROUND = 6;
const LOOKED_AT_PER_ROUND = 24;

interface PoolView {
  readonly pool: ScenePool;
  readonly shares: bigint;
  readonly value: bigint;
  withdrawable: bigint;
  readonly leaving: bigint;
}

/** The vault's assets after the transactions sent so far are mined. */
export interface Books {
  held: bigint;
  owed: bigint;
  readonly total: bigint;
  readonly pools: readonly PoolView[];
}

type Arg = bigint | Address;

/** Runs one round of the operator's work for a family: collect, pay the queue, invest the rest. */
export async function tend(scene: Scene, family: SceneFamily): Promise<void> {
  if (family.master) return tendFeeder(scene, family, family.master);
  const books = await readBooks(scene, family);
  const ready = (books.total * IDLE_BPS) / BPS;
  await collect(scene, family, books);
  // Only when idle assets are low: adding a few units each round would be noise.
  if (books.held < books.owed + ready / 2n) raise(scene, family, books, books.owed + ready);
  await payQueue(scene, family, books);
  if (books.held > books.owed + 2n * ready) {
    invest(scene, family, books, books.held - books.owed - ready);
    return;
  }
  if (scene.random.chance(0.05)) leaveSlowly(scene, family, books);
  if (scene.random.chance(0.1) && books.held > books.owed) reallocate(scene, family, books);
}

export async function readBooks(scene: Scene, family: SceneFamily): Promise<Books> {
  const { chain } = scene;
  const { vault } = family;
  const open = family.pools.filter(({ status }) => status === 1 || status === 2);
  const [held, owed, ...shares] = await readNumbers(chain, [
    read(family.token, 'balanceOf(address)', [vault]),
    read(vault, 'totalPendingAssets()'),
    ...open.map(({ venue }) => read(venue, 'balanceOf(address)', [vault])),
  ]);
  // The second value is the amount in the venue's queue or, without a queue, the amount that it can pay now.
  const figures = await readNumbers(
    chain,
    open.flatMap(({ venue, plan }, index) => [
      read(venue, 'convertToAssets(uint256)', [shares[index]!]),
      plan.kind === 2
        ? read(venue, 'pendingExitAssets(address)', [vault])
        : read(venue, 'maxWithdraw(address)', [vault]),
    ]),
  );
  const pools = open.map((pool, index) => {
    const queued = pool.plan.kind === 2;
    const second = figures[index * 2 + 1]!;
    return {
      pool,
      shares: shares[index]!,
      value: figures[index * 2]!,
      withdrawable: queued ? 0n : second,
      leaving: queued ? second : 0n,
    };
  });
  const total = pools.reduce((sum, { value, leaving }) => sum + value + leaving, held!);
  return { held: held!, owed: owed!, total, pools };
}

/** Withdraws from the venues until the vault holds `wanted`, up to their liquidity. */
export function raise(scene: Scene, family: SceneFamily, books: Books, wanted: bigint): void {
  for (const view of books.pools) {
    const short = wanted - books.held;
    if (short <= 0n) return;
    // Not all of it: the venue's value changes until the block is mined.
    const usable = (view.withdrawable * 95n) / 100n;
    const part = usable < short ? usable : short;
    if (part === 0n) continue;
    run(scene, family, 'deallocate(address,uint256)', [view.pool.venue, part]);
    view.withdrawable -= part;
    books.held += part;
  }
  const leaving = books.pools.reduce((sum, view) => sum + view.leaving, 0n);
  let short = wanted - books.held - leaving;
  for (const view of books.pools) {
    if (short <= 0n || view.pool.plan.kind !== 2 || view.value === 0n) continue;
    const shares = short >= view.value ? view.shares : (view.shares * short) / view.value;
    if (shares === 0n) continue;
    run(scene, family, 'requestExit(address,uint256)', [view.pool.venue, shares]);
    short -= view.value;
  }
}

/** Collects matured withdrawals, sometimes rewards, and everything that an exit-only venue can pay. */
async function collect(scene: Scene, family: SceneFamily, books: Books): Promise<void> {
  for (const view of books.pools) {
    const { venue, plan, status } = view.pool;
    if (plan.kind === 2 && view.leaving > 0n) {
      const ready = await readNumber(scene.chain, venue, 'claimableExitAssets(address)', [
        family.vault,
      ]);
      if (ready > 0n) {
        run(scene, family, 'claimExit(address)', [venue]);
        books.held += ready;
      }
    }
    if (plan.kind === 3 && view.shares > 0n && scene.random.chance(0.2)) {
      run(scene, family, 'claimReward(address)', [venue]);
    }
    if (status !== 2 || view.shares === 0n) continue;
    if (plan.kind === 2) {
      run(scene, family, 'requestExit(address,uint256)', [venue, view.shares]);
    } else if (view.withdrawable > 0n) {
      run(scene, family, 'deallocate(address,uint256)', [venue, ALL]);
      books.held += view.withdrawable;
    }
    view.withdrawable = 0n;
  }
}

async function payQueue(scene: Scene, family: SceneFamily, books: Books): Promise<void> {
  const { random, chain } = scene;
  if (!scene.live && progress(scene, chain.tip.time) > QUEUE_WAITS_FROM) return;
  const waiting = [...family.queue].slice(0, LOOKED_AT_PER_ROUND);
  const pendings = await readPendings(chain, family.vault, waiting);
  let paid = 0;
  for (const [index, receiver] of waiting.entries()) {
    if (paid >= FULFILLED_PER_ROUND) return;
    const pending = pendings[index]!;
    if (pending.shares === 0n) {
      family.queue.delete(receiver);
      continue;
    }
    const partial = random.chance(0.2) && pending.shares > 10n;
    const shares = partial ? random.scale(pending.shares, 0.3, 0.7) : pending.shares;
    const assets = (pending.assets * shares) / pending.shares;
    if (!random.chance(payChance(scene, receiver)) || assets > books.held || !take(scene, receiver))
      continue;
    run(scene, family, 'fulfil(address,uint256)', [receiver, shares]);
    books.held -= assets;
    books.owed -= assets;
    paid += 1;
  }
}

/** Returns the probability that a request is paid in a round. Low in live rounds, which are seconds apart. */
function payChance(scene: Scene, receiver: Address): number {
  if (!scene.live) return 0.75;
  return isNamed(scene, receiver) ? 0.005 : 0.15;
}

function invest(scene: Scene, family: SceneFamily, books: Books, amount: bigint): void {
  const open = books.pools.filter(({ pool }) => pool.status === 1 && !pool.plan.idleOnly);
  if (open.length === 0) return;
  const first = scene.random.pick(open);
  const second = scene.random.pick(open);
  const reserve = books.pools.find(({ pool }) => pool.plan.idleOnly && pool.status === 1);
  const parts = [
    { view: first, part: (amount * 60n) / 100n },
    { view: second, part: (amount * 35n) / 100n },
    { view: reserve ?? first, part: (amount * 5n) / 100n },
  ];
  for (const { view, part } of parts) {
    if (part > 0n) run(scene, family, 'allocate(address,uint256)', [view.pool.venue, part]);
  }
}

function reallocate(scene: Scene, family: SceneFamily, books: Books): void {
  const from = books.pools.filter(({ withdrawable }) => withdrawable > family.typical);
  const to = books.pools.filter(({ pool }) => pool.status === 1 && !pool.plan.idleOnly);
  if (from.length === 0 || to.length === 0) return;
  const source = scene.random.pick(from);
  const target = scene.random.pick(to);
  if (source === target) return;
  const amount = scene.random.scale(source.withdrawable, 0.2, 0.6);
  run(scene, family, 'deallocate(address,uint256)', [source.pool.venue, amount]);
  run(scene, family, 'allocate(address,uint256)', [target.pool.venue, amount]);
}

/** Withdraws part of a position from a venue with a queue, which takes days. */
function leaveSlowly(scene: Scene, family: SceneFamily, books: Books): void {
  const view = books.pools.find(
    ({ pool, shares, leaving }) => pool.plan.kind === 2 && shares > 100n && leaving === 0n,
  );
  if (view?.pool.status !== 1) return;
  const shares = scene.random.scale(view.shares, 0.03, 0.1);
  run(scene, family, 'requestExit(address,uint256)', [view.pool.venue, shares]);
}

async function tendFeeder(scene: Scene, family: SceneFamily, master: SceneFamily): Promise<void> {
  const { chain } = scene;
  const { vault } = family;
  if (!family.priced) return;
  const [held, owed, masterShares, atMaster] = await Promise.all([
    balanceOf(chain, family.token, vault),
    readNumber(chain, vault, 'totalPendingAssets()'),
    balanceOf(chain, master.vault, vault),
    pendingOf(chain, master.vault, vault),
  ]);
  const invested = await readNumber(chain, master.vault, 'convertToAssets(uint256)', [
    masterShares,
  ]);
  const total = held + invested + atMaster.assets;
  const books: Books = { held, owed, total, pools: [] };
  await payQueue(scene, family, books);
  const short = books.owed - books.held - atMaster.assets;
  if (short > 0n && invested > 0n) {
    const shares = short >= invested ? masterShares : (masterShares * short) / invested + 1n;
    run(scene, family, 'pull(uint256)', [shares > masterShares ? masterShares : shares]);
    master.queue.add(vault);
    return;
  }
  const spare = books.held - books.owed - total / 20n;
  if (spare > total / 20n) run(scene, family, 'push(uint256)', [spare]);
}

export function run(
  scene: Scene,
  family: SceneFamily,
  signature: string,
  args: readonly Arg[],
): void {
  scene.chain.put({
    from: scene.cast.operator.address,
    to: family.vault,
    data: encodeCall(signature, args),
  });
}
