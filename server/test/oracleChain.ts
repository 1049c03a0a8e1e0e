import { type Address, createPublicClient, custom, type Hex, type PublicClient } from 'viem';
import type { DevChain } from '../../devnet/src/index.ts';
import { type Ask, createAsk } from '../src/verify/ask.ts';
import { type ChainEvent, decodeEvent } from './oracleEvents.ts';

export { sameAddress } from './oracleEvents.ts';

export interface Block {
  readonly number: number;
  readonly hash: Hex;
  readonly parentHash: Hex;
  readonly time: number;
}

/** A chain as it is now: every block from genesis to head, and every event of its contracts. */
export interface ChainView {
  readonly chainId: number;
  readonly client: PublicClient;
  readonly blocks: readonly Block[];
  readonly events: readonly ChainEvent[];
  readonly head: Block;
  /** The last block at or before an instant. */
  blockAt(instant: number): Block | undefined;
}

interface Known {
  readonly client: PublicClient;
  readonly blocks: Map<Hex, Block>;
  readonly events: Map<Hex, ChainEvent[]>;
}

// By hash, so nothing of a block that is gone can be taken for one that stands.
const known = new WeakMap<DevChain, Known>();

export async function viewChain(chain: DevChain): Promise<ChainView> {
  let seen = known.get(chain);
  if (seen === undefined) {
    seen = { client: clientOf(chain), blocks: new Map(), events: new Map() };
    known.set(chain, seen);
  }
  const blocks = await readBlocks(seen);
  const events: ChainEvent[] = [];
  for (const block of blocks) events.push(...(await readEvents(seen, chain.chainId, block)));
  return {
    chainId: chain.chainId,
    client: seen.client,
    blocks,
    events,
    head: blocks.at(-1)!,
    blockAt: (instant) => blocks.findLast((block) => block.time <= instant),
  };
}

/** Straight into the engine: no server, no client of ours in between. */
function clientOf(chain: DevChain): PublicClient {
  return createPublicClient({
    transport: custom({ request: ({ method, params }) => chain.rpc(method, params ?? []) }),
  });
}

async function readBlocks({ client, blocks }: Known): Promise<Block[]> {
  const chain: Block[] = [];
  let next: Block | undefined = await readBlock(client, { blockTag: 'latest' });
  for (;;) {
    blocks.set(next.hash, next);
    chain.push(next);
    if (next.number === 0) return chain.reverse();
    const { parentHash }: Block = next;
    next = blocks.get(parentHash) ?? (await readBlock(client, { blockHash: parentHash }));
  }
}

async function readBlock(
  client: PublicClient,
  which: { blockTag: 'latest' } | { blockHash: Hex },
): Promise<Block> {
  const { number, hash, parentHash, timestamp } = await client.getBlock(which);
  return { number: Number(number), hash: hash!, parentHash, time: Number(timestamp) };
}

async function readEvents(seen: Known, chainId: number, block: Block): Promise<ChainEvent[]> {
  const held = seen.events.get(block.hash);
  if (held !== undefined) return held;
  const logs = await seen.client.getLogs({ blockHash: block.hash });
  const events = logs.flatMap((log) => {
    const place = { chainId, time: block.time, blockNumber: block.number };
    return decodeEvent({ ...log, ...place }) ?? [];
  });
  seen.events.set(block.hash, events);
  return events;
}

/** Runs calls at a block of the chain as it is now. */
export function askAt(client: PublicClient, block: number): Ask {
  return createAsk(async (to, data) => {
    try {
      const { data: answer } = await client.call({ to, data, blockNumber: BigInt(block) });
      return answer ?? '0x';
    } catch {
      return null;
    }
  });
}

/** One value of one contract at a block; undefined when the call fails. */
export function readValue(
  client: PublicClient,
  block: Block,
  address: Address,
  signature: string,
  args: readonly unknown[] = [],
): Promise<unknown> {
  return askAt(client, block.number)(address, signature, ...args);
}
