import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { afterLogs, afterTimeout, afterTooWide, BlockTooLarge, startLogRange } from './logRange.ts';
import { RangeTooWide } from './rpcError.ts';

const blocks = (count: number, fromBlock = 100) => ({ fromBlock, toBlock: fromBlock + count - 1 });
const tooWide = (fields: { suggestedTo?: number; maxBlocks?: number } = {}) =>
  new RangeTooWide({
    upstream: 1,
    suggestedTo: fields.suggestedTo ?? null,
    maxBlocks: fields.maxBlocks ?? null,
  });

describe('logRange', () => {
  test('default: grows by half while results are small', () => {
    const state = afterLogs(startLogRange(1_000), blocks(1_000), 10);
    expect(state.width).toBe(1_500);
    expect(afterLogs(state, blocks(1_500), 10).width).toBe(2_250);
  });

  test('behavior: several results of one width widen it once', () => {
    let state = startLogRange(1_000);
    for (let i = 0; i < 8; i++) state = afterLogs(state, blocks(1_000), 10);
    expect(state.width).toBe(1_500);
  });

  test('behavior: several rejections of one width narrow it once', () => {
    let state = startLogRange(1_000);
    for (let i = 0; i < 8; i++) state = afterTooWide(state, blocks(1_000), tooWide());
    expect(state.width).toBe(500);
  });

  test('behavior: a well-filled result keeps the width, an overfull one narrows it', () => {
    const state = startLogRange(1_000);
    expect(afterLogs(state, blocks(1_000), 4_000).width).toBe(1_000);
    expect(afterLogs(state, blocks(1_000), 20_000).width).toBe(250);
  });

  test('behavior: a first query of a few blocks shows the limit; a few logs show nothing', () => {
    const state = startLogRange(2_000);
    expect(afterLogs(state, blocks(250), 2_000).width).toBe(625);
    expect(afterLogs(state, blocks(1), 10).width).toBe(2_000);
  });

  test('behavior: a suggestion is used, a limit is never exceeded again', () => {
    let state = afterTooWide(
      startLogRange(10_000),
      blocks(10_000),
      tooWide({ suggestedTo: 100 + 799, maxBlocks: 800 }),
    );
    expect(state.width).toBe(800);
    for (let i = 0; i < 100; i++) state = afterLogs(state, blocks(state.width), 0);
    expect(state.width).toBe(800);
  });

  test('behavior: a suggestion that would not narrow the range still narrows it', () => {
    const state = afterTooWide(startLogRange(10), blocks(10), tooWide({ suggestedTo: 500 }));
    expect(state.width).toBeLessThan(10);
  });

  test('behavior: a timeout narrows, down to one block', () => {
    let state = startLogRange(8);
    for (let i = 0; i < 10; i++) state = afterTimeout(state, blocks(state.width));
    expect(state.width).toBe(1);
  });

  test('behavior: a narrower range that passes after a timeout limits the width', () => {
    const late = afterTimeout(startLogRange(1_000, 5_000), blocks(1_000));
    const state = afterLogs(late, blocks(500), 0);
    expect(state).toMatchObject({ cap: 750, timedOut: null });
    expect(afterLogs(state, blocks(500), 0).width).toBe(750);
  });

  test('behavior: a limit learned from one timeout is proven once a wider range times out again', () => {
    let state = afterLogs(afterTimeout(startLogRange(40, 2_000), blocks(40)), blocks(20), 0);
    expect(state).toMatchObject({ cap: 30, proven: false, steadyNeeded: 16 });
    while (state.cap === 30) state = afterLogs(state, blocks(state.width), 0);
    const wider = afterLogs(state, blocks(state.width), 0);
    expect(wider.width).toBe(38);
    let refused = afterTimeout(wider, blocks(38));
    // A second query that was in flight at the same time.
    refused = afterTimeout(refused, blocks(38));
    expect(refused.steadyNeeded).toBe(64);
    expect(afterTimeout(wider, blocks(38))).toMatchObject({ proven: true });
  });

  test('behavior: a timeout that ends without a narrower range limits nothing', () => {
    const state = afterLogs(afterTimeout(startLogRange(1_000), blocks(1_000)), blocks(1_000), 0);
    expect(state.cap).toBe(startLogRange(1_000).cap);
    const [wide, one] = [startLogRange(8), blocks(1)];
    expect(afterLogs(afterTimeout(wide, one), one, 0).cap).toBe(wide.cap);
  });

  test('behavior: against a slow URL few requests time out', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50_000 }), (limit) => {
        let state = startLogRange(10_000);
        let late = 0;
        let done = 0;
        for (let i = 0; i < 1_000; i++) {
          const range = blocks(state.width);
          if (state.width > limit) {
            late++;
            state = afterTimeout(state, range);
          } else {
            done += state.width;
            state = afterLogs(state, range, 0);
          }
        }
        expect(late).toBeLessThan(120);
        expect(done).toBeGreaterThan(0.5 * 1_000 * Math.min(limit, 10_000));
      }),
    );
  });

  test('behavior: against an unnamed limit few requests are wasted', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50_000 }), (limit) => {
        let state = startLogRange(10_000);
        let refused = 0;
        let done = 0;
        for (let i = 0; i < 1_000; i++) {
          const range = blocks(state.width);
          if (state.width > limit) {
            refused++;
            state = afterTooWide(state, range, tooWide());
          } else {
            done += state.width;
            state = afterLogs(state, range, 0);
          }
        }
        expect(refused).toBeLessThan(120);
        expect(done).toBeGreaterThan(0.5 * 1_000 * Math.min(limit, 10_000));
      }),
    );
  });

  test('error: one block alone is rejected', () => {
    expect(() => afterTooWide(startLogRange(1), blocks(1, 77), tooWide())).toThrow(BlockTooLarge);
  });
});
