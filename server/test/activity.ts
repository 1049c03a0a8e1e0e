import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem';
import type { World, WorldFamily } from '../../devnet/src/index.ts';

/** A seeded random number generator: the same seed produces the same acts. */
export interface Random {
  /** Returns an integer from 0 to `below` − 1. */
  int(below: number): number;
  pick<T>(items: readonly T[]): T;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  // mulberry32: short, and random enough to choose acts.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (below: number) => Math.floor(next() * below);
  return { int, pick: (items) => items[int(items.length)]! };
}

const ABI = parseAbi([
  'function balanceOf(address owner) view returns (uint256)',
  'function approve(address spender, uint256 value)',
  'function deposit(uint256 assets, address receiver)',
  'function redeem(uint256 shares, address receiver, address owner)',
  'function transfer(address to, uint256 value)',
  'function pendingRedeemRequest(address receiver) view returns (uint256, uint256)',
  'function cancel(address receiver, uint256 shares)',
  'function fulfil(address receiver, uint256 shares)',
  'function getLatestPrice(address vault) view returns (uint256, uint64)',
  'function update(address[] vaults, uint256[] prices)',
  'function transmit(int256 answer)',
  'function latestAnswer() view returns (int256)',
  'function declare((address vault, string offchainId, address venue, uint8 venueKind, bool idleOnly, uint8 status, uint8 riskScore) pool)',
]);
const ROUTER = parseAbi(['function redeem(address vault, uint256 shares, address receiver)']);
const ALL = 2n ** 256n - 1n;

/**
 * Sends the transactions of one block: deposits; immediate, queued, and routed exits, also for other wallets;
 * transfers, cancels, fulfilments, pool declarations, share prices, and feed values. Some transactions may revert.
 */
export async function act(world: World, chainId: number, random: Random): Promise<void> {
  const { chain, scene } = world.chain(chainId);
  const operator = world.operator.address;
  const people = [...world.wallets, ...scene.cast.crowd].map(({ address }) => address);
  const families = world.families.filter(({ chains }) =>
    chains.some((one) => one.chainId === chainId && one.role === 'settlement'),
  );
  const family = random.pick(families);
  const vault = family.address;
  const wallet = random.pick(people);
  const other = random.pick(people);
  switch (random.int(10)) {
    case 0:
    case 1: {
      await send(wallet, assetOf(family, chainId), 'approve', [vault, ALL]);
      const assets = 10n ** BigInt(family.decimals) * BigInt(1 + random.int(5_000));
      return send(wallet, vault, 'deposit', [assets + BigInt(random.int(999)), wallet]);
    }
    case 2:
      return send(wallet, vault, 'redeem', [await part(), random.pick([wallet, other]), wallet]);
    case 3: {
      await send(wallet, vault, 'approve', [world.router, ALL]);
      const args = [vault, await part(), random.pick([wallet, other])] as const;
      const data = encodeFunctionData({ abi: ROUTER, functionName: 'redeem', args });
      await chain.send({ from: wallet, to: world.router, data });
      return;
    }
    case 4:
      return send(wallet, vault, 'transfer', [other, await part()]);
    case 5:
      return send(operator, vault, 'fulfil', [wallet, await pending(wallet)]);
    case 6:
      return send(wallet, vault, 'cancel', [wallet, await pending(wallet)]);
    case 7: {
      const entry = family.bindingDeclarationAddress;
      const price = await ask(world.oracle, 'getLatestPrice', [entry]);
      const next = (price * BigInt(999_900 + random.int(300))) / 1_000_000n;
      return send(operator, world.oracle, 'update', [[entry], [next]]);
    }
    case 8: {
      const pool = random.pick(family.pools.filter((one) => one.chainId === chainId));
      if (pool === undefined) return;
      const { offchainId, venue, kind: venueKind, idleOnly } = pool;
      const facts = { status: random.pick([0, 1, 1, 2]), riskScore: random.int(101) };
      const declared = { vault, offchainId, venue, venueKind, idleOnly, ...facts };
      return send(operator, world.registry, 'declare', [declared]);
    }
    default: {
      const feed = world.feeds.find((one) => one.chainId === chainId);
      if (feed === undefined) return;
      const answer = await ask(feed.address, 'latestAnswer', []);
      const next = (answer * BigInt(99_900 + random.int(200))) / 100_000n;
      return send(operator, feed.address, 'transmit', [next]);
    }
  }

  async function part(): Promise<bigint> {
    const held = await ask(vault, 'balanceOf', [wallet]);
    return random.int(4) === 0 ? held : held / BigInt(2 + random.int(5));
  }

  async function pending(receiver: Address): Promise<bigint> {
    const data = encode('pendingRedeemRequest', [receiver]);
    return BigInt(`0x${(await chain.call(vault, data)).slice(66, 130)}`);
  }

  /** Returns the first word of the call's result. */
  async function ask(to: Address, name: string, args: readonly unknown[]): Promise<bigint> {
    return BigInt((await chain.call(to, encode(name, args))).slice(0, 66));
  }

  async function send(from: Address, to: Address, name: string, args: readonly unknown[]) {
    await chain.send({ from, to, data: encode(name, args) });
  }
}

function encode(functionName: string, args: readonly unknown[]): Hex {
  return encodeFunctionData({ abi: ABI, functionName, args } as never);
}

function assetOf(family: WorldFamily, chainId: number): Address {
  return family.chains.find((one) => one.chainId === chainId)!.asset;
}

/** Returns the seconds between blocks: from none to several minutes. */
export function gap(random: Random): number {
  return random.pick([0, 1, 5, 37, 61, 130, 200, 400]);
}

/** Adds `count` blocks to a chain. */
export async function mineBlocks(
  world: World,
  chainId: number,
  count: number,
  random: Random,
): Promise<void> {
  const { chain } = world.chain(chainId);
  for (let made = 0; made < count; made++) {
    await chain.exclusive(async () => {
      await act(world, chainId, random);
      if (random.int(2) === 0) await act(world, chainId, random);
      await chain.mine(chain.tip.time + gap(random));
    });
  }
}

/** Removes the newest `depth` blocks and mines others, with other transactions and timestamps. */
export async function reorg(
  world: World,
  chainId: number,
  { depth, newBlocks }: { depth: number; newBlocks: number },
  random: Random,
): Promise<void> {
  const { chain } = world.chain(chainId);
  const base = await chain.rpc<{ timestamp: Hex }>('eth_getBlockByNumber', [
    `0x${(chain.tip.number - depth).toString(16)}`,
    false,
  ]);
  let timestamp = Number(base.timestamp);
  const blocks = Array.from({ length: newBlocks }, () => {
    timestamp += gap(random);
    return { timestamp, fill: () => act(world, chainId, random) };
  });
  await chain.reorg({ depth, blocks });
}
