import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Hex } from '../domain/hex.ts';
import { findBlocksAt, InstantTooEarly } from './blockSearch.ts';
import type { Header } from './chainClient.ts';
import { StateUnavailable } from './rpcError.ts';

function header(number: number, time: number): Header {
  const hash = `0x${number.toString(16).padStart(64, '0')}` as Hex;
  return { number, hash, parentHash: hash, time };
}

/** A chain as a list of block times, which counts reads. */
function chainOf(times: readonly number[]) {
  const asked = { rounds: 0, headers: 0 };
  return {
    upstream: 1,
    asked,
    known: { lo: header(0, times[0]!), hi: header(times.length - 1, times[times.length - 1]!) },
    headers(numbers: readonly number[]): Promise<(Header | null)[]> {
      asked.rounds++;
      asked.headers += numbers.length;
      return Promise.resolve(
        numbers.map((number) => {
          const time = times[number];
          return time === undefined ? null : header(number, time);
        }),
      );
    },
  };
}

function lastAtOrBefore(times: readonly number[], instant: number): number {
  return times.findLastIndex((time) => time <= instant);
}

const blockTimes = (gap: fc.Arbitrary<number>) =>
  fc.array(gap, { minLength: 1, maxLength: 400 }).map((gaps) => {
    let time = 1_000;
    return [time, ...gaps.map((each) => (time += each))];
  });
const gaps = fc.oneof(
  fc.constantFrom(0, 2, 12),
  fc.integer({ min: 0, max: 3 }),
  fc.integer({ min: 0, max: 100_000 }),
);

describe('findBlocksAt', () => {
  test('default: returns the last block at or before each time, with any block times', async () => {
    await fc.assert(
      fc.asyncProperty(
        blockTimes(gaps),
        fc.array(fc.double({ min: 0, max: 1.1, noNaN: true }), { maxLength: 40 }),
        async (times, places) => {
          const span = times[times.length - 1]! - times[0]!;
          const instants = places
            .map((place) => times[0]! + Math.floor(place * span))
            .sort((a, b) => a - b);
          const chain = chainOf(times);
          const found = await findBlocksAt(chain, instants, chain.known);
          expect(found.map((block) => block.number)).toEqual(
            instants.map((instant) => lastAtOrBefore(times, instant)),
          );
          expect(chain.asked.rounds).toBeLessThanOrEqual(10);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('behavior: blocks whose times are known are not read', async () => {
    await fc.assert(
      fc.asyncProperty(
        blockTimes(gaps),
        fc.array(fc.nat(400), { maxLength: 40 }),
        fc.array(fc.nat(400), { maxLength: 400 }),
        async (times, offsets, numbers) => {
          const instants = offsets.map((offset) => times[0]! + offset).sort((a, b) => a - b);
          const inside = numbers.filter((number) => number < times.length);
          const asked: number[] = [];
          const chain = chainOf(times);
          const client = {
            upstream: chain.upstream,
            headers(wanted: readonly number[]) {
              asked.push(...wanted);
              return chain.headers(wanted);
            },
          };
          const known = new Map(inside.map((number) => [number, times[number]!]));
          const found = await findBlocksAt(client, instants, { ...chain.known, times: known });
          expect(found.map((block) => block.number)).toEqual(
            instants.map((instant) => lastAtOrBefore(times, instant)),
          );
          expect(asked.filter((number) => known.has(number))).toEqual([]);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('behavior: all times known: nothing is read', async () => {
    const chain = chainOf([10, 20, 20, 35, 50]);
    const times = new Map([20, 20, 35].map((time, i) => [i + 1, time]));
    const found = await findBlocksAt(chain, [10, 20, 34, 49], { ...chain.known, times });
    expect(found.map((block) => block.number)).toEqual([0, 2, 2, 3]);
    expect(chain.asked).toEqual({ rounds: 0, headers: 0 });
  });

  test('behavior: of several blocks in one second the last', async () => {
    const chain = chainOf([10, 20, 20, 20, 20, 30]);
    const found = await findBlocksAt(chain, [19, 20, 29, 30, 99], chain.known);
    expect(found.map((block) => block.number)).toEqual([0, 4, 4, 5, 5]);
  });

  test('behavior: regular block times take one round for 2,000 times', async () => {
    const times = Array.from({ length: 3_900_000 }, (_, i) => 1_700_000_000 + 2 * i);
    const instants = Array.from({ length: 2_160 }, (_, i) => 1_700_000_000 + 3_600 * i);
    const chain = chainOf(times);
    const found = await findBlocksAt(chain, instants, chain.known);
    expect(found.every((block, i) => block.time === instants[i])).toBe(true);
    expect(chain.asked).toEqual({ rounds: 1, headers: 2 * 2_160 - 1 });
  });

  test('behavior: slots missed at random take few rounds', async () => {
    const random = seeded(7);
    let time = 1_700_000_000;
    const times = Array.from({ length: 650_000 }, () => (time += random() < 0.02 ? 24 : 12));
    const instants = Array.from({ length: 2_160 }, (_, i) => times[0]! + 3_600 * i);
    const chain = chainOf(times);
    const found = await findBlocksAt(chain, instants, chain.known);
    found.forEach((block, i) => {
      expect(block.time <= instants[i]! && times[block.number + 1]! > instants[i]!).toBe(true);
    });
    expect(chain.asked.rounds).toBeLessThanOrEqual(7);
    expect(chain.asked.headers).toBeLessThan(2_160 * 12);
  });

  test('behavior: a chain that stalled for long ends by bisection', async () => {
    const times = Array.from({ length: 1_000_000 }, (_, i) => (i === 0 ? 0 : 1_000_000_000 + i));
    const chain = chainOf(times);
    const [block] = await findBlocksAt(chain, [1_000_000_777], chain.known);
    expect(block?.number).toBe(777);
    expect(chain.asked.rounds).toBeLessThanOrEqual(21);
  });

  test('error: a time before the first block', async () => {
    const chain = chainOf([10, 20]);
    await expect(findBlocksAt(chain, [9], chain.known)).rejects.toThrow(InstantTooEarly);
  });

  test('error: the RPC endpoint lacks a block in between', async () => {
    const chain = chainOf([10, 20, 30]);
    const known = { lo: chain.known.lo, hi: header(50, 900) };
    await expect(findBlocksAt(chain, [500], known)).rejects.toThrow(StateUnavailable);
  });
});

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
