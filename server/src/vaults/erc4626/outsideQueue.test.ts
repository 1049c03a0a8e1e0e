import { describe, expect, test } from 'vitest';
import { fn } from '../../chain/abi.ts';
import type { Call } from '../../chain/chainClient.ts';
import type { Address, Hex } from '../../domain/hex.ts';
import type { CallResult } from '../kind.ts';
import { readOutsideQueue } from './outsideQueue.ts';

const address = (digit: string): Address => `0x${digit.repeat(40)}`;
const [VAULT, POOL_MANAGER, HOLDER, QUEUE] = ['1', '2', '3', '4'].map(address) as [
  Address,
  Address,
  Address,
  Address,
];
const ALICE = address('a');
const word = (value: bigint | Address): Hex =>
  `0x${(typeof value === 'bigint' ? value.toString(16) : value.slice(2)).padStart(64, '0')}`;
const call = (to: Address, data: Hex): string => `${to} ${data}`;

const maple = [
  [call(VAULT, fn('manager()')()), word(POOL_MANAGER)],
  [call(POOL_MANAGER, fn('withdrawalManager()')()), word(HOLDER)],
  [call(HOLDER, fn('lockedShares(address)')(ALICE)), word(7n)],
] as const;

/** Reads the queue of contracts with these results; all other calls fail. */
function read(results: readonly (readonly [string, Hex])[]) {
  const known = new Map<string, Hex>(results);
  const rounds = readOutsideQueue(VAULT, ALICE);
  let answers: CallResult[] = [];
  for (;;) {
    const step = rounds.next(answers);
    if (step.done) return step.value;
    answers = step.value.map(({ to, data }: Call) => known.get(call(to, data)) ?? null);
  }
}

describe('readOutsideQueue', () => {
  test('default: shares that Maple processed for a manual exit are claimable', () => {
    const found = read([
      ...maple,
      [call(HOLDER, fn('manualSharesAvailable(address)')(ALICE)), word(5n)],
      [call(VAULT, fn('convertToExitAssets(uint256)')(5n)), word(9n)],
    ]);
    expect(found).toEqual({ claimableShares: 5n, claimableAssets: 9n, pendingAssets: 0n });
  });

  test('behavior: shares that a cyclical withdrawal manager locks are pending', () => {
    const exit = [call(VAULT, fn('convertToExitAssets(uint256)')(7n)), word(9n)] as const;
    expect(read([...maple, exit])).toBeNull();
  });

  test('behavior: a queue that holds nothing reports what it owes', () => {
    const found = read([
      [call(VAULT, fn('withdrawalQueue()')()), word(QUEUE)],
      [call(QUEUE, fn('pendingAssetsOf(address)')(ALICE)), word(3n)],
      [call(QUEUE, fn('claimableAssetsOf(address)')(ALICE)), word(4n)],
    ]);
    expect(found).toEqual({ claimableShares: 0n, claimableAssets: 4n, pendingAssets: 3n });
  });

  test('behavior: a contract with another shape under the same name is not a queue', () => {
    expect(read([[call(VAULT, fn('withdrawalQueue()')()), word(QUEUE)]])).toBeNull();
    expect(read(maple.slice(0, 1))).toBeNull();
  });
});
