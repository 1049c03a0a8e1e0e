import { describe, expect, test } from 'vitest';
import { Malformed } from './malformed.ts';
import { parseHeader, parseLogs } from './parse.ts';

const hash = (digit: string) => `0x${digit.repeat(64)}` as const;
const address = `0x${'A1'.repeat(20)}` as const;
const range = { fromBlock: 10, toBlock: 20 };
const addresses = new Set([address.toLowerCase() as `0x${string}`]);

function log(fields: object = {}) {
  return {
    address,
    topics: [hash('A')],
    data: '0xAB',
    blockNumber: '0xb',
    blockHash: hash('1'),
    transactionHash: hash('2'),
    logIndex: '0x0',
    removed: false,
    ...fields,
  };
}

const parse = (logs: unknown) => parseLogs(logs, range, addresses);

describe('parseLogs', () => {
  test('default: lower case, numbers parsed', () => {
    expect(parse([log({ blockTimestamp: '0x64' })])).toEqual([
      {
        address: address.toLowerCase(),
        topics: [hash('a')],
        data: '0xab',
        blockNumber: 11,
        blockHash: hash('1'),
        transactionHash: hash('2'),
        logIndex: 0,
        blockTime: 100,
      },
    ]);
  });

  test('behavior: ordered by block, then index; removed ones dropped; time may be missing', () => {
    const logs = parse([
      log({ blockNumber: '0xc', blockHash: hash('3') }),
      log({ logIndex: '0xa' }),
      log({ logIndex: '0x2', removed: true }),
      log({ logIndex: '0x8', blockTimestamp: '0x0' }),
      log({ logIndex: '0x9', blockTimestamp: 'soon' }),
    ]);
    expect(logs.map((one) => [one.blockNumber, one.logIndex, one.blockTime])).toEqual([
      [11, 8, null],
      [11, 9, null],
      [11, 10, null],
      [12, 0, null],
    ]);
  });

  test.each<[string, unknown]>([
    ['no list', null],
    ['no log', [7]],
    ['no topics', [log({ topics: undefined })]],
    ['a short topic', [log({ topics: ['0x1'] })]],
    ['a number as quantity', [log({ blockNumber: 11 })]],
    ['an unsafe quantity', [log({ logIndex: '0xffffffffffffffff' })]],
    ['a pending log', [log({ blockHash: null })]],
    ['a block outside the range', [log({ blockNumber: '0x15' })]],
    ['another contract', [log({ address: `0x${'b2'.repeat(20)}` })]],
    ['one position twice', [log(), log()]],
    ['two hashes of one block', [log(), log({ logIndex: '0x1', blockHash: hash('9') })]],
  ])('error: %s', (_, value) => {
    expect(() => parse(value)).toThrow(Malformed);
  });
});

describe('parseHeader', () => {
  const block = { number: '0xb', hash: hash('A'), parentHash: hash('B'), timestamp: '0x64' };

  test('default: requires only the fields that it returns', () => {
    const header = { number: 11, hash: hash('a'), parentHash: hash('b'), time: 100 };
    expect(parseHeader(block, 11)).toEqual(header);
    expect(parseHeader(block, null)).toEqual(header);
    expect(parseHeader(null, 11)).toBeNull();
  });

  test.each<[string, unknown]>([
    ['not an object', '0x1'],
    ['undefined', undefined],
    ['another block', { ...block, number: '0xc' }],
    ['no hash', { ...block, hash: null }],
    ['a short hash', { ...block, hash: '0x12' }],
    ['no parent', { ...block, parentHash: undefined }],
    ['a time that is not a quantity', { ...block, timestamp: 100 }],
  ])('error: %s', (_, value) => {
    expect(() => parseHeader(value, 11)).toThrow(Malformed);
  });
});
