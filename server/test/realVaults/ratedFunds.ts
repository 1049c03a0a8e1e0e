import { toHex } from 'viem';
import { type Address, type Hex, lower } from '../../src/domain/hex.ts';
import { createCast, UNLIMITED } from './cast.ts';
import type { Contract } from './chain.ts';
import { OWNER } from './plainScenario.ts';
import { createRatedWorld, type RatedSystem, type RatedWorld, tokenWords } from './ratedActs.ts';
import { playTurns, type RatedPlayed, startRated } from './ratedPlay.ts';

const WHOLE = 10n ** 18n;
const CENT = 10n ** 16n;
const USD = 10n ** 6n;
/** Midas's fee receiver, paid in tokens. */
const FEES: Address = `0x${'0'.repeat(37)}fee`;

/** Plays fund tokens and a bridged share, whose unit is a currency or whose rate comes from another contract. */
export async function playFunds(): Promise<RatedPlayed> {
  const world = await createRatedWorld(31_352);
  const systems = [
    await usdy(world),
    await ousg(world),
    await ustb(world),
    await susds(world),
    await midas(world),
  ];
  return playTurns(world, systems);
}

async function usdy(world: RatedWorld): Promise<RatedSystem> {
  const { chain, deploy } = world;
  const { ann, bob } = createCast();
  const startBlock = chain.tip.number + 1;
  const token = await deploy('OndoToken', 'USDY');
  // A daily rate of 0.013%, from 1.02 dollars.
  const oracle = await deploy(
    'OndoDynamicOracle',
    1_000_130_000_000_000_000_000_000_000n,
    102n * CENT,
  );
  const usdc = await deploy('Token', 'USDC', 6);
  const manager = await deploy('OndoManager', token.address, usdc.address);
  const hub = await deploy('OndoHub', token.address);
  const open: { id: Hex; wallet: Address; shares: bigint }[] = [];
  const system = startRated(world, {
    ...{ slug: 'usdy', preset: 'ondo-usdy', address: token.address, share: token.address },
    startBlock,
    contracts: { oracle: oracle.address, manager: manager.address, hub: hub.address },
    unit: { decimals: 18 },
    wallets: [ann, bob],
    words: {
      ...tokenWords(chain, token, async (block) => {
        return { assets: await chain.read(oracle, 'getPrice', [], block), shares: WHOLE };
      }),
      queue: async (wallet, block) => ({ shares: await requestedOf(wallet, block) }),
    },
    place: { startBlock: startBlock + 1, burnsRequests: true },
  });
  const { acts } = system;
  return { ...system, live };

  async function live(turn: number): Promise<void> {
    const value = 5_000n * WHOLE + 12_345n;
    const price = await chain.read(oracle, 'getPrice');
    await acts.bought(await chain.send(ann, manager, 'subscribe', [value, price]), ann, value);
    await acts.passed(await chain.send(ann, token, 'transfer', [bob, 100n * WHOLE + 1n]), ann, bob);
    const shares = 40n * WHOLE;
    const paid = (shares * price) / WHOLE;
    await acts.left(await chain.send(bob, manager, 'redeem', [shares, price]), bob, paid);
    await throughHub(price);
    // Bought off chain.
    await acts.arrived(await chain.send(OWNER, token, 'mint', [bob, 7n * WHOLE]), bob);
    // Paused for less than an hour, and the price is lowered once.
    await chain.send(OWNER, oracle, 'pauseOracle', [true]);
    await chain.send(OWNER, oracle, 'pauseOracle', [false]);
    if (turn === 2) {
      await chain.send(OWNER, oracle, 'setRange', [
        1_000_200_000_000_000_000_000_000_000n,
        101n * CENT,
      ]);
    }
  }

  /**
   * Buys by request at a price that is set later, and redeems by request, which burns the shares before the payment.
   */
  async function throughHub(price: bigint): Promise<void> {
    await chain.send(bob, hub, 'requestSubscription', [900n * USD]);
    const deposit = toHex(await chain.read(hub, 'lastDeposit'), { size: 32 });
    await acts.bought(await chain.send(OWNER, hub, 'claimMint', [deposit, price]), bob);
    const shares = 30n * WHOLE + 1n;
    for (const wallet of [ann, bob]) {
      const done = await chain.send(wallet, hub, 'requestRedemption', [shares]);
      const id = toHex(await chain.read(hub, 'lastRedemption'), { size: 32 });
      open.push({ id, wallet, shares });
      await acts.requested(done, { owner: wallet, wallet, shares });
    }
    const first = open.shift()!;
    const paid = await chain.send(OWNER, hub, 'claimRedemption', [first.id, price]);
    acts.paid(paid, first.wallet, shares, await acts.worth(shares, paid), 1n);
  }

  async function requestedOf(wallet: Address, block: number): Promise<bigint> {
    const last = await chain.read(hub, 'lastRedemption', [], block);
    let sum = 0n;
    for (let id = 1n; id <= last; id++) {
      const key = toHex(id, { size: 32 });
      const [user, shares] = await chain.read<[Address, bigint]>(hub, 'redemptions', [key], block);
      if (lower(user) === wallet) sum += shares;
    }
    return sum;
  }
}

async function ousg(world: RatedWorld): Promise<RatedSystem> {
  const { chain, deploy } = world;
  const { cleo, dan } = createCast();
  const startBlock = chain.tip.number + 1;
  const token = await deploy('OndoToken', 'OUSG');
  const oracle = await deploy('OndoAssetOracle');
  const usdc = await deploy('Token', 'USDC', 6);
  const manager = await deploy('OndoManager', token.address, usdc.address);
  await chain.send(OWNER, oracle, 'setAssetPrice', [token.address, 110n * WHOLE]);
  const olderManager = await deploy('OndoOlderManager', token.address);
  const contracts = {
    oracle: oracle.address,
    manager: manager.address,
    olderManager: olderManager.address,
  };
  const system = startRated(world, {
    ...{ slug: 'ousg', preset: 'ondo-ousg', address: token.address, share: token.address },
    startBlock,
    contracts,
    none: ['hub'],
    unit: { decimals: 18 },
    wallets: [cleo, dan],
    words: tokenWords(chain, token, async (block) => {
      const assets = await chain.read(oracle, 'getAssetPrice', [token.address], block);
      return { assets, shares: WHOLE };
    }),
    place: { startBlock: chain.tip.number },
  });
  const { acts } = system;
  return { ...system, live };

  async function live(turn: number): Promise<void> {
    const price = (110n + BigInt(turn % 3)) * WHOLE + 7n;
    await chain.send(OWNER, oracle, 'setAssetPrice', [token.address, price]);
    const value = 2_200n * WHOLE + BigInt(turn);
    await acts.bought(await chain.send(cleo, manager, 'subscribe', [value, price]), cleo, value);
    await acts.passed(await chain.send(cleo, token, 'transfer', [dan, WHOLE]), cleo, dan);
    const paid = ((WHOLE / 3n) * price) / WHOLE;
    await acts.left(await chain.send(dan, manager, 'redeem', [WHOLE / 3n, price]), dan, paid);
    // The older manager's amounts are in a stablecoin with 6 decimals, so they count at the price.
    await acts.bought(await chain.send(dan, olderManager, 'mint', [330n * USD, price]), dan);
    await acts.left(await chain.send(cleo, olderManager, 'redeem', [WHOLE / 7n, price]), cleo);
  }
}

async function ustb(world: RatedWorld): Promise<RatedSystem> {
  const { chain, deploy } = world;
  const { eve, fay } = createCast();
  const startBlock = chain.tip.number + 1;
  const usdc = await deploy('Token', 'USDC', 6);
  const token = await deploy('SuperstateToken', usdc.address);
  await chain.send(OWNER, token, 'addCheckpoint', [10_500_000n, 5_000_000n]);
  const system = startRated(world, {
    ...{ slug: 'ustb', preset: 'superstate-ustb', address: token.address, share: token.address },
    startBlock,
    contracts: {},
    unit: { decimals: 6 },
    wallets: [eve, fay],
    words: tokenWords(chain, token, async (block) => {
      const read = await chain.read<[boolean, bigint, bigint]>(
        token,
        'getChainlinkPrice',
        [],
        block,
      );
      return read[0] ? null : { assets: read[2], shares: USD };
    }),
    place: { startBlock: chain.tip.number },
  });
  const { acts } = system;
  return { ...system, live };

  async function live(turn: number): Promise<void> {
    await chain.send(OWNER, token, 'addCheckpoint', [
      10_500_000n + BigInt(turn) * 900n,
      5_000_000n,
    ]);
    const paid = 30_000n * USD + 17n;
    // Paid for another wallet, which receives the shares.
    await acts.bought(await chain.send(eve, token, 'subscribe', [fay, paid]), fay, paid);
    await acts.bought(await chain.send(eve, token, 'subscribe', [eve, paid]), eve, paid);
    await acts.bought(await chain.send(fay, token, 'subscribeOfOld', [paid]), fay, paid);
    // Bought off chain.
    await acts.arrived(await chain.send(OWNER, token, 'mint', [eve, 50n * USD]), eve);
    await acts.left(await chain.send(eve, token, 'offchainRedeem', [100n * USD]), eve);
    await acts.burned(await chain.send(fay, token, 'bridgeToBookEntry', [20n * USD]), fay);
    await acts.passed(await chain.send(eve, token, 'transfer', [fay, 3n * USD]), eve, fay);
  }
}

async function susds(world: RatedWorld): Promise<RatedSystem> {
  const { chain, deploy } = world;
  const { gus, hal } = createCast();
  const startBlock = chain.tip.number + 1;
  const token = await deploy('BridgedSusds');
  const oracle = await deploy('BridgedRateOracle');
  const usds = await deploy('Token', 'USDS', 18);
  const swap = await deploy('BridgedSwap', usds.address, token.address, oracle.address);
  const RAY = 10n ** 27n;
  await chain.send(OWNER, oracle, 'setSUSDSData', [
    RAY + 1_430_000_000_000_000_000n,
    (104n * RAY) / 100n,
  ]);
  await chain.send(gus, usds, 'mint', [gus, 1_000_000n * WHOLE]);
  await chain.send(OWNER, usds, 'mint', [swap.address, 1_000_000n * WHOLE]);
  await chain.send(gus, usds, 'approve', [swap.address, UNLIMITED]);
  await chain.send(hal, token, 'approve', [swap.address, UNLIMITED]);
  const system = startRated(world, {
    ...{ slug: 'susds', preset: 'sky-bridged-susds', address: token.address, share: token.address },
    startBlock,
    contracts: { oracle: oracle.address, usds: usds.address },
    unit: { decimals: 18, token: usds.address },
    wallets: [gus, hal],
    words: tokenWords(chain, token, async (block) => {
      return { assets: await chain.read(oracle, 'getConversionRate', [], block), shares: RAY };
    }),
    place: { startBlock: chain.tip.number },
  });
  const { acts } = system;
  return { ...system, live };

  async function live(turn: number): Promise<void> {
    // The bridge mints shares to the swap contract, an ordinary holder, and to a wallet.
    await acts.arrived(
      await chain.send(OWNER, token, 'mint', [swap.address, 900n * WHOLE]),
      swap.address,
    );
    await acts.arrived(await chain.send(OWNER, token, 'mint', [hal, 30n * WHOLE]), hal);
    const bought = await chain.send(gus, swap, 'buy', [100n * WHOLE + BigInt(turn), gus]);
    await acts.passed(bought, swap.address, gus);
    await acts.passed(await chain.send(hal, swap, 'sell', [5n * WHOLE, hal]), hal, swap.address);
    await acts.burned(await chain.send(OWNER, token, 'burn', [hal, WHOLE]), hal);
  }
}

async function midas(world: RatedWorld): Promise<RatedSystem> {
  const { chain, deploy } = world;
  const { ida, jon, kim } = createCast();
  const startBlock = chain.tip.number + 1;
  const token = await deploy('MidasToken');
  const feed = await deploy('MidasFeed');
  const usd = await deploy('Token', 'USDC', 6);
  const given = [token.address, feed.address, usd.address];
  const deposits = await deploy('MidasDepositVault', ...given);
  const vault = await deploy('MidasRedemptionVault', ...given);
  await chain.send(OWNER, feed, 'setRoundData', [101_000_000n]);
  await chain.send(OWNER, usd, 'mint', [vault.address, 10_000_000n * USD]);
  for (const wallet of [ida, jon]) {
    await chain.together([
      { from: wallet, to: usd, fn: 'mint', args: [wallet, 1_000_000n * USD] },
      { from: wallet, to: usd, fn: 'approve', args: [deposits.address, UNLIMITED] },
      { from: wallet, to: token, fn: 'approve', args: [vault.address, UNLIMITED] },
    ]);
  }
  const open: { id: bigint; wallet: Address; shares: bigint }[] = [];
  const feeOf = (amount: bigint) => (amount * 30n) / 10_000n;
  const system = startRated(world, {
    ...{ slug: 'mtbill', preset: 'midas', address: vault.address, share: token.address },
    startBlock,
    contracts: { mToken: token.address, feed: feed.address, depositVault: deposits.address },
    custody: [vault.address],
    unit: { decimals: 18 },
    wallets: [ida, jon, kim],
    words: {
      ...tokenWords(chain, token, async (block) => {
        return { assets: await chain.read(feed, 'getDataInBase18', [], block), shares: WHOLE };
      }),
      queue: async (wallet, block) => ({ shares: await requested(vault, wallet, block) }),
    },
    place: { startBlock: chain.tip.number },
  });
  const { acts } = system;
  return { ...system, live };

  async function requested(queue: Contract, wallet: Address, block: number): Promise<bigint> {
    const next = await chain.read(queue, 'currentRequestId', [], block);
    let sum = 0n;
    for (let id = 0n; id < next; id++) {
      const [user, shares] = await chain.read<[Address, bigint]>(
        queue,
        'redeemRequests',
        [id],
        block,
      );
      if (lower(user) === wallet) sum += shares;
    }
    return sum;
  }

  async function live(turn: number): Promise<void> {
    const price = 101_000_000n + BigInt(turn % 3) * 40_000n;
    await chain.send(OWNER, feed, 'setRoundData', [price]);
    const paid = 700n * WHOLE + 10n ** 12n;
    await acts.bought(await chain.send(ida, deposits, 'depositInstant', [paid]), ida, paid);
    const gift = await chain.send(jon, deposits, 'depositInstantFor', [paid, kim]);
    await acts.bought(gift, kim, paid);
    const bought = await chain.send(jon, deposits, 'depositInstant', [paid]);
    await acts.bought(bought, jon, paid);
    const paidOut = await chain.send(jon, vault, 'redeemInstant', [10n * WHOLE]);
    await acts.left(paidOut, jon, undefined, { fee: feeOf(10n * WHOLE) });
    await acts.passed(paidOut, jon, FEES);
    const given = await chain.send(jon, vault, 'redeemInstantFor', [2n * WHOLE + 7n, kim]);
    await acts.left(given, jon, undefined, { receiver: kim, fee: feeOf(2n * WHOLE + 7n) });
    await acts.passed(given, jon, FEES);
    const asked = 20n * WHOLE + BigInt(turn);
    for (const wallet of [ida, jon]) {
      const id = await chain.read(vault, 'currentRequestId');
      // Every second request of Jon is for another wallet, which owns it from then on.
      const isGift = wallet === jon && turn % 2 === 1;
      const done = isGift
        ? await chain.send(jon, vault, 'redeemRequestFor', [asked, kim])
        : await chain.send(wallet, vault, 'redeemRequest', [asked]);
      const shares = asked - feeOf(asked);
      const holder = isGift ? kim : wallet;
      open.push({ id, wallet: holder, shares });
      await acts.requested(done, { owner: wallet, wallet: holder, shares });
      await acts.passed(done, wallet, FEES);
    }
    await depositByRequest(price);
    if (turn === 0) return;
    const { id, wallet, shares } = open.shift()!;
    const fn = turn % 2 === 1 ? 'approveRequest' : 'safeApproveRequest';
    const done = await chain.send(OWNER, vault, fn, [id, price * 10n ** 10n]);
    acts.paid(done, wallet, shares, await acts.worth(shares, done), 1n);
  }

  /** The assets leave at the request; the mint at the approval names no amount. */
  async function depositByRequest(price: bigint): Promise<void> {
    const id = await chain.read(deposits, 'currentRequestId');
    await chain.send(ida, deposits, 'depositRequest', [50n * WHOLE]);
    const done = await chain.send(OWNER, deposits, 'approveRequest', [id, price * 10n ** 10n]);
    await acts.arrived(done, ida);
  }
}
