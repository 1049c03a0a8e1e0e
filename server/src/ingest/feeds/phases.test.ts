import { describe, expect, test } from 'vitest';
import type { Address } from '../../domain/hex.ts';
import type { FeedPhaseRow } from '../../store/prices/feedPhases.ts';
import {
  type Answer,
  answersInForce,
  findChanges,
  priceAtOpening,
  unlocatedText,
} from './phases.ts';

const address = (digit: string): Address => `0x${digit.repeat(40)}`;
const [FEED, FIRST, SECOND] = [address('f'), address('1'), address('2')];

const phase = (blockNumber: number, aggregator: Address | null, more = {}): FeedPhaseRow => ({
  ...{ blockNumber, phase: 1, aggregator, decimals: 8, located: true },
  ...more,
});
const answer = (from: Address, blockNumber: number, value: bigint | null, more = {}): Answer => {
  const blockTime = blockNumber * 10;
  const place = { chainId: 1, blockNumber, blockTime, logIndex: 0 };
  return { ...place, address: from, value, updatedAt: blockTime, ...more };
};

describe('answersInForce', () => {
  const phases = [phase(0, FIRST), phase(10, SECOND, { phase: 2, decimals: 18 })];
  const valuesOf = (...answers: Answer[]) =>
    answersInForce(FEED, phases, answers).map(({ value }) => value);

  test('default', () => {
    expect(answersInForce(FEED, phases, [answer(FIRST, 3, 7n), answer(SECOND, 12, 8n)])).toEqual([
      {
        ...{ at: 30, updatedAt: 30, chainId: 1, blockNumber: 3, logIndex: 0 },
        ...{ value: 7n, decimals: 8 },
      },
      {
        ...{ at: 120, updatedAt: 120, chainId: 1, blockNumber: 12, logIndex: 0 },
        ...{ value: 8n, decimals: 18 },
      },
    ]);
  });

  test('behavior: an answer counts neither before its phase nor after it', () => {
    expect(valuesOf(answer(SECOND, 9, 1n), answer(FIRST, 11, 2n))).toEqual([]);
  });

  test('behavior: in the block of a change only its end counts', () => {
    expect(valuesOf(answer(FIRST, 10, 1n), answer(SECOND, 10, 2n))).toEqual([]);
  });

  test('behavior: an answer without a price ends the price', () => {
    expect(valuesOf(answer(FIRST, 3, null))).toEqual([null]);
  });

  test('behavior: answers of the feed itself, and of an unknown contract', () => {
    expect(valuesOf(answer(FEED, 11, 1n), answer(address('9'), 11, 2n))).toEqual([1n]);
  });

  test('behavior: no answer counts while the aggregator is unknown', () => {
    const unlocated = [phase(0, null, { located: false })];
    expect(answersInForce(FEED, unlocated, [answer(FIRST, 3, 1n), answer(FEED, 3, 1n)])).toEqual(
      [],
    );
  });

  test('behavior: an answer with a future time has the time of its block', () => {
    const late = answer(FIRST, 3, 1n, { updatedAt: 2 ** 40 });
    expect(answersInForce(FEED, phases, [late])).toMatchObject([{ at: 30, updatedAt: 30 }]);
  });
});

describe('priceAtOpening', () => {
  const opening = { phase: phase(10, SECOND), chainId: 1, blockTime: 100 };

  test('default', () => {
    const row = priceAtOpening({ ...opening, answer: { value: 5n, updatedAt: 40 } });
    expect(row).toMatchObject({ at: 100, updatedAt: 40, blockNumber: 10, value: 5n, decimals: 8 });
  });

  test('behavior: without an answer the price ends', () => {
    expect(priceAtOpening({ ...opening, answer: null })).toMatchObject({ at: 100, value: null });
  });
});

describe('findChanges', () => {
  /** The aggregator seen from each of these blocks on. */
  const search = async (seen: Record<number, string>, from: number, to: number) => {
    const starts = Object.keys(seen).map(Number);
    let asked = 0;
    const valueAt = (block: number) => seen[starts.findLast((start) => start <= block)!]!;
    const at = async (block: number) => {
      asked++;
      return valueAt(block);
    };
    const end = (block: number) => ({ block, value: valueAt(block) });
    const found = await findChanges(at, (a, b) => a === b, end(from), end(to));
    return { found: found.map(({ block, value }) => `${block} ${value}`), asked };
  };

  test('default', async () => {
    const { found, asked } = await search({ 0: 'a', 700: 'b', 701: 'c', 999999: 'd' }, 0, 1e6);
    expect(found).toEqual(['700 b', '701 c', '999999 d']);
    expect(asked).toBeLessThan(60);
  });

  test('behavior: adjacent blocks, and no change', async () => {
    expect(await search({ 0: 'a', 5: 'b' }, 4, 5)).toEqual({ found: ['5 b'], asked: 0 });
    expect(await search({ 0: 'a' }, 0, 100)).toEqual({ found: [], asked: 0 });
  });
});

describe('unlocatedText', () => {
  test('default', () => {
    expect(unlocatedText('feed:x', 1, [phase(0, FIRST), phase(5, SECOND)])).toBeNull();
  });

  test('behavior: up to a known aggregator, or up to now', () => {
    const unlocated = phase(5, null, { located: false });
    expect(unlocatedText('feed:x', 1, [unlocated])).toContain('from block 5 on');
    const found = phase(90, SECOND, { located: false });
    expect(unlocatedText('feed:x', 1, [unlocated, found])).toContain('before block 90');
  });
});
