import { describe, expect, test } from 'vitest';
import type { RawLog } from '../../chain/chainClient.ts';
import type { Hex } from '../../domain/hex.ts';
import type { BlockRef } from '../reorg.ts';
import { findLeftOut, OVERLAP_BLOCKS, overlapOf, questionOf, withLogs } from './overlap.ts';

const QUESTION: Hex = '0x01';
const hash = (number: number, fork = 0): Hex => `0x${fork}${number.toString(16).padStart(63, '0')}`;

function block(number: number, change: Partial<BlockRef> = {}): BlockRef {
  return { number, hash: hash(number), time: number, logs: 0, question: QUESTION, ...change };
}

function log(blockNumber: number, blockHash = hash(blockNumber)): RawLog {
  return { blockNumber, blockHash } as RawLog;
}

const ring = (last: number) => Array.from({ length: last }, (_, i) => block(i + 1));
const numbers = (blocks: readonly BlockRef[]) => blocks.map(({ number }) => number);

describe('overlapOf', () => {
  test('default: the newest blocks, as many as fit', () => {
    expect(numbers(overlapOf(ring(9), QUESTION, 3))).toEqual([7, 8, 9]);
    expect(overlapOf(ring(200), QUESTION, 1_000)).toHaveLength(OVERLAP_BLOCKS);
    expect(overlapOf(ring(9), QUESTION, 0)).toEqual([]);
    expect(overlapOf(ring(9), QUESTION, -5)).toEqual([]);
  });

  test('behavior: never the first block, because no block before it is known', () => {
    expect(numbers(overlapOf(ring(3), QUESTION, 10))).toEqual([2, 3]);
    expect(overlapOf(ring(1), QUESTION, 10)).toEqual([]);
  });

  test('behavior: ends at a gap, at another filter, and where the logs are unknown', () => {
    const without = (number: number) => ring(9).filter((one) => one.number !== number);
    expect(numbers(overlapOf(without(6), QUESTION, 10))).toEqual([7, 8, 9]);
    for (const change of [{ question: '0x02' }, { question: null }, { logs: null }]) {
      const changed = ring(9).map((one) => (one.number === 6 ? { ...one, ...change } : one));
      expect(numbers(overlapOf(changed, QUESTION, 10))).toEqual([7, 8, 9]);
    }
  });
});

describe('findLeftOut', () => {
  const overlap = [block(5, { logs: 2 }), block(6), block(7, { logs: 1 })];

  test('default: finds nothing if there are as many logs as before, or fewer, as from a lagging node', () => {
    expect(findLeftOut(overlap, [log(5), log(5), log(7)])).toBeUndefined();
    expect(findLeftOut(overlap, [log(5), log(8)])).toBeUndefined();
  });

  test('behavior: finds the first block with more logs', () => {
    expect(findLeftOut(overlap, [log(6), log(7), log(7)])?.number).toBe(6);
  });

  test('behavior: logs of another fork prove nothing', () => {
    expect(findLeftOut(overlap, [log(6, hash(6, 1))])).toBeUndefined();
  });
});

test('withLogs', () => {
  const header = (number: number) => ({
    ...block(number),
    hash: hash(number),
    parentHash: hash(0),
  });
  const blocks = withLogs([header(5), header(6)], [log(6), log(6)], QUESTION);
  expect(blocks).toEqual([block(5), block(6, { logs: 2 })]);
});

test('questionOf: depends on every part, but not on the order of the parts', () => {
  const [a, b]: Hex[] = ['0x0a', '0x0b'];
  const one = { addresses: [a!, b!], topics: [[a!, b!]], whole: [] };
  expect(questionOf({ ...one, addresses: [b!, a!], topics: [[b!, a!]] })).toBe(questionOf(one));
  const others = [
    { ...one, addresses: [a!] },
    { ...one, topics: [[a!]] },
    { ...one, whole: [a!] },
  ];
  expect(new Set([one, ...others].map(questionOf)).size).toBe(4);
});
