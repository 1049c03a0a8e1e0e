import { describe, expect, test } from 'vitest';
import type { ChainClient, Header, RawLog } from '../../chain/chainClient.ts';
import { startLogRange } from '../../chain/logRange.ts';
import type { Hex } from '../../domain/hex.ts';
import type { Queryable } from '../../store/store.ts';
import type { FeedReader } from '../feeds/feedReader.ts';
import { readSteps } from './backfill.ts';

const hash = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`;
const header = (number: number): Header => ({
  number,
  hash: hash(number),
  parentHash: hash(number - 1),
  time: 1_000 + number,
});
const ADDRESS = `0x${'1'.repeat(40)}` as const;

/** More than the prefetched steps contain together. */
const LAST = 5_000;

/** One log in each block. */
const CLIENT = {
  upstream: 1,
  header: async (number: number) => header(number),
  headers: async (numbers: readonly number[]) => numbers.map(header),
  logs: async ({ fromBlock, toBlock }: { fromBlock: number; toBlock: number }) =>
    Array.from({ length: toBlock - fromBlock + 1 }, (_, i) => ({
      address: ADDRESS,
      topics: [],
      data: '0x',
      blockNumber: fromBlock + i,
      blockHash: hash(fromBlock + i),
      transactionHash: hash(fromBlock + i),
      logIndex: 0,
      blockTime: null,
    })),
} as unknown as ChainClient;

function createReader() {
  const taken: number[] = [];
  const reader = {
    kind: 'feed',
    source: { key: 'feed:x', feed: { name: 'x' } },
    filter: { addresses: [ADDRESS], topics: [[]] },
    async take(logs: readonly RawLog[]) {
      taken.push(...logs.map(({ blockNumber }) => blockNumber));
      return { rows: [], phases: [] };
    },
  } as unknown as FeedReader;
  return { reader, taken };
}

function steps(reader: FeedReader, enough?: () => boolean) {
  return readSteps({
    client: CLIENT,
    db: { query: async () => [] } as Queryable,
    chainId: 1,
    readers: [reader],
    after: header(0),
    to: header(LAST),
    concurrency: 4,
    range: { current: startLogRange(10) },
    tickSeconds: 10,
    notBefore: 0,
    ...(enough && { enough }),
  });
}

const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1);

describe('readSteps', () => {
  test('default', async () => {
    const { reader, taken } = createReader();
    let last = 0;
    for await (const step of steps(reader)) {
      expect(step.fromTime).toBe(header(last).time);
      last = step.to.number;
    }
    expect(last).toBe(LAST);
    expect(taken).toEqual(upTo(LAST));
  });

  // Without this, data that a reader took but that was not committed would be taken twice, with the prices of later
  // logs.
  test('behavior: when it has enough, it still yields everything that readers took', async () => {
    const { reader, taken } = createReader();
    let last = 0;
    for await (const step of steps(reader, () => last > 0)) last = step.to.number;
    expect(last).toBeGreaterThan(0);
    expect(last).toBeLessThan(LAST);
    expect(taken).toEqual(upTo(last));
  });
});
