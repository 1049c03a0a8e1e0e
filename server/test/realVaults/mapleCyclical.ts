import { type Address, lower } from '../../src/domain/hex.ts';
import { createCast, HOUR } from './cast.ts';
import type { Contract, Receipt } from './chain.ts';
import { compareNotices } from './compareNotices.ts';
import { npmCompiled } from './contracts.ts';
import type { Played } from './testScenario.ts';
import { createShortWorld, createVaultActs, UNIT } from './vaultActs.ts';

const CYCLE = 3 * HOUR;
const WINDOW = HOUR;
/** Times at which acts follow: every second one is in a window. */
const ROUNDS = 12;

/** A locked request, as its contract reports it for the next block. */
interface Request {
  readonly shares: bigint;
  /** Before its window, nothing can be done with it. */
  readonly state: 'none' | 'pending' | 'window' | 'missed';
}

/** Plays Maple's cyclical withdrawals: windows, partial liquidity, a missed window, additions, and cancels. */
export async function playMapleCyclical(): Promise<Played> {
  const world = await createShortWorld(31_375);
  const { chain, usd, deploy } = world;
  const { dan, eve, fay, gus } = createCast();
  const pool = await deploy('MapleCyclicalPool', usd.address, BigInt(CYCLE), BigInt(WINDOW));
  const manager = await named('MapleCyclicalPoolManager', pool, 'manager');
  const queue = await named('MapleCyclicalManager', manager, 'withdrawalManager');
  const loans = await named('MapleCyclicalLoans', manager, 'loans');
  const { family, acts, send, deposit } = await createVaultActs(world, pool, {
    ...{ slug: 'cyclical', kind: 'erc4626', wallets: [dan, eve, fay, gus] },
    place: {
      custody: [pool.address, manager.address, queue.address],
      queued: (wallet, block) => chain.read(queue, 'lockedShares', [wallet], block),
    },
  });
  for (const [wallet, assets] of [
    [dan, 20_000n],
    [eve, 15_000n],
    [fay, 9_000n],
    [gus, 6_000n],
  ] as const) {
    await deposit(wallet, assets * UNIT);
  }
  await chain.send(dan, manager, 'setLosses', [100n * UNIT]);
  const done = { partial: 0, whole: 0, added: 0, removed: 0 };
  for (let i = 0; i < ROUNDS; i++) await live(CYCLE / 2);
  const missing = Object.entries(done).filter(([, times]) => times === 0);
  if (missing.length > 0) throw new Error(`never played: ${missing.map(([what]) => what)}`);
  return {
    families: [family],
    book: world.book,
    goOn: () => live(CYCLE / 4),
    more: (served) => compareNotices(served, {}),
  };

  async function live(wait: number): Promise<void> {
    chain.advance(wait);
    await chain.send(dan, usd, 'mint', [loans.address, 31n * UNIT]);
    await redeemOrRequest(dan, 6_000n * UNIT + 1n);
    await redeemOrRequest(eve, 2_500n * UNIT);
    await removeOrRequest(fay);
    await addOrRequest(gus);
    // With little cash, the owners of a cycle redeem a part each.
    const cash = await chain.read(usd, 'balanceOf', [pool.address]);
    if (cash > 4_000n * UNIT) await send(dan, 'lend', [cash - 4_000n * UNIT]);
    else await chain.send(dan, loans, 'repay', [3_000n * UNIT]);
  }

  async function redeemOrRequest(wallet: Address, shares: bigint): Promise<void> {
    const { state, shares: locked } = await requestOf(wallet);
    if (state === 'none') await request(wallet, shares);
    else if (state === 'window') await redeem(wallet, locked);
    // A part that was left over can miss its window as well.
    else if (state === 'missed') await request(wallet, UNIT);
  }

  async function removeOrRequest(wallet: Address): Promise<void> {
    const { state, shares } = await requestOf(wallet);
    if (state === 'none') return request(wallet, 50n * UNIT + 7n);
    if (state === 'pending') return;
    const removed = shares > 20n * UNIT ? shares / 2n : shares;
    const receipt = await send(wallet, 'removeShares', [removed, wallet]);
    note(receipt, 'cancel', wallet, await acts.worth(removed, receipt), removed, 1n);
    done.removed++;
  }

  /** Misses its windows, and moves what is locked with each addition. */
  async function addOrRequest(wallet: Address): Promise<void> {
    const { state } = await requestOf(wallet);
    if (state === 'none') await request(wallet, 40n * UNIT);
    if (state !== 'missed') return;
    await request(wallet, 11n * UNIT);
    done.added++;
  }

  async function request(wallet: Address, shares: bigint): Promise<void> {
    const receipt = await send(wallet, 'requestRedeem', [shares, wallet]);
    note(receipt, 'redeem', wallet, await acts.worth(shares, receipt), shares, 1n);
  }

  async function redeem(wallet: Address, locked: bigint): Promise<void> {
    const before = await chain.read(usd, 'balanceOf', [wallet]);
    const receipt = await send(wallet, 'redeem', [locked, wallet, wallet]);
    const assets = (await chain.read(usd, 'balanceOf', [wallet])) - before;
    const left = await chain.read(queue, 'lockedShares', [wallet]);
    const shares = locked - left;
    note(receipt, 'withdraw', wallet, assets, shares);
    await acts.move(receipt, { wallet, kind: 'exit', shares, assets });
    done[left > 0n ? 'partial' : 'whole']++;
  }

  async function requestOf(wallet: Address): Promise<Request> {
    const shares = await chain.read(queue, 'lockedShares', [wallet]);
    if (shares === 0n) return { shares, state: 'none' };
    if (await chain.read<boolean>(queue, 'isInExitWindow', [wallet])) {
      return { shares, state: 'window' };
    }
    const isMissed = await chain.read<boolean>(queue, 'hasWindowBegun', [wallet]);
    return { shares, state: isMissed ? 'missed' : 'pending' };
  }

  async function named(name: string, of: Contract, fn: string): Promise<Contract> {
    return {
      address: lower(await chain.read<Address>(of, fn)),
      abi: (await npmCompiled(name)).abi,
    };
  }

  function note(
    receipt: Receipt,
    type: 'redeem' | 'cancel' | 'withdraw',
    user: Address,
    assets: bigint,
    shares: bigint,
    slack = 0n,
  ): void {
    acts.note(receipt, { type, vault: pool.address, user, assets, shares, slack });
  }
}
