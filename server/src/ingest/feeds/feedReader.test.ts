import { describe, expect, test } from 'vitest';
import type { ChainClient, Header, RawLog } from '../../chain/chainClient.ts';
import { StateUnavailable } from '../../chain/rpcError.ts';
import type { Address, Hex } from '../../domain/hex.ts';
import type { LogPlace } from '../../domain/order.ts';
import type { FeedPhaseRow } from '../../store/prices/feedPhases.ts';
import type { FeedSource } from '../sources.ts';
import type { FeedFacts } from './feedFacts.ts';
import { ANSWER_UPDATED, createFeedReader } from './feedReader.ts';

const address = (digit: string): Address => `0x${digit.repeat(40)}`;
const [FEED, FIRST, SECOND] = [address('f'), address('1'), address('2')];
const word = (value: bigint) => BigInt.asUintN(256, value).toString(16).padStart(64, '0');
const header = (number: number): Header => ({
  number,
  hash: `0x${word(BigInt(number))}`,
  parentHash: `0x${word(BigInt(number - 1))}`,
  time: number * 10,
});

/** A proxy with a second phase from block 50 on; states below `oldest` are gone. */
function createClient(oldest = 0) {
  const asked: number[] = [];
  const known = (block: number) => {
    asked.push(block);
    if (block < oldest) throw new StateUnavailable({ upstream: 1, reason: 'pruned' });
  };
  const client = {
    upstream: 1,
    async headers(numbers: readonly number[]) {
      return numbers.map(header);
    },
    async multicall(_: unknown, block: number): Promise<Hex[]> {
      known(block);
      const [phase, aggregator] = block < 50 ? [1n, FIRST] : [2n, SECOND];
      return [`0x${word(8n)}`, `0x${word(phase)}`, `0x${word(BigInt(aggregator))}`];
    },
    async call(_: unknown, block: number): Promise<Hex> {
      known(block);
      return `0x${[1n, BigInt(block), 5n, 5n, 1n].map(word).join('')}`;
    },
  } as unknown as ChainClient;
  return { client, asked };
}

const SOURCE = { chainId: 1, key: 'feed:usd', feed: { name: 'usd', address: FEED } };
const PHASED: FeedFacts = {
  ...{ kind: 'phased', decimals: 8, block: 100, phase: 2, aggregator: SECOND },
  addresses: [FEED, FIRST, SECOND],
};
const PLAIN: FeedFacts = { ...PHASED, kind: 'aggregator', phase: null, aggregator: FEED };

function readerOf(facts: FeedFacts, phases: readonly FeedPhaseRow[] = [], indexedBlock = 0) {
  const reader = createFeedReader(SOURCE as FeedSource, facts, { phases, indexedBlock });
  const take = (client: ChainClient, to: number, logs: readonly RawLog[] = []) =>
    reader.take(logs, place, { client, to: header(to), filter: reader.filter });
  return { reader, take };
}

const place = ({ blockNumber, logIndex }: RawLog): LogPlace => {
  return { blockTime: blockNumber * 10, chainId: 1, blockNumber, logIndex };
};
const log = (from: Address, blockNumber: number, answer: bigint, data: Hex = '0x'): RawLog => ({
  ...{ address: from, topics: [ANSWER_UPDATED, `0x${word(answer)}`, `0x${word(1n)}`], data },
  ...{ blockNumber, blockHash: header(blockNumber).hash, transactionHash: '0x', logIndex: 0 },
  blockTime: null,
});

describe('createFeedReader', () => {
  test('default', async () => {
    const { client } = createClient();
    const { take } = readerOf(PHASED);
    const logs = [log(FIRST, 20, 700n), log(SECOND, 30, 1n), log(SECOND, 60, 800n)];
    const { rows, phases } = await take(client, 80, logs);
    expect(phases.map((one) => [one.blockNumber, one.aggregator])).toEqual([
      [0, FIRST],
      [50, SECOND],
    ]);
    expect(rows.toSorted((a, b) => a.at - b.at).map((row) => [row.at, row.value])).toEqual([
      // The feed's own answer at the first read: zero is not a price.
      [0, null],
      [200, 700n],
      [500, 50n],
      [600, 800n],
    ]);
  });

  test('behavior: a plain aggregator is read directly, and only the first read checks it', async () => {
    const { client, asked } = createClient();
    const { take } = readerOf(PLAIN);
    await take(client, 10);
    asked.length = 0;
    const ended = log(FEED, 12, -1n);
    const data: Hex = `0x${word(115n)}`;
    const { rows, phases } = await take(client, 20, [ended, log(FEED, 13, 5n, data)]);
    expect(rows).toMatchObject([
      { at: 120, updatedAt: 120, value: null },
      { at: 130, updatedAt: 115, value: 5n },
    ]);
    expect([phases, asked]).toEqual([[], []]);
  });

  test('behavior: blocks up to the last known phase need no call', async () => {
    const { client, asked } = createClient();
    const held = { blockNumber: 50, phase: 2, aggregator: SECOND, decimals: 8, located: true };
    const { take } = readerOf(PHASED, [held], 60);
    await take(client, 80);
    await take(client, 100);
    expect(asked).toEqual([]);
    await take(client, 101);
    expect(asked).toEqual([101]);
  });

  test('behavior: concurrent ranges are read one after the other', async () => {
    const { client } = createClient();
    const { take } = readerOf(PHASED);
    const all = await Promise.all([30, 60, 90].map((to) => take(client, to)));
    expect(all.map(({ phases }) => phases.map((one) => one.blockNumber))).toEqual([[0], [50], []]);
  });

  test('behavior: without old states, reports the unknown range, and continues from the first known state', async () => {
    const { client } = createClient(70);
    const { reader, take } = readerOf(PHASED);
    const early = await take(client, 60, [log(FIRST, 20, 7n), log(SECOND, 55, 8n)]);
    expect(early.rows).toEqual([]);
    expect(reader.problem).toContain('from block 0 on');
    const late = await take(client, 75, [log(SECOND, 65, 9n)]);
    expect(late.rows).toMatchObject([{ at: 750, updatedAt: 5, value: 75n }]);
    expect(reader.problem).toContain('before block 75');
    const rest = await take(client, 80, [log(SECOND, 78, 10n)]);
    expect(rest.rows).toMatchObject([{ at: 780, value: 10n }]);
  });

  test('behavior: an aggregator change in a range without states ends the price', async () => {
    const { client } = createClient(70);
    const held = { blockNumber: 0, phase: 1, aggregator: FIRST, decimals: 8, located: true };
    const { take } = readerOf(PHASED, [held], 40);
    const { rows, phases } = await take(client, 80, [log(FIRST, 45, 7n), log(SECOND, 60, 8n)]);
    expect(phases.map(({ blockNumber, located }) => [blockNumber, located])).toEqual([
      [41, false],
      [80, false],
    ]);
    expect(rows.map(({ blockNumber, value }) => [blockNumber, value])).toEqual([
      [41, null],
      [80, 80n],
    ]);
  });

  test('behavior: a proxy in its first phase never had another, even if the node is pruned', async () => {
    const { client } = createClient(70);
    const { reader, take } = readerOf({ ...PHASED, phase: 1, aggregator: FIRST });
    const { rows } = await take(client, 40, [log(FIRST, 20, 7n)]);
    expect(rows).toMatchObject([{ at: 200, value: 7n }]);
    expect(reader.problem).toBeNull();
  });
});
