import { type Address, lower } from '../../src/domain/hex.ts';
import { createCast, DAY, HOUR } from './cast.ts';
import type { Contract, Receipt } from './chain.ts';
import { compareNotices } from './compareNotices.ts';
import { npmCompiled } from './contracts.ts';
import type { Played } from './testScenario.ts';
import {
  createShortWorld,
  createVaultActs,
  type ShortWorld,
  UNIT,
  type VaultActs,
} from './vaultActs.ts';

/** `wait`: extra seconds before the next block. */
type Story = VaultActs & { live(wait: number): Promise<void> };

/** Seconds between blocks. */
const BLOCK = 12;

/** Plays redemptions with special queues: at a rate fixed by the request, or outside the vault. */
export async function playOutsideQueues(): Promise<Played> {
  const world = await createShortWorld(31_341);
  const stories = [await timelocked(world), await maple(world), await mellow(world)];
  for (let i = 0; i < 3; i++) await live(6 * HOUR);
  return {
    families: stories.map(({ family }) => family),
    book: world.book,
    goOn: () => live(20 * 60),
    more: (served) =>
      compareNotices(served, { timelocked: ['fixed-request'], mellow: ['booked-redemption'] }),
  };

  async function live(wait: number): Promise<void> {
    world.chain.advance(wait);
    for (const [i, story] of stories.entries()) await story.live(i === 0 ? wait : 0);
  }
}

async function timelocked(world: ShortWorld): Promise<Story> {
  const { chain, usd, deploy } = world;
  const { ann, bob, cleo } = createCast();
  const vault = await deploy('TimelockedVault', usd.address, BigInt(3 * HOUR));
  const vaultActs = await createVaultActs(world, vault, {
    ...{ slug: 'timelocked', kind: 'erc7540', wallets: [ann, bob, cleo] },
    place: {
      depositsAtOnce: true,
      virtualShares: 1n,
      promised: (wallet, block) => chain.read(vault, 'promised', [wallet], block),
    },
  });
  const { acts, deposit } = vaultActs;
  await deposit(ann, 10_000n * UNIT);
  await deposit(bob, 6_000n * UNIT);
  return { ...vaultActs, live };

  async function live(wait: number): Promise<void> {
    await claim(chain.tip.time + BLOCK + wait);
    await chain.send(ann, usd, 'mint', [vault.address, 17n * UNIT]);
    await enter();
  }

  /** Sends all requests in one block. Each fixes its assets at the price that the previous request left. */
  async function enter(): Promise<void> {
    const wanted = [];
    // The request gives the shares to the controller, at the amount that the contract fixed.
    for (const [owner, controller, shares] of [
      [ann, ann, 300n * UNIT],
      [bob, cleo, 200n * UNIT],
    ] as const) {
      if ((await openOf(controller)) === 0n) wanted.push({ owner, controller, shares });
    }
    const paid = 1_500n * UNIT;
    const [joined, ...receipts] = await chain.together([
      { from: cleo, to: vault, fn: 'deposit', args: [paid, cleo] },
      ...wanted.map(({ owner, controller, shares }) => {
        return { from: owner, to: vault, fn: 'requestRedeem', args: [shares, controller, owner] };
      }),
    ]);
    const { block } = joined!;
    const held = (at: number) => chain.read(vault, 'balanceOf', [cleo], at);
    const bought = { shares: (await held(block)) - (await held(block - 1)), assets: paid };
    acts.note(joined!, { type: 'deposit', vault: vault.address, user: cleo, ...bought });
    await acts.move(joined!, { wallet: cleo, kind: 'deposit', ...bought });
    for (const [i, { owner, controller, shares }] of wanted.entries()) {
      const done = receipts[i]!;
      const assets = await chain.read(vault, 'promised', [controller], block);
      const entry = { type: 'redeem', vault: vault.address, user: controller } as const;
      acts.note(done, { ...entry, assets, shares, slack: 1n });
      if (owner === controller) continue;
      await acts.move(done, { wallet: owner, kind: 'sent', shares, assets: 0n });
      await acts.move(done, { wallet: controller, kind: 'received', shares, assets });
    }
  }

  async function openOf(wallet: Address): Promise<bigint> {
    const pending = await chain.read(vault, 'pendingRedeemRequest', [0n, wallet]);
    return pending + (await chain.read(vault, 'claimableRedeemRequest', [0n, wallet]));
  }

  /** Claims in one block, the first after the requests became ready; no event marks that moment. */
  async function claim(at: number): Promise<void> {
    const open = [];
    for (const wallet of [ann, cleo]) {
      const shares = await openOf(wallet);
      const ready = Number(await chain.read(vault, 'claimableAt', [wallet]));
      if (shares > 0n && ready <= at) open.push({ wallet, shares });
    }
    const calls = open.map(({ wallet, shares }) => {
      return { from: wallet, to: vault, fn: 'redeem', args: [shares, wallet, wallet] };
    });
    if (calls.length === 0) return;
    const receipts = await chain.together(calls);
    for (const [i, { wallet, shares }] of open.entries()) {
      const done = receipts[i]!;
      const assets = BigInt(done.logs.at(-1)!.data.slice(0, 66));
      acts.note(done, { type: 'withdraw', vault: vault.address, user: wallet, assets, shares });
      await acts.move(done, { wallet, kind: 'exit', shares, assets });
    }
  }
}

async function maple(world: ShortWorld): Promise<Story> {
  const { chain, usd, deploy } = world;
  const { dan, eve, fay } = createCast();
  const pool = await deploy('MaplePool', usd.address);
  const manager: Contract = {
    address: lower(await chain.read<Address>(pool, 'manager')),
    abi: (await npmCompiled('MaplePoolManager')).abi,
  };
  const queue: Contract = {
    address: lower(await chain.read<Address>(manager, 'withdrawalManager')),
    abi: (await npmCompiled('MapleWithdrawalManager')).abi,
  };
  const vaultActs = await createVaultActs(world, pool, {
    ...{ slug: 'maple', kind: 'erc4626', wallets: [dan, eve, fay] },
    place: {
      custody: [pool.address, manager.address, queue.address],
      async queued(wallet, block) {
        const id = await chain.read(queue, 'requestIds', [wallet], block);
        const [, shares] = await chain.read<[Address, bigint]>(queue, 'requests', [id], block);
        return shares;
      },
      async outside(wallet, block) {
        const shares = await chain.read(queue, 'manualSharesAvailable', [wallet], block);
        const assets = await chain.read(pool, 'convertToExitAssets', [shares], block);
        return { claimableShares: shares, claimableAssets: assets, pendingAssets: 0n };
      },
    },
  });
  const { acts, send, deposit } = vaultActs;
  await send(dan, 'setManualWithdrawal', [dan, true], queue);
  await deposit(dan, 20_000n * UNIT);
  await deposit(eve, 15_000n * UNIT);
  await deposit(fay, 9_000n * UNIT);
  await chain.send(dan, manager, 'setLosses', [100n * UNIT]);
  return { ...vaultActs, live };

  async function live(): Promise<void> {
    await chain.send(dan, usd, 'mint', [pool.address, 23n * UNIT]);
    await take(dan);
    await cancel(fay);
    await request(dan, 1_500n * UNIT);
    await request(eve, 700n * UNIT);
    await request(fay, 50n * UNIT);
    // Dan can claim 500; 1,000 are still pending.
    await process(500n * UNIT);
  }

  async function request(wallet: Address, shares: bigint): Promise<void> {
    if ((await chain.read<bigint>(queue, 'requestIds', [wallet])) !== 0n) return;
    const done = await send(wallet, 'requestRedeem', [shares, wallet]);
    note(done, 'redeem', wallet, await acts.worth(shares, done), shares, 1n);
  }

  async function cancel(wallet: Address): Promise<void> {
    const id = await chain.read(queue, 'requestIds', [wallet]);
    const [, shares] = await chain.read<[Address, bigint]>(queue, 'requests', [id]);
    if (shares === 0n) return;
    const done = await send(wallet, 'removeShares', [shares, wallet]);
    note(done, 'cancel', wallet, await acts.worth(shares, done), shares, 1n);
  }

  /** Wallets that claim manually are paid later; the others are paid at once. */
  async function process(shares: bigint): Promise<void> {
    const before = await chain.read(usd, 'balanceOf', [eve]);
    const done = await send(dan, 'processRedemptions', [shares], queue);
    const assets = (await chain.read(usd, 'balanceOf', [eve])) - before;
    if (assets === 0n) return;
    const paid = done.logs
      .filter(({ topics }) => topics.length === 3 && BigInt(topics[2]!) === 0n)
      .reduce((sum, { data }) => sum + BigInt(data), 0n);
    note(done, 'withdraw', eve, assets, paid);
    await acts.move(done, { wallet: eve, kind: 'exit', shares: paid, assets });
  }

  async function take(wallet: Address): Promise<void> {
    const shares = (await chain.read(queue, 'manualSharesAvailable', [wallet])) / 2n;
    if (shares === 0n) return;
    const assets = await chain.read(pool, 'convertToExitAssets', [shares]);
    const done = await send(wallet, 'redeem', [shares, wallet, wallet]);
    note(done, 'withdraw', wallet, assets, shares);
    await acts.move(done, { wallet, kind: 'exit', shares, assets });
  }

  function note(
    done: Receipt,
    type: 'redeem' | 'cancel' | 'withdraw',
    user: Address,
    assets: bigint,
    shares: bigint,
    slack = 0n,
  ): void {
    acts.note(done, { type, vault: pool.address, user, assets, shares, slack });
  }
}

async function mellow(world: ShortWorld): Promise<Story> {
  const { chain, usd, deploy } = world;
  const { gus, hal } = createCast();
  const vault = await deploy('MellowVault', usd.address, BigInt(DAY / 4));
  const at = async (name: string, of: string): Promise<Contract> => ({
    address: lower(await chain.read<Address>(vault, of)),
    abi: (await npmCompiled(name)).abi,
  });
  const queue = await at('MellowQueue', 'withdrawalQueue');
  const stake = await at('SymbioticStake', 'symbioticVault');
  const vaultActs = await createVaultActs(world, vault, {
    ...{ slug: 'mellow', kind: 'erc4626', wallets: [gus, hal] },
    place: {
      virtualShares: 1n,
      owed: (block) => chain.read(queue, 'pendingAssets', [], block),
      outside: async (wallet, block) => ({
        claimableShares: 0n,
        claimableAssets: await chain.read(queue, 'claimableAssetsOf', [wallet], block),
        pendingAssets: await chain.read(queue, 'pendingAssetsOf', [wallet], block),
      }),
    },
  });
  const { acts, send, deposit } = vaultActs;
  await deposit(gus, 8_000n * UNIT);
  await deposit(hal, 4_000n * UNIT);
  return { ...vaultActs, live };

  async function live(): Promise<void> {
    const ready = await chain.read(queue, 'claimableAssetsOf', [gus]);
    if (ready > 0n) await send(gus, 'claim', [gus, gus, ready / 2n + 1n], queue);
    for (const wallet of [gus, hal]) {
      const assets = 120n * UNIT;
      const shares = await chain.read(vault, 'previewWithdraw', [assets]);
      const done = await send(wallet, 'withdraw', [assets, wallet, wallet]);
      acts.note(done, { type: 'withdraw', vault: vault.address, user: wallet, assets, shares });
      await acts.move(done, { wallet, kind: 'exit', shares, assets });
    }
    // The slash also reduces pending redemptions.
    await chain.send(gus, stake, 'slash', [10n]);
  }
}
