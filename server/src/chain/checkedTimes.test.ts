import { expect, test } from 'vitest';
import type { Hex } from '../domain/hex.ts';
import type { ChainClient, Header, RawLog } from './chainClient.ts';
import { withCheckedTimes } from './checkedTimes.ts';

const hash = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`;
const RANGE = { fromBlock: 1, toBlock: 9, filter: { addresses: [] } };

/** A node whose logs have the block times in `dates`, while its headers have block × 10. */
function node(
  dates: () => Record<number, number | null>,
  headers?: (block: number) => Header | null,
) {
  const asked: number[] = [];
  const header = (number: number): Header => {
    return { number, hash: hash(number), parentHash: hash(number - 1), time: number * 10 };
  };
  const client = withCheckedTimes({
    header: async (block: number) => {
      asked.push(block);
      return (headers ?? header)(block);
    },
    logs: async () =>
      Object.entries(dates()).map(([block, blockTime]) => {
        return { blockNumber: Number(block), blockHash: hash(Number(block)), blockTime } as RawLog;
      }),
  } as unknown as ChainClient);
  const read = async () => (await client.logs(RANGE)).map(({ blockTime }) => blockTime);
  return { read, asked, header };
}

test('default: one log is compared with its header, once', async () => {
  const { read, asked } = node(() => ({ 3: 30, 4: null, 5: 50 }));
  expect(await Promise.all([read(), read()])).toEqual([
    [30, null, 50],
    [30, null, 50],
  ]);
  expect(await read()).toEqual([30, null, 50]);
  expect(asked).toEqual([5]);
});

test('behavior: a URL with wrong timestamps is not trusted again', async () => {
  let right = false;
  const { read, asked } = node(() => ({ 3: 30, 5: right ? 50 : 49 }));
  expect(await read()).toEqual([null, null]);
  right = true;
  expect(await read()).toEqual([null, null]);
  expect(asked).toEqual([5]);
});

test('behavior: without timestamps nothing is read', async () => {
  const { read, asked } = node(() => ({ 3: null }));
  expect(await read()).toEqual([null]);
  expect(asked).toEqual([]);
});

test('behavior: a block that is gone, or another one, proves nothing', async () => {
  const answers: ((header: Header) => Header | null)[] = [
    () => null,
    (header) => ({ ...header, hash: hash(99), time: 1 }),
    (header) => header,
  ];
  const { read, header } = node(
    () => ({ 5: 50 }),
    (block) => answers.shift()!(header(block)),
  );
  expect([await read(), await read(), await read(), await read()]).toEqual([
    [null],
    [null],
    [50],
    [50],
  ]);
});
