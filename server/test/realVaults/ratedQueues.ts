import { type Address, type Hex, lower } from '../../src/domain/hex.ts';
import { createCast, UNLIMITED } from './cast.ts';
import type { Contract, Receipt } from './chain.ts';
import { OWNER } from './plainScenario.ts';
import {
  createRatedWorld,
  RATE_SHARES,
  type RatedSystem,
  type RatedWorld,
  tokenWords,
} from './ratedActs.ts';
import { playTurns, type RatedPlayed, startRated } from './ratedPlay.ts';

const USD = 10n ** 6n;
const WHOLE = 10n ** 18n;

/** Plays vaults that queue redemptions by number, by epoch, or by receiver. */
export async function playQueues(): Promise<RatedPlayed> {
  const world = await createRatedWorld(31_353);
  const systems = [
    await veda(world),
    await concrete(world),
    await lagged(world),
    // Last, because its acts may be undone by a reorg.
    await upshift(world),
  ];
  return playTurns(world, systems);
}

async function fund(
  { chain }: RatedWorld,
  wallets: readonly Address[],
  spenders: readonly { token: Contract; spender: Address; amount: bigint }[],
): Promise<void> {
  for (const from of wallets) {
    await chain.together(
      spenders.flatMap(({ token, spender, amount }) => [
        ...(amount === 0n ? [] : [{ from, to: token, fn: 'mint', args: [from, amount] }]),
        { from, to: token, fn: 'approve', args: [spender, UNLIMITED] },
      ]),
    );
  }
}

async function veda(world: RatedWorld): Promise<RatedSystem> {
  const { chain, deploy } = world;
  const { ann, bob, cleo } = createCast();
  const startBlock = chain.tip.number + 1;
  const vault = await deploy('VedaVault', 'bvUSD', 6);
  const usd = await deploy('Token', 'USDC', 6);
  const eth = await deploy('Token', 'WETH', 18);
  const accountant = await deploy('VedaAccountant', vault.address, usd.address);
  const teller = await deploy('VedaTeller', vault.address, accountant.address);
  const queue = await deploy('VedaQueue', teller.address);
  const solver = lower(await chain.read<Address>(queue, 'solver'));
  await chain.send(OWNER, vault, 'setBeforeTransferHook', [teller.address]);
  // One ether is worth 2,000 dollars.
  await chain.send(OWNER, accountant, 'setRateProviderData', [eth.address, 2_000n * USD]);
  await chain.send(OWNER, usd, 'mint', [vault.address, 1_000_000n * USD]);
  await fund(
    world,
    [ann, bob],
    [
      { token: usd, spender: vault.address, amount: 1_000_000n * USD },
      { token: eth, spender: vault.address, amount: 1_000n * WHOLE },
      { token: vault, spender: queue.address, amount: 0n },
    ],
  );
  const requests: { id: Hex; wallet: Address; shares: bigint; assets: bigint }[] = [];
  const system = startRated(world, {
    ...{ slug: 'veda', preset: 'veda-boring-vault', address: vault.address, share: vault.address },
    startBlock,
    contracts: {
      teller: teller.address,
      accountant: accountant.address,
      base: usd.address,
      queue: queue.address,
    },
    custody: [queue.address],
    routers: [solver],
    unit: { decimals: 6, token: usd.address },
    wallets: [ann, bob, cleo],
    words: {
      ...tokenWords(chain, vault, async (block) => {
        return { assets: await chain.read(accountant, 'getRateSafe', [], block), shares: USD };
      }),
      async queue(wallet, block) {
        let [shares, requestedAssets] = [0n, 0n];
        for (const { id } of requests) {
          const request = await chain.read<[Address, Address, bigint, bigint]>(
            ...([queue, 'requests', [id], block] as const),
          );
          if (lower(request[0]) !== wallet) continue;
          shares += request[2];
          requestedAssets += request[3];
        }
        return { shares, requestedAssets };
      },
    },
    place: { startBlock: chain.tip.number },
  });
  const { acts } = system;
  let open: typeof requests = [];
  return { ...system, live };

  async function live(turn: number): Promise<void> {
    await deposit(ann, 900n * USD + BigInt(turn));
    await deposit(bob, 300n * USD);
    // A deposit in another asset counts at the value of the shares.
    const other = await chain.send(bob, teller, 'deposit', [eth.address, WHOLE / 10n, bob]);
    await acts.bought(other, bob);
    await acts.arrived(await chain.send(OWNER, teller, 'bridge', [cleo, 50n * USD, true]), cleo);
    await acts.burned(await chain.send(OWNER, teller, 'bridge', [cleo, 20n * USD, false]), cleo);
    await acts.passed(await chain.send(ann, vault, 'transfer', [cleo, USD + 1n]), ann, cleo);
    await request(ann, 60n * USD);
    await request(bob, 40n * USD + 3n);
    const rate = USD + [2_000n, 9_000n, 4_000n][turn % 3]!;
    await chain.send(OWNER, accountant, 'updateExchangeRate', [rate]);
    if (turn % 2 === 0) await cancel();
    else await replace();
    await solve();
    await refund();
  }

  async function deposit(wallet: Address, amount: bigint): Promise<void> {
    const done = await chain.send(wallet, teller, 'deposit', [usd.address, amount, wallet]);
    await acts.bought(done, wallet, amount);
  }

  async function request(wallet: Address, shares: bigint): Promise<void> {
    const rate = await chain.read(accountant, 'getRateSafe');
    const assets = (shares * rate) / USD;
    const done = await chain.send(wallet, queue, 'requestOnChainWithdraw', [usd.address, shares]);
    remember(done.logs.at(-1)!.topics[1]!, wallet, shares, assets);
    await acts.requested(done, { owner: wallet, wallet, shares, assets });
  }

  function remember(id: Hex, wallet: Address, shares: bigint, assets: bigint): void {
    const one = { id, wallet, shares, assets };
    requests.push(one);
    open.push(one);
  }

  async function cancel(): Promise<void> {
    const one = open.pop()!;
    const done = await chain.send(one.wallet, queue, 'cancelOnChainWithdraw', [one.id]);
    await acts.cancelled(done, one.wallet, one.shares);
  }

  /** Cancels and requests again in one transaction, which moves no shares. */
  async function replace(): Promise<void> {
    const one = open.pop()!;
    const rate = await chain.read(accountant, 'getRateSafe');
    const assets = (one.shares * rate) / USD;
    const done = await chain.send(one.wallet, queue, 'replaceOnChainWithdraw', [one.id]);
    remember(done.logs.at(-1)!.topics[1]!, one.wallet, one.shares, assets);
    await acts.cancelled(done, one.wallet, one.shares);
    await acts.requested(done, {
      owner: one.wallet,
      wallet: one.wallet,
      shares: one.shares,
      assets,
    });
  }

  async function solve(): Promise<void> {
    if (open.length < 3) return;
    const solved = open.slice(0, 2);
    open = open.slice(2);
    const ids = solved.map(({ id }) => id);
    const done = await chain.send(OWNER, queue, 'solveOnChainWithdraws', [ids]);
    for (const { wallet, shares, assets } of solved) acts.paid(done, wallet, shares, assets);
  }

  /** Within the lock, a deposit is refunded at its cost. */
  async function refund(): Promise<void> {
    const before = await chain.read(vault, 'balanceOf', [bob]);
    await deposit(bob, 10n * USD);
    const nonce = await chain.read(teller, 'depositNonce');
    const shares = (await chain.read(vault, 'balanceOf', [bob])) - before;
    const args = [nonce, bob, usd.address, 10n * USD, shares];
    await acts.left(await chain.send(OWNER, teller, 'refundDeposit', args), bob, 10n * USD);
  }
}

async function concrete(world: RatedWorld): Promise<RatedSystem> {
  const { chain, deploy } = world;
  const { dan, eve, fay } = createCast();
  const startBlock = chain.tip.number + 1;
  const usd = await deploy('Token', 'USDT', 6);
  const vault = await deploy('ConcreteVault', usd.address);
  await fund(world, [dan, eve], [{ token: usd, spender: vault.address, amount: 1_000_000n * USD }]);
  const system = startRated(world, {
    ...{ slug: 'concrete', preset: 'concrete-async', address: vault.address, share: vault.address },
    startBlock,
    contracts: { asset: usd.address },
    custody: [vault.address],
    unit: { decimals: 6, token: usd.address },
    wallets: [dan, eve, fay],
    words: {
      ...tokenWords(chain, vault, async (block) => {
        const assets = await chain.read(vault, 'convertToAssets', [RATE_SHARES], block);
        return { assets, shares: RATE_SHARES };
      }),
      queue: epochsOf,
    },
    place: { startBlock: chain.tip.number },
  });
  const { acts } = system;
  return { ...system, live };

  async function epochsOf(wallet: Address, block: number) {
    const last = await chain.read(vault, 'latestEpochID', [], block);
    const found = { shares: 0n, claimableShares: 0n, claimableAssets: 0n };
    for (let epoch = 1n; epoch <= last; epoch++) {
      const shares = await chain.read(vault, 'getUserEpochRequest', [wallet, epoch], block);
      const price = await chain.read(vault, 'getEpochPricePerShare', [epoch], block);
      if (price === 0n) found.shares += shares;
      else {
        found.claimableShares += shares;
        // An epoch owes one total, which its requests share.
        const all = await chain.read(vault, 'totalRequestedSharesPerEpoch', [epoch], block);
        if (all > 0n) found.claimableAssets += (shares * ((all * price) / WHOLE)) / all;
      }
    }
    return found;
  }

  async function live(turn: number): Promise<void> {
    for (const [payer, wallet] of [
      [dan, dan],
      [eve, eve],
      [dan, fay],
    ] as const) {
      const assets = 800n * USD + BigInt(turn);
      const done = await chain.send(payer, vault, 'deposit', [assets, wallet]);
      await acts.bought(done, wallet, assets);
    }
    await leaveAtOnce();
    await chain.send(OWNER, usd, 'mint', [vault.address, 11n * USD]);
    await acts.passed(await chain.send(dan, vault, 'transfer', [fay, 5n * USD]), dan, fay);
    await redeem(dan, dan, 90n * USD);
    await redeem(eve, fay, 30n * USD + 1n);
    await redeem(eve, eve, 10n * USD);
    // Another account redeems for the owner.
    await redeem(fay, fay, 7n * USD, dan);
    const epoch = await chain.read(vault, 'latestEpochID');
    const cancelled = await chain.read(vault, 'getUserEpochRequest', [eve, epoch]);
    const done = await chain.send(eve, vault, 'cancelRequest', [epoch]);
    await acts.cancelled(done, eve, cancelled);
    if (turn % 2 === 0) return;
    await chain.send(OWNER, vault, 'closeEpoch', []);
    // A moved request is settled with the next epoch, at another price.
    const isMoved = turn % 4 === 3;
    if (isMoved) await chain.send(OWNER, vault, 'moveRequestToNextEpoch', [fay]);
    await chain.send(OWNER, vault, 'processEpoch', []);
    // The same wallet has more pending shares, and an epoch of another wallet is left out.
    await redeem(dan, dan, 4n * USD + 1n);
    await redeem(fay, fay, 3n * USD);
    await claim(dan, [epoch]);
    if (isMoved) await claim(fay, (await settledOf(fay)).slice(0, 2));
  }

  async function settledOf(wallet: Address): Promise<bigint[]> {
    const last = await chain.read(vault, 'latestEpochID');
    const found: bigint[] = [];
    for (let epoch = 1n; epoch < last; epoch++) {
      const shares = await chain.read(vault, 'getUserEpochRequest', [wallet, epoch]);
      const price = await chain.read(vault, 'getEpochPricePerShare', [epoch]);
      if (shares > 0n && price > 0n) found.push(epoch);
    }
    return found;
  }

  /** While the queue is off, an exit is paid at once. */
  async function leaveAtOnce(): Promise<void> {
    await chain.send(OWNER, vault, 'toggleQueueActive', []);
    const shares = 15n * USD + 2n;
    const assets = await chain.read(vault, 'previewRedeem', [shares]);
    await chain.send(fay, vault, 'approve', [dan, UNLIMITED]);
    const done = await chain.send(dan, vault, 'redeem', [shares, fay, fay]);
    await acts.left(done, fay, assets);
    await chain.send(OWNER, vault, 'toggleQueueActive', []);
  }

  async function redeem(
    owner: Address,
    receiver: Address,
    shares: bigint,
    caller = owner,
  ): Promise<void> {
    const done = await chain.send(caller, vault, 'redeem', [shares, receiver, owner]);
    await acts.requested(done, { owner, wallet: receiver, shares });
  }

  async function claim(wallet: Address, epochs: readonly bigint[]): Promise<void> {
    const parts: { shares: bigint; assets: bigint }[] = [];
    for (const epoch of epochs) {
      const shares = await chain.read(vault, 'getUserEpochRequest', [wallet, epoch]);
      const price = await chain.read(vault, 'getEpochPricePerShare', [epoch]);
      parts.push({ shares, assets: (shares * price) / WHOLE });
    }
    const done = await chain.send(wallet, vault, 'claimWithdrawal', [epochs]);
    // The event names one total for all epochs.
    const slack = epochs.length > 1 ? 1n : 0n;
    for (const { shares, assets } of parts) acts.paid(done, wallet, shares, assets, slack);
  }
}

async function upshift(world: RatedWorld): Promise<RatedSystem> {
  const { chain, deploy, at } = world;
  const { gus, hal } = createCast();
  const startBlock = chain.tip.number + 1;
  const usd = await deploy('Token', 'USDC', 6);
  const other = await deploy('Token', 'USDT', 6);
  const vault = await deploy('UpshiftVault', usd.address, 18);
  const share = await at('UpshiftShare', await chain.read<Address>(vault, 'lpTokenAddress'));
  await fund(
    world,
    [gus, hal],
    [
      { token: usd, spender: vault.address, amount: 1_000_000n * USD },
      { token: other, spender: vault.address, amount: 1_000_000n * USD },
    ],
  );
  const open: { wallet: Address; shares: bigint; day: bigint }[] = [];
  const system = startRated(world, {
    ...{ slug: 'upshift', preset: 'upshift', address: vault.address, share: share.address },
    startBlock,
    contracts: { lpToken: share.address, asset: usd.address },
    custody: [vault.address],
    unit: { decimals: 6, token: usd.address },
    wallets: [gus, hal],
    words: {
      ...tokenWords(chain, share, async (block) => {
        return { assets: await chain.read(vault, 'getSharePrice', [], block), shares: WHOLE };
      }),
      async queue(wallet, block) {
        const days = new Set(open.filter((one) => one.wallet === wallet).map(({ day }) => day));
        let shares = 0n;
        for (const day of days) {
          shares += await chain.read(vault, 'getBurnableAmountByReceiver', [day, wallet], block);
        }
        return { shares };
      },
    },
    place: { startBlock: chain.tip.number },
  });
  const { acts } = system;
  return { ...system, live };

  async function live(turn: number): Promise<void> {
    const assets = 1_500n * USD + BigInt(turn);
    for (const [payer, wallet] of [
      [gus, gus],
      [hal, hal],
      [gus, hal],
    ] as const) {
      const done = await chain.send(payer, vault, 'deposit', [usd.address, assets, wallet]);
      await acts.bought(done, wallet, assets);
    }
    const foreign = await chain.send(hal, vault, 'deposit', [other.address, 100n * USD, hal]);
    await acts.bought(foreign, hal);
    const external = await chain.read(vault, 'externalAssets');
    const change = turn % 3 === 2 ? -40n * USD : 30n * USD;
    await chain.send(OWNER, vault, 'updateTotalAssets', [external + change + 50n * USD]);
    await claim(turn);
    const shares = 20n * WHOLE + BigInt(turn);
    const day = BigInt(Math.floor((chain.tip.time + 12) / 86_400));
    for (const [owner, wallet] of [
      [gus, gus],
      [hal, gus],
    ] as const) {
      const done = await chain.send(owner, vault, 'requestRedeem', [shares, wallet]);
      open.push({ wallet, shares, day });
      await acts.requested(done, { owner, wallet, shares });
    }
    for (const receiver of [hal, gus]) {
      const before = await chain.read(usd, 'balanceOf', [receiver]);
      const out = await chain.send(hal, vault, 'instantRedeem', [5n * WHOLE, receiver]);
      const paid = (await chain.read(usd, 'balanceOf', [receiver])) - before;
      await acts.left(out, hal, paid, { receiver });
    }
  }

  async function claim(turn: number): Promise<void> {
    const today = BigInt(Math.floor(chain.tip.time / 86_400));
    const one = open.find(({ day }) => day < today);
    if (one === undefined || turn % 2 === 0) return;
    const shares = await chain.read(vault, 'getBurnableAmountByReceiver', [one.day, one.wallet]);
    if (shares === 0n) return;
    const before = await chain.read(usd, 'balanceOf', [one.wallet]);
    const done = await chain.send(one.wallet, vault, 'claim', [one.day, one.wallet]);
    const assets = (await chain.read(usd, 'balanceOf', [one.wallet])) - before;
    acts.paid(done, one.wallet, shares, assets);
  }
}

async function lagged(world: RatedWorld): Promise<RatedSystem> {
  const { chain, deploy } = world;
  const { ida, jon, kim } = createCast();
  const startBlock = chain.tip.number + 1;
  const usd = await deploy('Token', 'USDC', 6);
  const vault = await deploy('UpshiftAccount', usd.address, 50n);
  await fund(world, [ida, jon], [{ token: usd, spender: vault.address, amount: 1_000_000n * USD }]);
  const open: { wallet: Address; day: bigint; shares: bigint; assets: bigint }[] = [];
  // Also those that are paid: earlier blocks are read, too.
  const days = new Set<bigint>();
  const system = startRated(world, {
    ...{ slug: 'lagged', preset: 'upshift-lagged', address: vault.address, share: vault.address },
    startBlock,
    contracts: { asset: usd.address },
    custody: [vault.address],
    unit: { decimals: 6, token: usd.address },
    wallets: [ida, jon, kim],
    words: {
      ...tokenWords(chain, vault, async (block) => {
        const assets = await chain.read(vault, 'convertToAssets', [RATE_SHARES], block);
        return { assets, shares: RATE_SHARES };
      }),
      async queue(wallet, block) {
        const found = { shares: 0n, requestedAssets: 0n };
        for (const day of days) {
          const asked = [0n, 0n, day, wallet];
          found.shares += await chain.read(vault, 'getBurnableAmountByReceiver', asked, block);
          found.requestedAssets += await chain.read(
            ...([vault, 'getClaimableAmountByReceiver', asked, block] as const),
          );
        }
        return found;
      },
    },
    place: { startBlock: chain.tip.number },
  });
  const { acts } = system;
  return { ...system, live };

  async function live(turn: number): Promise<void> {
    for (const [payer, wallet] of [
      [ida, ida],
      [jon, jon],
      [ida, kim],
    ] as const) {
      const assets = 700n * USD + BigInt(turn);
      const done = await chain.send(payer, vault, 'deposit', [assets, wallet]);
      await acts.bought(done, wallet, assets);
    }
    await request(ida, ida, 31n * USD + 1n);
    await chain.send(OWNER, usd, 'mint', [vault.address, 9n * USD + 5n]);
    // The same receiver and day again, at another price.
    await request(ida, ida, 12n * USD);
    await request(jon, kim, 8n * USD + 7n);
    await claimOldest(turn);
    await leaveAtOnce();
    await chain.send(OWNER, vault, 'collectFees', [OWNER]);
  }

  async function request(owner: Address, wallet: Address, shares: bigint) {
    const lag = await chain.read(vault, 'lagDuration');
    const day = BigInt(Math.floor((chain.tip.time + 12 + 300 + Number(lag)) / 86_400));
    const worth = await chain.read(vault, 'convertToAssets', [shares]);
    const assets = worth - (worth * 50n) / 10_000n;
    const done = await chain.send(owner, vault, 'requestRedeem', [shares, wallet, owner]);
    days.add(day);
    open.push({ wallet, day, shares, assets });
    await acts.requested(done, { owner, wallet, shares, assets });
    return { done, day };
  }

  /** Of several days, the oldest is paid: to one receiver, or to all of them at once. */
  async function claimOldest(turn: number): Promise<void> {
    const [oldest, ...later] = [...new Set(open.map(({ day }) => day))].sort();
    if (oldest === undefined || later.length === 0) return;
    if (turn % 2 === 0) {
      const { wallet } = open.find(({ day }) => day === oldest)!;
      pay(await chain.send(wallet, vault, 'claim', [0n, 0n, oldest, wallet]), oldest, wallet);
      return;
    }
    const done = await chain.send(OWNER, vault, 'processAllClaimsByDate', [0n, 0n, oldest, 99n]);
    for (const wallet of [ida, jon, kim]) pay(done, oldest, wallet);
  }

  function pay(done: Receipt, day: bigint, wallet: Address): void {
    const paid = open.filter((one) => one.day === day && one.wallet === wallet);
    if (paid.length === 0) return;
    const shares = paid.reduce((sum, one) => sum + one.shares, 0n);
    const assets = paid.reduce((sum, one) => sum + one.assets, 0n);
    // The cost of each request is rounded.
    acts.paid(done, wallet, shares, assets, paid.length > 1 ? 1n : 0n);
    for (const one of paid) open.splice(open.indexOf(one), 1);
  }

  /** Without a lag, a request is paid in its transaction. */
  async function leaveAtOnce(): Promise<void> {
    await chain.send(OWNER, vault, 'updateTimelockDuration', [0n]);
    const { done, day } = await request(jon, jon, 4n * USD + 3n);
    pay(done, day, jon);
    await chain.send(OWNER, vault, 'updateTimelockDuration', [86_400n]);
  }
}
