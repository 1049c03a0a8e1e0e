import {
  type Address,
  createPublicClient,
  custom,
  type Hex,
  type PublicClient,
  parseAbi,
  parseEventLogs,
} from 'viem';
import type { DevChain } from '../../devnet/src/index.ts';

const EVENTS = parseAbi([
  'event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares)',
  'event Withdraw(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)',
  'event RedeemRequest(address indexed receiver, address indexed owner, uint256 assets, uint256 shares, bool indexed instant)',
  'event RequestCancelled(address indexed receiver, uint256 shares, uint256 assets)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event SharePriceUpdated(address indexed vault, uint256 price, uint64 timestamp)',
  'event AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt)',
  'event PoolDeclared(address indexed vault, bytes32 indexed id, string offchainId, uint256 chainId, address venue, uint8 venueKind, bool idleOnly, uint8 status, uint8 riskScore, uint64 epoch)',
]);

export interface Block {
  readonly number: number;
  readonly hash: Hex;
  readonly parentHash: Hex;
  readonly time: number;
}

export type ChainEvent = Decoded & { readonly chainId: number; readonly time: number };
type Decoded = ReturnType<typeof decode>[number];

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
  const events = decode(logs).map((event) => ({ ...event, chainId, time: block.time }));
  seen.events.set(block.hash, events);
  return events;
}

function decode(logs: Awaited<ReturnType<PublicClient['getLogs']>>) {
  return parseEventLogs({ abi: EVENTS, logs, strict: true });
}

/** One value of one contract at a block; undefined when the call fails. */
export async function readValue(
  client: PublicClient,
  block: Block,
  address: Address,
  signature: string,
  args: readonly unknown[] = [],
): Promise<unknown> {
  const abi = abiOf(signature);
  try {
    const blockNumber = BigInt(block.number);
    return await client.readContract({
      address,
      abi,
      functionName: nameOf(abi),
      args,
      blockNumber,
    });
  } catch {
    return undefined;
  }
}

const abis = new Map<string, readonly { name: string }[]>();

function abiOf(signature: string) {
  let abi = abis.get(signature);
  if (abi === undefined) {
    abi = parseAbi([`function ${signature}`] as readonly string[]) as unknown as { name: string }[];
    abis.set(signature, abi);
  }
  return abi as ReturnType<typeof parseAbi<readonly string[]>>;
}

function nameOf(abi: readonly unknown[]): string {
  return (abi[0] as { name: string }).name;
}

export function sameAddress(a: string, b: string | undefined): boolean {
  return a.toLowerCase() === b?.toLowerCase();
}
