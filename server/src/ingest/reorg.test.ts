import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LONG } from '../../../scripts/test/extents.mjs';
import type { Header } from '../chain/chainClient.ts';
import type { Hex } from '../domain/hex.ts';
import { type BlockRef, type FollowState, follow, linked, remember } from './reorg.ts';

const FINALITY = 8;

/** A chain with reorgs; every block ever made has its own hash. */
function createModelChain() {
  const blocks: Header[] = [];
  let made = 0;
  const mine = (count: number) => {
    for (let i = 0; i < count; i++) {
      const hash: Hex = `0x${(++made).toString(16)}`;
      const parentHash = blocks.at(-1)?.hash ?? '0x0';
      blocks.push({ number: blocks.length, hash, parentHash, time: blocks.length });
    }
  };
  mine(FINALITY * 2);
  return {
    mine,
    takeBack: (depth: number) => {
      blocks.length -= depth;
    },
    head: () => blocks.at(-1)!,
    at: (number: number) => blocks[number] ?? null,
    has: (block: BlockRef) => blocks[block.number]?.hash === block.hash,
  };
}

type ModelChain = ReturnType<typeof createModelChain>;

/** Runs the reducer's effects as the loop does. `dense` is how many of a range's newest blocks it stores. */
function createModelIndexer(chain: ModelChain, dense: number) {
  let state: FollowState = { blocks: [], checking: null };
  let indexed: BlockRef[] = [];
  let highest = 0;

  /** Reads the head once; `between` runs while headers are requested. */
  function look(between: () => void = () => {}): string {
    const head = chain.head();
    highest = Math.max(highest, head.number);
    let [next, effect] = follow(state, { type: 'head', head });
    while (effect.type === 'compare') {
      between();
      const headers = effect.numbers.map((number) => chain.at(number));
      [next, effect] = follow(next, { type: 'headers', headers });
    }
    if (effect.type === 'rollback') forget(effect.to);
    if (effect.type === 'advance') return index(next, effect.to);
    state = next;
    return effect.type;
  }

  function forget(to: BlockRef): void {
    expect(chain.has(to)).toBe(true);
    // No stored block is lost that is still on the chain.
    const lost = state.blocks.filter((block) => block.number > to.number);
    expect(lost.filter(chain.has)).toEqual([]);
    indexed = indexed.filter((block) => block.number <= to.number);
  }

  function index(next: FollowState, head: Header): string {
    const finalized = Math.max(0, head.number - FINALITY);
    const before = next.blocks.at(-1) ?? chain.at(finalized);
    if (before === null) return 'moved';
    const first = before.number + 1;
    const read = Array.from({ length: head.number - before.number }, (_, i) => chain.at(first + i));
    const whole = read.filter((header) => header !== null);
    if (whole.length < read.length || !linked(before, whole, head)) return 'moved';
    const kept = whole.slice(-dense);
    const added = next.blocks.length === 0 ? [before, ...kept] : kept;
    state = { blocks: remember(next.blocks, added, finalized), checking: null };
    if (indexed.length === 0) indexed.push(before);
    indexed.push(...whole);
    return 'advance';
  }

  return {
    look,
    catchUp(): string {
      for (let turns = 0; turns < 10; turns++) {
        const done = look();
        if (done === 'idle' || done === 'behind' || done === 'refuse') return done;
      }
      throw new Error('the reducer never comes to rest');
    },
    highest: () => highest,
    indexed: () => indexed,
    remembered: () => state.blocks,
  };
}

const deed = fc.oneof(
  fc.record({ do: fc.constant('mine' as const), count: fc.integer({ min: 1, max: 12 }) }),
  fc.record({
    do: fc.constant('reorg' as const),
    depth: fc.integer({ min: 1, max: FINALITY }),
    blocks: fc.integer({ min: 0, max: FINALITY + 3 }),
    midway: fc.boolean(),
  }),
  fc.record({ do: fc.constant('catchUp' as const) }),
);

describe('follow', () => {
  test.each([1, 3, 100])('default: any reorgs, %i blocks of a range remembered', (dense) => {
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 40 }), (deeds) => {
        const chain = createModelChain();
        const indexer = createModelIndexer(chain, dense);
        for (const one of deeds) {
          if (one.do === 'mine') chain.mine(one.count);
          if (one.do === 'catchUp') expectTruth(chain, indexer);
          if (one.do === 'reorg') {
            const reorg = () => {
              // A block that was final when first seen stays.
              const most = chain.head().number - Math.max(0, indexer.highest() - FINALITY);
              chain.takeBack(Math.min(one.depth, Math.max(0, most)));
              chain.mine(one.blocks);
            };
            if (one.midway) indexer.look(reorg);
            else reorg();
          }
        }
        // Past the highest block ever seen, nothing is pending.
        chain.mine(Math.max(1, indexer.highest() - chain.head().number + 1));
        expect(expectTruth(chain, indexer)).toBe('idle');
      }),
      { numRuns: LONG ? 20_000 : 500 },
    );
  });

  test('behavior: a head that goes back without new blocks is waited for', () => {
    const chain = createModelChain();
    const indexer = createModelIndexer(chain, 100);
    indexer.catchUp();
    const before = indexer.indexed();
    chain.takeBack(3);
    expect(indexer.catchUp()).toBe('behind');
    expect(indexer.indexed()).toEqual(before);
  });

  test('behavior: rejects a chain that shares no remembered block', () => {
    const chain = createModelChain();
    const indexer = createModelIndexer(chain, 100);
    indexer.catchUp();
    chain.takeBack(FINALITY + 1);
    chain.mine(FINALITY + 2);
    expect(indexer.catchUp()).toBe('refuse');
  });

  test('error: headers without a check in progress', () => {
    const state: FollowState = { blocks: [], checking: null };
    expect(() => follow(state, { type: 'headers', headers: [] })).toThrow('without a check');
  });
});

describe('linked', () => {
  const block = (number: number, branch = 'a', parent = branch): Header => ({
    number,
    hash: `0x${branch}${number}`,
    parentHash: `0x${parent}${number - 1}`,
    time: number,
  });

  test('default', () => {
    expect(linked(block(1), [block(2), block(3)], block(3))).toBe(true);
  });

  test('behavior: not from a block of another branch', () => {
    expect(linked(block(1, 'b'), [block(2), block(3)], block(3))).toBe(false);
  });

  test('behavior: not with a block of another branch between', () => {
    expect(linked(block(1), [block(2, 'b', 'a'), block(3)], block(3))).toBe(false);
  });

  test('behavior: not to another head than the one seen first', () => {
    expect(linked(block(1), [block(2), block(3)], block(3, 'b'))).toBe(false);
  });

  test('behavior: blocks between may be left out', () => {
    expect(linked(block(1), [block(8), block(9)], block(9))).toBe(true);
  });
});

function expectTruth(chain: ModelChain, indexer: ReturnType<typeof createModelIndexer>): string {
  const done = indexer.catchUp();
  const { number } = chain.head();
  const remembered = indexer.remembered();
  expect(remembered.filter((block) => block.number <= number && !chain.has(block))).toEqual([]);
  const lowest = remembered[0]!.number;
  expect(lowest).toBeLessThanOrEqual(Math.max(0, indexer.highest() - FINALITY));
  if (done === 'idle') {
    const [first] = indexer.indexed();
    const whole = Array.from({ length: number - first!.number + 1 }, (_, i) =>
      chain.at(first!.number + i),
    );
    expect(indexer.indexed()).toEqual(whole);
  } else expect(done).toBe('behind');
  return done;
}
