import { describe, expect, test } from 'vitest';
import { RATE_CALL } from '../../../test/rateCall.ts';
import type { RatedRate } from '../../config/rated/description.ts';
import type { Hex } from '../../domain/hex.ts';
import type { VaultOnChain } from '../kind.ts';
import { rateCalls, rateIn } from './rate.ts';

const word = (value: bigint) => BigInt.asUintN(256, value).toString(16).padStart(64, '0');
const words = (...values: bigint[]): Hex => `0x${values.map(word).join('')}`;
const NOW = 1_000_000;

const FEED = { kind: 'feed', contract: '0x02', inverse: false, maxAge: 100 } as const;

function vault(rate: RatedRate): VaultOnChain {
  return { chain: { rated: { rate } }, assetDecimals: 6, shareDecimals: 18 } as never;
}

function read(rate: RatedRate, ...answers: (Hex | null)[]) {
  return rateIn(vault(rate), answers, NOW);
}

describe('a rate', () => {
  test('default: units for one share, with all digits', () => {
    // 1.000000000000000001 units of a 6-decimal asset for 10^18 units of the share.
    const found = read(RATE_CALL, words(10n ** 18n + 1n));
    expect(found).toEqual({ ratio: { assets: 10n ** 18n + 1n, shares: 10n ** 30n } });
  });

  test('behavior: inverse, in decimals of the unit, fixed, of a feed', () => {
    expect(read({ ...RATE_CALL, inverse: true }, words(2n * 10n ** 18n))).toEqual({
      ratio: { assets: 1n, shares: 2n * 10n ** 12n },
    });
    expect(read({ ...RATE_CALL, decimals: 'unit' }, words(1_500_000n))).toEqual({
      ratio: { assets: 15n, shares: 10n ** 13n },
    });
    const fixed = { kind: 'fixed', value: '1.05', inverse: false, maxAge: null } as const;
    expect(read(fixed)).toEqual({ ratio: { assets: 105n, shares: 10n ** 14n } });
    expect(rateCalls(vault(fixed))).toEqual([]);
    const round = words(1n, 105_000_000n, 0n, BigInt(NOW - 100), 1n);
    expect(read(FEED, round, words(8n))).toEqual({
      ratio: { assets: 105n, shares: 10n ** 14n },
      updatedAt: NOW - 100,
    });
    // From another aggregator behind the same feed.
    expect(read(FEED, round, words(6n))).toMatchObject({
      ratio: { assets: 105n, shares: 10n ** 12n },
    });
  });

  test.each([
    ['does not answer', RATE_CALL, [null]],
    ['does not answer', { ...RATE_CALL, answer: 1 }, [words(1n)]],
    ['does not answer', FEED, [words(1n, 5n, 0n, BigInt(NOW), 1n), null]],
    ['does not answer', FEED, [words(1n, 5n, 0n, BigInt(NOW), 1n), words(78n)]],
    ['is not above zero', RATE_CALL, [words(0n)]],
    ['is not above zero', { ...RATE_CALL, signed: true }, [words(-1n)]],
    ['is not above zero', FEED, [words(1n, -5n, 0n, BigInt(NOW), 1n)]],
    ['is marked as bad', { ...RATE_CALL, bad: 1 }, [words(5n, 1n)]],
    ['is paused', { ...RATE_CALL, paused: { ...RATE_CALL, answer: 0 } }, [words(5n), words(1n)]],
    ['is paused', { ...RATE_CALL, paused: { ...RATE_CALL, answer: 0 } }, [words(5n), null]],
    [
      'is older than 100',
      { ...RATE_CALL, updatedAt: 1, maxAge: 100 },
      [words(5n, BigInt(NOW - 101))],
    ],
    ['is after the block', { ...RATE_CALL, updatedAt: 1, maxAge: 100 }, [words(5n, 10n ** 18n)]],
    ['is older than 100', FEED, [words(1n, 5n, 0n, BigInt(NOW - 101), 1n)]],
  ] as [string, RatedRate, (Hex | null)[]][])(
    'error: a rate that %s is reported, never a zero',
    (reason, rate, answers) => {
      expect(read(rate, ...answers)).toEqual({ unread: expect.stringContaining(reason) });
    },
  );
});
