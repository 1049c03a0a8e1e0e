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

/** A chain's current state: every block from genesis to head, and every event of its contracts. */
export interface ChainView {
  readonly chainId: number;
  readonly client: PublicClient;
  readonly blocks: readonly Block[];
  readonly events: readonly ChainEvent[];
  readonly head: Block;
  /** Returns the last block at or before a timestamp. */
  blockAt(instant: number): Block | undefined;
}

interface Known {
  readonly client: PublicClient;
  readonly blocks: Map<Hex, Block>;
  readonly events: Map<Hex, ChainEvent[]>;
}

// Keyed by hash, so data of a block that a reorg removed is never used for another block.
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

/** Connects directly to the engine, without a server or the product's client. */
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

/** Runs calls at a block of the current chain. */
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

/** Reads one value of a contract at a block; undefined if the call fails. */
export function readValue(
  client: PublicClient,
  block: Block,
  address: Address,
  signature: string,
  args: readonly unknown[] = [],
): Promise<unknown> {
  return askAt(client, block.number)(address, signature, ...args);
}
