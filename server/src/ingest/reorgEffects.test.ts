import { describe, expect, test } from 'vitest';
import type { Header } from '../chain/chainClient.ts';
import type { Hex } from '../domain/hex.ts';
import {
  type BlockRef,
  type FollowEffect,
  type FollowState,
  follow,
  linked,
  remember,
} from './reorg.ts';

/** A chain is a list of fork names: block n of fork `f` has the hash `0xn-f`. */
type Chain = readonly string[];

function header(chain: Chain, number: number): Header {
  const name = (n: number): Hex => (n < 0 ? '0x-' : `0x${n}-${chain[n]}`);
  return { number, hash: name(number), parentHash: name(number - 1), time: 1_000 + number };
}

const chainOf = (length: number, fork = 'a'): Chain => Array.from({ length }, () => fork);
/** The first `keep` blocks, then `added` blocks of another fork. */
const forked = (chain: Chain, keep: number, added: number, fork = 'b'): Chain => [
  ...chain.slice(0, keep),
  ...chainOf(added, fork),
];
const blocksOf = (chain: Chain, from: number, to = chain.length - 1): Header[] =>
  Array.from({ length: to - from + 1 }, (_, i) => header(chain, from + i));

/** Responds as a node with this chain until there is an effect other than a query. */
function run(
  state: FollowState,
  node: Chain,
  lacking: readonly number[] = [],
): [FollowState, FollowEffect] {
  const head = header(node, node.length - 1);
  let [next, effect] = follow(state, { type: 'head', head });
  for (let rounds = 0; effect.type === 'compare'; rounds++) {
    expect(rounds).toBeLessThan(3);
    const headers = effect.numbers.map((n) =>
      n >= node.length || lacking.includes(n) ? null : header(node, n),
    );
    [next, effect] = follow(next, { type: 'headers', headers });
  }
  return [next, effect];
}

const at = (blocks: readonly BlockRef[]): FollowState => ({ blocks, checking: null });

describe('follow', () => {
  test('default', () => {
    const chain = chainOf(12);
    const [state, effect] = run(at(blocksOf(chain, 5, 10)), chain);
    expect(effect).toMatchObject({ type: 'advance', to: { number: 11 } });
    expect(state.blocks.at(-1)!.number).toBe(10);
  });

  test('behavior: nothing indexed yet', () => {
    expect(run(at([]), chainOf(3))[1]).toMatchObject({ type: 'advance', to: { number: 2 } });
  });

  test('behavior: nothing new', () => {
    const chain = chainOf(11);
    expect(run(at(blocksOf(chain, 5)), chain)[1]).toEqual({ type: 'idle' });
  });

  test('behavior: a child of the checkpoint needs no check', () => {
    const chain = chainOf(12);
    const [, effect] = follow(at(blocksOf(chain, 5, 10)), {
      type: 'head',
      head: header(chain, 11),
    });
    expect(effect.type).toBe('advance');
  });

  test('behavior: blocks were missed, none was rolled back', () => {
    const chain = chainOf(30);
    expect(run(at(blocksOf(chain, 5, 10)), chain)[1]).toMatchObject({ type: 'advance' });
  });

  test.each([
    ['longer', 5],
    ['as long', 3],
    ['shorter', 1],
  ])('behavior: a reorg to a %s chain', (_, added) => {
    const chain = chainOf(11);
    const [state, effect] = run(at(blocksOf(chain, 2)), forked(chain, 8, added));
    expect(effect).toMatchObject({ type: 'rollback', to: { number: 7 } });
    expect(state.blocks.map(({ number }) => number)).toEqual([2, 3, 4, 5, 6, 7]);
  });

  test('behavior: a node that lags but agrees is waited for', () => {
    const chain = chainOf(11);
    const [state, effect] = run(at(blocksOf(chain, 2)), chain.slice(0, 6));
    expect(effect).toEqual({ type: 'behind', head: 5 });
    expect(state.blocks).toHaveLength(9);
  });

  test('behavior: a node below all remembered blocks is waited for', () => {
    const chain = chainOf(11);
    expect(run(at(blocksOf(chain, 5)), chain.slice(0, 3))[1]).toEqual({ type: 'behind', head: 2 });
  });

  test('behavior: a node that cannot show a block below its own head proves nothing', () => {
    const chain = chainOf(14);
    const [state, effect] = run(at(blocksOf(chain, 2, 10)), chain, [10]);
    expect(effect.type).toBe('behind');
    expect(state).toEqual(at(blocksOf(chain, 2, 10)));
    const other = forked(chain, 8, 9);
    expect(run(at(blocksOf(chain, 2, 10)), other, [5])[1].type).toBe('behind');
  });

  test('behavior: a gap in the stored blocks rolls back to below it', () => {
    const chain = chainOf(11);
    const sparse = [header(chain, 2), ...blocksOf(chain, 8)];
    expect(run(at(sparse), forked(chain, 6, 9))[1]).toMatchObject({
      type: 'rollback',
      to: { number: 2 },
    });
  });

  test('behavior: rejects a chain without a known block', () => {
    const chain = chainOf(11);
    expect(run(at(blocksOf(chain, 5)), forked(chain, 3, 20))[1]).toEqual({
      type: 'refuse',
      lowest: 5,
    });
  });
});

describe('remember', () => {
  test('default', () => {
    const chain = chainOf(20);
    const kept = remember(blocksOf(chain, 2, 10), blocksOf(chain, 11, 12), 7);
    expect(kept.map(({ number }) => number)).toEqual([7, 8, 9, 10, 11, 12]);
  });

  test('behavior: one at or below finality is always kept', () => {
    const chain = chainOf(20);
    expect(
      remember([header(chain, 3)], [header(chain, 15)], 9).map(({ number }) => number),
    ).toEqual([3, 15]);
    expect(remember([], blocksOf(chain, 4, 6), 19).map(({ number }) => number)).toEqual([6]);
  });
});

describe('linked', () => {
  const chain = chainOf(20);
  const other = forked(chain, 10, 10);

  test('default', () => {
    expect(linked(header(chain, 5), blocksOf(chain, 6, 9), header(chain, 9))).toBe(true);
  });

  test('behavior: a parent of another fork, or another head', () => {
    expect(linked(header(chain, 10), blocksOf(other, 11, 12), header(other, 12))).toBe(false);
    expect(linked(header(chain, 8), blocksOf(chain, 9, 12), header(other, 12))).toBe(false);
    expect(linked(header(chain, 8), blocksOf(chain, 9, 11), header(chain, 12))).toBe(false);
  });
});
