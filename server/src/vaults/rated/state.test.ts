import { expect, test } from 'vitest';
import type { CallResult } from '../kind.ts';
import { state } from './state.ts';

const NOW = 1_000_000;
const word = (value: number) => value.toString(16).padStart(64, '0');
const words = (...values: number[]): CallResult => `0x${values.map(word).join('')}`;

/** The state of a share token whose rate was updated at a time. */
function rateUpdatedAt(time: number, kind: 'feed' | 'call'): number | undefined {
  const rate = {
    feed: { kind: 'feed', contract: '0x02', inverse: false, maxAge: NOW },
    call: {
      ...{ kind: 'call', contract: '0x02', data: '0x', answer: 1, updatedAt: 3, bad: null },
      ...{ paused: null, signed: false, decimals: 0, inverse: false, maxAge: null },
    },
  }[kind];
  const supply = { contract: '0x01', data: '0x', answer: 0 };
  const vault = {
    chain: { chainId: 1, rated: { ledger: { supply }, rate } },
    family: { pools: [] },
    ...{ assetDecimals: 6, shareDecimals: 6 },
  };
  const input = { block: 1, time: NOW, queued: { pendingShares: 0n } };
  const read = state(vault as never, input as never);
  read.next([]);
  const step = read.next([words(5), words(1, 7, 0, time, 1), words(0)]);
  if (!step.done || step.value === null || 'unread' in step.value) throw new Error('no state');
  return step.value.rateUpdatedAt;
}

test.each(['feed', 'call'] as const)('default: the time that a %s reports', (kind) => {
  expect(rateUpdatedAt(NOW - 500, kind)).toBe(NOW - 500);
});

test('behavior: an invalid time is unknown', () => {
  expect(rateUpdatedAt(0, 'call')).toBeUndefined();
  expect(rateUpdatedAt(NOW * 1_000, 'call')).toBeUndefined();
});
