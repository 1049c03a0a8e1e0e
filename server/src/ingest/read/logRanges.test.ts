import { describe, expect, test } from 'vitest';
import type { ChainClient, Header, RawLog } from '../../chain/chainClient.ts';
import { type LogRange, startLogRange } from '../../chain/logRange.ts';
import { RangeTooWide, RpcUnreachable } from '../../chain/rpcError.ts';
import type { Hex } from '../../domain/hex.ts';
import { BlockGone, blockTimes, type LogBatch, readLogRanges } from './logRanges.ts';

const hash = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`;
const header = (number: number): Header => ({
  number,
  hash: hash(number),
  parentHash: hash(number - 1),
  time: 1_000 + number * 2,
});

function logAt(blockNumber: number, blockTime: number | null = null): RawLog {
  return {
    address: `0x${'1'.repeat(40)}`,
    topics: [],
    data: '0x',
    blockNumber,
    blockHash: hash(blockNumber),
    transactionHash: hash(blockNumber),
    logIndex: 0,
    blockTime,
  };
}

interface Node {
  readonly client: ChainClient;
  readonly asked: { fromBlock: number; toBlock: number }[];
  /** Blocks whose headers were read individually. */
  readonly ends: number[];
}

/** A node with one log in each block, which rejects what `refuse` matches. */
function node(
  options: {
    refuse?: (range: { fromBlock: number; toBlock: number }) => Error | undefined;
    last?: number;
  } = {},
): Node {
  const asked: Node['asked'] = [];
  const ends: number[] = [];
  const { last = 1_000_000 } = options;
  const client: Partial<ChainClient> = {
    upstream: 1,
    async header(block) {
      ends.push(Number(block));
      return Number(block) > last ? null : header(Number(block));
    },
    headers: async (numbers) => numbers.map((n) => (n > last ? null : header(n))),
    async logs({ fromBlock, toBlock }) {
      asked.push({ fromBlock, toBlock });
      const refusal = options.refuse?.({ fromBlock, toBlock });
      if (refusal !== undefined) throw refusal;
      return Array.from({ length: toBlock - fromBlock + 1 }, (_, i) => logAt(fromBlock + i));
    },
  };
  return { client: client as ChainClient, asked, ends };
}

async function readAll(
  { client }: Node,
  options: {
    from: number;
    to: number;
    width: number;
    concurrency?: number;
    widest?: number;
    dated?: boolean;
  },
) {
  const range: { current: LogRange } = { current: startLogRange(options.width) };
  const batches: LogBatch[] = [];
  const reading = readLogRanges({
    client,
    filter: { addresses: [] },
    fromBlock: options.from,
    toBlock: options.to,
    concurrency: options.concurrency ?? 3,
    range,
    dated: options.dated ?? true,
    ...(options.widest !== undefined && { widest: options.widest }),
  });
  for await (const batch of reading) batches.push(batch);
  return { batches, range };
}

/** Expects every block once, in order, and consecutive batches. */
function expectWhole(batches: readonly LogBatch[], from: number, to: number): void {
  const blocks = batches.flatMap(({ logs }) => logs.map(({ blockNumber }) => blockNumber));
  expect(blocks).toEqual(Array.from({ length: to - from + 1 }, (_, i) => from + i));
  let next = from;
  for (const batch of batches) {
    expect(batch.fromBlock).toBe(next);
    next = batch.toBlock + 1;
  }
  expect(next).toBe(to + 1);
}

const tooWide = (most: number) => (range: { fromBlock: number; toBlock: number }) =>
  range.toBlock - range.fromBlock + 1 > most
    ? new RangeTooWide({ upstream: 1, maxBlocks: null, suggestedTo: null })
    : undefined;

describe('readLogRanges', () => {
  test('default', async () => {
    const { batches } = await readAll(node(), { from: 5, to: 104, width: 30 });
    expectWhole(batches, 5, 104);
  });

  test('behavior: one block', async () => {
    const { batches } = await readAll(node(), { from: 7, to: 7, width: 30 });
    expectWhole(batches, 7, 7);
  });

  test('behavior: nothing to read', async () => {
    expect((await readAll(node(), { from: 8, to: 7, width: 30 })).batches).toEqual([]);
  });

  test.each([1, 2, 7, 10])('behavior: a node that accepts %d blocks at most', async (most) => {
    const refusing = node({ refuse: tooWide(most) });
    const { batches, range } = await readAll(refusing, { from: 1, to: 100, width: 40 });
    expectWhole(batches, 1, 100);
    // The node's limit is learned, so not every range is rejected first.
    expect(range.current.width).toBeLessThanOrEqual(Math.max(2, most * 2));
  });

  test('behavior: the configured limit applies even if the node accepts more', async () => {
    const free = node();
    const { batches } = await readAll(free, { from: 1, to: 50, width: 40, widest: 6 });
    expectWhole(batches, 1, 50);
    for (const { fromBlock, toBlock } of free.asked) expect(toBlock - fromBlock).toBeLessThan(6);
  });

  test('behavior: several narrow ranges share a header, and the last has one', async () => {
    const narrow = node();
    const { batches } = await readAll(narrow, { from: 1, to: 100, width: 4 });
    expectWhole(batches, 1, 100);
    const ends = batches.flatMap(({ end }) => end?.number ?? []);
    expect(ends.at(-1)).toBe(100);
    // The ranges grow, but a step never has more of them than two rounds read.
    expect(ends.length).toBeLessThan(batches.length / 3);
    expect(narrow.ends).toEqual(ends);
  });

  test('behavior: without dates no header is read', async () => {
    const plain = node();
    const { batches } = await readAll(plain, { from: 1, to: 100, width: 30, dated: false });
    expectWhole(batches, 1, 100);
    expect(plain.ends).toEqual([]);
    for (const { end, times } of batches) expect([end, times.size]).toEqual([null, 0]);
  });

  test('behavior: a range that times out is requested in narrower parts', async () => {
    const late = () => new RpcUnreachable({ upstream: 1, reason: 'timeout' });
    const slow = node({
      refuse: ({ fromBlock, toBlock }) => (toBlock - fromBlock >= 15 ? late() : undefined),
    });
    const { batches } = await readAll(slow, { from: 1, to: 40, width: 40 });
    expect(batches.flatMap(({ logs }) => logs.map((log) => log.blockNumber))).toEqual(
      Array.from({ length: 40 }, (_, i) => i + 1),
    );
  });

  test('error: a node that times out for every range', async () => {
    const slow = node({ refuse: () => new RpcUnreachable({ upstream: 1, reason: 'timeout' }) });
    const range: { current: LogRange } = { current: startLogRange(40) };
    const reading = readLogRanges({
      client: slow.client,
      filter: { addresses: [] },
      fromBlock: 1,
      toBlock: 40,
      concurrency: 1,
      range,
    });
    await expect(reading.next()).rejects.toThrow(RpcUnreachable);
    expect(range.current.width).toBe(5);
  });

  test('behavior: a reported timeout is narrowed as far as needed, and what passed is learned', async () => {
    const late = () => new RpcUnreachable({ upstream: 1, reason: 'server-timeout' });
    const slow = node({
      refuse: ({ fromBlock, toBlock }) => (toBlock - fromBlock >= 3 ? late() : undefined),
    });
    const { batches, range } = await readAll(slow, { from: 1, to: 200, width: 16 });
    expectWhole(batches, 1, 200);
    expect(range.current.cap).toBeLessThanOrEqual(4);
    const wide = slow.asked.filter(({ fromBlock, toBlock }) => toBlock - fromBlock >= 3);
    expect(wide.length).toBeLessThan(slow.asked.length / 3);
  });

  test('error: one block whose logs time out', async () => {
    const late = () => new RpcUnreachable({ upstream: 1, reason: 'server-timeout' });
    const slow = node({ refuse: late });
    await expect(readAll(slow, { from: 1, to: 8, width: 8 })).rejects.toThrow(RpcUnreachable);
    expect(slow.asked.at(-1)).toEqual({ fromBlock: 1, toBlock: 1 });
  });

  test('error: a single block that the node rejects', async () => {
    const stubborn = node({ refuse: tooWide(0) });
    await expect(readAll(stubborn, { from: 1, to: 100, width: 40 })).rejects.toThrow(
      /block 1 alone/,
    );
  });

  test('error: the last block of a range is missing', async () => {
    const short = node({ last: 60 });
    await expect(readAll(short, { from: 1, to: 100, width: 40 })).rejects.toThrow(BlockGone);
  });
});

describe('blockTimes', () => {
  test('default', async () => {
    const { client } = node();
    const times = await blockTimes(client, [logAt(3), logAt(5, 4_000)], header(9));
    expect([3, 5, 9].map((block) => times.get(block))).toEqual([1_006, 4_000, 1_018]);
  });

  test("error: a log's block is missing", async () => {
    await expect(blockTimes(node({ last: 2 }).client, [logAt(3)])).rejects.toThrow(BlockGone);
  });
});
