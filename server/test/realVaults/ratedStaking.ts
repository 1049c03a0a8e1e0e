import { type Address, lower } from '../../src/domain/hex.ts';
import { addresses, createCast } from './cast.ts';
import type { Contract, Receipt } from './chain.ts';
import { OWNER } from './plainScenario.ts';
import {
  createRatedWorld,
  RATE_SHARES,
  type RatedSystem,
  type RatedWorld,
  SHARES_TOPIC,
  tokenWords,
} from './ratedActs.ts';
import { playTurns, type RatedPlayed, startRated } from './ratedPlay.ts';

const ETHER = 10n ** 18n;
const NO_REFERRAL = '0x0000000000000000000000000000000000000000';

/** Plays liquid staking: tokens in ether, rebasing tokens, and wrappers of rebasing tokens. */
export async function playStaking(): Promise<RatedPlayed> {
  const world = await createRatedWorld(31_351);
  const systems = [
    ...(await lido(world)),
    ...(await etherFi(world)),
    await rocketPool(world),
    await wrappedBeacon(world),
  ];
  return playTurns(world, systems);
}

async function lido(world: RatedWorld): Promise<RatedSystem[]> {
  const { chain, deploy, at } = world;
  const { ann, bob, cleo, dan } = createCast();
  const [treasury] = addresses('treasury', 1) as [Address];
  const startBlock = chain.tip.number + 1;
  const token = await deploy('LidoStEth', treasury);
  const queue = await at('LidoQueue', await chain.read<Address>(token, 'queue'));
  const burner = lower(await chain.read<Address>(token, 'burner'));
  const wrapper = await deploy('LidoWstEth', token.address);
  const rate = async (block: number) => {
    const assets = await chain.read(token, 'getPooledEthByShares', [RATE_SHARES], block);
    return { assets, shares: RATE_SHARES };
  };
  const steth = startRated(world, {
    ...{ slug: 'steth', preset: 'lido-steth', address: token.address, share: token.address },
    startBlock,
    contracts: { queue: queue.address, burner },
    custody: [queue.address, burner],
    unit: { decimals: 18 },
    wallets: [ann, bob, cleo, dan],
    words: {
      moves: SHARES_TOPIC,
      supply: (block) => chain.read(token, 'getTotalShares', [], block),
      balance: (wallet, block) => chain.read(token, 'sharesOf', [wallet], block),
      ratio: rate,
      queue: queueOf,
    },
    // A burn emits no event that moves shares, so by events the burner still has them.
    place: { uncounted: async (block) => burnedUpTo(token, block) },
  });
  const wsteth = startRated(world, {
    ...{ slug: 'wsteth', preset: 'lido-wsteth', address: wrapper.address, share: wrapper.address },
    startBlock: startBlock + 1,
    contracts: { steth: token.address },
    unit: { decimals: 18, token: token.address },
    wallets: [ann, bob],
    words: tokenWords(chain, wrapper, rate),
  });

  const open: { id: bigint; wallet: Address; shares: bigint }[] = [];
  return [
    { ...steth, live: liveSteth },
    { ...wsteth, live: liveWsteth },
  ];

  async function submit(wallet: Address, amount: bigint): Promise<void> {
    const done = await chain.send(wallet, token, 'submit', [amount, NO_REFERRAL]);
    await steth.acts.bought(done, wallet, amount);
  }

  async function liveSteth(turn: number): Promise<void> {
    await submit(ann, 40n * ETHER + BigInt(turn));
    if (turn === 0) await submit(dan, 25n * ETHER);
    await submit(bob, 20n * ETHER + 3n);
    const done = await chain.send(ann, token, 'transfer', [cleo, 5n * ETHER + 1n]);
    await steth.acts.passed(done, ann, cleo);
    await request(bob, 2n * ETHER + 7n);
    if (turn % 2 === 1) await request(ann, 3n * ETHER, cleo);
    // Pays rewards with fees and takes losses on different turns. After a loss, the newest request is paid less than
    // promised; the others are paid the promised amount.
    const isLoss = turn % 3 === 2;
    const last = open.length > 1 && turn % 2 === 0 ? open.at(isLoss ? -1 : -2)!.id : 0n;
    await report(isLoss ? 0n : 5n * ETHER, isLoss ? 2n * ETHER : 0n, last);
    await claim(turn);
  }

  async function request(wallet: Address, amount: bigint, owner = wallet): Promise<void> {
    const shares = await chain.read(token, 'getSharesByPooledEth', [amount]);
    const done = await chain.send(wallet, queue, 'requestWithdrawals', [amount, owner]);
    const id = await chain.read(queue, 'getLastRequestId');
    open.push({ id, wallet: owner, shares });
    await steth.acts.requested(done, { owner: wallet, wallet: owner, shares, assets: amount });
  }

  async function report(rewards: bigint, loss: bigint, lastId: bigint): Promise<void> {
    const done = await chain.send(OWNER, token, 'report', [rewards, loss, lastId]);
    if (rewards > 0n) await steth.acts.minted(done, treasury);
  }

  async function claim(turn: number): Promise<void> {
    const final = await chain.read(queue, 'getLastFinalizedRequestId');
    const ready = open.find(({ id }) => id <= final);
    if (ready === undefined || turn % 2 === 0) return;
    open.splice(open.indexOf(ready), 1);
    const paid = await paidFor(ready.id);
    const done = await chain.send(ready.wallet, queue, 'claimWithdrawal', [ready.id]);
    steth.acts.paid(done, ready.wallet, ready.shares, paid);
  }

  async function paidFor(id: bigint, block?: number): Promise<bigint> {
    const [, , , eth] = await chain.read<bigint[]>(queue, 'requests', [id], block);
    return eth!;
  }

  /** Reads the queue from its own requests. */
  async function queueOf(wallet: Address, block: number) {
    const last = await chain.read(queue, 'getLastRequestId', [], block);
    const final = await chain.read(queue, 'getLastFinalizedRequestId', [], block);
    const found = { shares: 0n, requestedAssets: 0n, claimableShares: 0n, claimableAssets: 0n };
    for (let id = 1n; id <= last; id++) {
      const [owner, amount, shares, eth] = await chain.read<[Address, bigint, bigint, bigint]>(
        ...([queue, 'requests', [id], block] as const),
      );
      if (lower(owner) !== wallet) continue;
      if (id <= final) {
        found.claimableShares += shares;
        found.claimableAssets += eth;
      } else {
        found.shares += shares;
        found.requestedAssets += amount;
      }
    }
    return found;
  }

  async function burnedUpTo(share: Contract, block: number): Promise<bigint> {
    const topic = '0x8b2a1e1ad5e0578c3dd82494156e985dade827a87c573b5c1c7716a32162ad64';
    const logs = await chain.logs(share.address, topic);
    return logs
      .filter(({ blockNumber }) => blockNumber <= block)
      .reduce((sum, { data }) => sum + BigInt(`0x${data.slice(130, 194)}`), 0n);
  }

  async function liveWsteth(turn: number): Promise<void> {
    const amount = 6n * ETHER + BigInt(turn);
    for (const wallet of [ann, bob]) {
      const before = await chain.read(token, 'sharesOf', [wallet]);
      const done = await chain.send(wallet, wrapper, 'wrap', [amount]);
      await wsteth.acts.bought(done, wallet);
      await moveBeside(done, wallet, before);
    }
    const moved = await chain.send(ann, wrapper, 'transfer', [bob, ETHER]);
    await wsteth.acts.passed(moved, ann, bob);
    const half = (await chain.read(wrapper, 'balanceOf', [bob])) / 2n;
    const done = await chain.send(bob, wrapper, 'unwrap', [half]);
    await wsteth.acts.left(done, bob);
    await steth.acts.passed(done, wrapper.address, bob);
  }

  /** Wrapped tokens go to the wrapper, an ordinary holder. */
  async function moveBeside(done: Receipt, wallet: Address, before: bigint): Promise<void> {
    if ((await chain.read(token, 'sharesOf', [wallet])) === before) return;
    await steth.acts.passed(done, wallet, wrapper.address);
  }
}

async function etherFi(world: RatedWorld): Promise<RatedSystem[]> {
  const { chain, deploy, at } = world;
  const { eve, fay, gus } = createCast();
  const startBlock = chain.tip.number + 1;
  const pool = await deploy('EtherFiPool');
  const token = await at('EtherFiEEth', await chain.read<Address>(pool, 'eETH'));
  const requests = await at(
    'EtherFiRequests',
    await chain.read<Address>(pool, 'withdrawRequestNFT'),
  );
  const wrapper = await deploy('EtherFiWeEth', pool.address);
  const rate = async (block: number) => {
    const assets = await chain.read(pool, 'amountForShare', [RATE_SHARES], block);
    return assets === 0n ? null : { assets, shares: RATE_SHARES };
  };
  const eeth = startRated(world, {
    ...{ slug: 'eeth', preset: 'etherfi-eeth', address: token.address, share: token.address },
    startBlock,
    contracts: { pool: pool.address, requests: requests.address },
    custody: [requests.address],
    unit: { decimals: 18 },
    wallets: [eve, fay, gus],
    words: {
      moves: SHARES_TOPIC,
      supply: (block) => chain.read(token, 'totalShares', [], block),
      balance: (wallet, block) => chain.read(token, 'shares', [wallet], block),
      ratio: rate,
      async queue(wallet, block) {
        const next = await chain.read<number>(requests, 'nextRequestId', [], block);
        const found = { shares: 0n, requestedAssets: 0n };
        for (let id = 1n; id < next; id++) {
          const [owner, amount, shares] = await chain.read<[Address, bigint, bigint]>(
            ...([requests, 'requests', [id], block] as const),
          );
          if (lower(owner) !== wallet) continue;
          found.shares += shares;
          found.requestedAssets += amount;
        }
        return found;
      },
    },
  });
  const weeth = startRated(world, {
    ...{ slug: 'weeth', preset: 'etherfi-weeth', address: wrapper.address, share: wrapper.address },
    startBlock: startBlock + 1,
    contracts: { pool: pool.address, eeth: token.address },
    unit: { decimals: 18, token: token.address },
    wallets: [eve, fay],
    words: tokenWords(chain, wrapper, rate),
  });
  const open: { id: bigint; wallet: Address; shares: bigint }[] = [];
  return [
    { ...eeth, live: liveEeth },
    { ...weeth, live: liveWeeth },
  ];

  async function deposit(wallet: Address, amount: bigint): Promise<void> {
    const done = await chain.send(wallet, pool, 'deposit', [amount, NO_REFERRAL]);
    await eeth.acts.bought(done, wallet, amount);
  }

  async function liveEeth(turn: number): Promise<void> {
    await deposit(eve, 30n * ETHER + 1n);
    await deposit(fay, 11n * ETHER + BigInt(turn));
    const moved = await chain.send(eve, token, 'transfer', [gus, 2n * ETHER]);
    await eeth.acts.passed(moved, eve, gus);
    await request(fay, 3n * ETHER + 9n);
    // The rate rises, and falls every third time.
    await chain.send(OWNER, pool, 'rebase', [turn % 3 === 2 ? -ETHER : ETHER]);
    await claim();
  }

  async function request(wallet: Address, amount: bigint): Promise<void> {
    const shares = await chain.read(pool, 'sharesForAmount', [amount]);
    const done = await chain.send(wallet, pool, 'requestWithdraw', [wallet, amount]);
    const id = BigInt(await chain.read<number>(requests, 'nextRequestId')) - 1n;
    open.push({ id, wallet, shares });
    await eeth.acts.requested(done, { owner: wallet, wallet, shares, assets: amount });
  }

  async function claim(): Promise<void> {
    if (open.length < 2) return;
    const { id, wallet, shares } = open.shift()!;
    await chain.send(OWNER, requests, 'finalizeRequests', [Number(id)]);
    const [, promised] = await chain.read<[Address, bigint]>(requests, 'requests', [id]);
    const worth = await chain.read(pool, 'amountForShare', [shares]);
    const done = await chain.send(wallet, requests, 'claimWithdraw', [id]);
    eeth.acts.paid(done, wallet, shares, promised < worth ? promised : worth);
  }

  async function liveWeeth(turn: number): Promise<void> {
    const done = await chain.send(eve, wrapper, 'wrap', [4n * ETHER + BigInt(turn)]);
    await weeth.acts.bought(done, eve);
    await eeth.acts.passed(done, eve, wrapper.address);
    const moved = await chain.send(eve, wrapper, 'transfer', [fay, ETHER]);
    await weeth.acts.passed(moved, eve, fay);
    const out = await chain.send(fay, wrapper, 'unwrap', [ETHER / 2n]);
    await weeth.acts.left(out, fay);
    await eeth.acts.passed(out, wrapper.address, fay);
  }
}

async function rocketPool(world: RatedWorld): Promise<RatedSystem> {
  const { chain, deploy } = world;
  const { hal, ida } = createCast();
  const startBlock = chain.tip.number + 1;
  const token = await deploy('RocketEth');
  const system = startRated(world, {
    ...{ slug: 'reth', preset: 'rocket-pool-reth', address: token.address, share: token.address },
    startBlock,
    contracts: {},
    unit: { decimals: 18 },
    wallets: [hal, ida],
    words: tokenWords(chain, token, async (block) => {
      const assets = await chain.read(token, 'getEthValue', [RATE_SHARES], block);
      return { assets, shares: RATE_SHARES };
    }),
  });
  const { acts } = system;
  return { ...system, live };

  async function live(turn: number): Promise<void> {
    const amount = 9n * ETHER + BigInt(turn);
    await acts.bought(await chain.send(hal, token, 'deposit', [amount]), hal, amount);
    await acts.passed(await chain.send(hal, token, 'transfer', [ida, ETHER]), hal, ida);
    // The rate can fall: 1.05, 1.1, 1.04.
    const eth = [105n, 110n, 104n][turn % 3]!;
    await chain.send(OWNER, token, 'submitBalances', [eth * ETHER, 100n * ETHER]);
    const shares = ETHER / 3n;
    const paid = await chain.read(token, 'getEthValue', [shares]);
    await acts.left(await chain.send(ida, token, 'burn', [shares]), ida, paid);
  }
}

async function wrappedBeacon(world: RatedWorld): Promise<RatedSystem> {
  const { chain, deploy } = world;
  const { jon, kim, leo } = createCast();
  const startBlock = chain.tip.number + 1;
  const token = await deploy('WrappedBeaconEth');
  const system = startRated(world, {
    ...{ slug: 'wbeth', preset: 'binance-wbeth', address: token.address, share: token.address },
    startBlock,
    contracts: {},
    unit: { decimals: 18 },
    wallets: [jon, kim, leo],
    words: tokenWords(chain, token, async (block) => {
      return { assets: await chain.read(token, 'exchangeRate', [], block), shares: ETHER };
    }),
  });
  const { acts } = system;
  return { ...system, live };

  async function live(turn: number): Promise<void> {
    const amount = 13n * ETHER + 5n;
    const rate = 10n ** 18n + BigInt(turn + 20) * 10n ** 15n + 7n;
    await chain.send(OWNER, token, 'updateExchangeRate', [rate]);
    await acts.bought(await chain.send(jon, token, 'deposit', [amount, NO_REFERRAL]), jon, amount);
    // The exchange mints and burns without a price.
    await acts.arrived(await chain.send(OWNER, token, 'mint', [kim, 3n * ETHER]), kim);
    await acts.burned(await chain.send(kim, token, 'burn', [ETHER]), kim);
    await chain.send(OWNER, token, 'pause', [true]);
    await chain.send(OWNER, token, 'pause', [false]);
    await acts.passed(await chain.send(jon, token, 'transfer', [leo, ETHER + 1n]), jon, leo);
  }
}
