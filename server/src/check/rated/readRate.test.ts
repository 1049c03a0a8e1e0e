import { describe, expect, test } from 'vitest';
import type { RatedConfig, RatedRate } from '../../config/rated/description.ts';
import type { Hex } from '../../domain/hex.ts';
import type { Look } from '../../vaults/recognize/readContract.ts';
import { readRate } from './readRate.ts';

const word = (value: bigint) => BigInt.asUintN(256, value).toString(16).padStart(64, '0');
const words = (...values: bigint[]): Hex => `0x${values.map(word).join('')}`;
const NOW = 1_000_000;

const CALL = {
  kind: 'call',
  contract: '0x01',
  call: 'getRate()',
  data: '0x679aefce',
  answer: 0,
  decimals: 18,
  updatedAt: null,
  bad: null,
  paused: null,
  signed: false,
  inverse: false,
  maxAge: null,
} as const;
const PAUSED = { ...CALL, paused: { contract: '0x03', call: '', data: '0x', answer: 0 } } as const;
const FEED = { kind: 'feed', contract: '0x02', inverse: false, maxAge: 100 } as const;

function read(rate: RatedRate, answers: readonly (Hex | null)[]) {
  const look = { client: { multicall: async () => answers }, block: 1 } as unknown as Look;
  return readRate(look, { rate } as RatedConfig, { unit: 6, share: 18 }, NOW);
}

describe('readRate', () => {
  test('default: units for shares, with the age of the rate', async () => {
    const round = words(1n, 5n * 10n ** 8n, 0n, BigInt(NOW - 7), 1n);
    expect(await read(FEED, [round, words(8n)])).toEqual({
      ...{ assets: 5n * 10n ** 14n, shares: 10n ** 26n, age: 7 },
    });
    expect(await read(PAUSED, [words(2n), words(0n)])).toMatchObject({ age: null });
  });

  test.each([
    ['reverts', CALL, [null]],
    ['reverts', CALL, ['0x']],
    ['reverts', FEED, [words(1n, 5n, 0n, 9n, 1n), null]],
    ['short', { ...CALL, answer: 1 }, [words(5n)]],
    ['short', { ...CALL, bad: 1 }, [words(5n)]],
    ['short', { ...CALL, updatedAt: 2 }, [words(5n, 6n)]],
    ['short', FEED, [words(1n, 5n), words(8n)]],
    ['short', FEED, [words(1n, 5n, 0n, 9n, 1n), words(78n)]],
    ['paused', PAUSED, [words(5n), words(1n)]],
    ['paused', PAUSED, [null, words(1n)]],
    ['no-pause', PAUSED, [words(5n), null]],
    ['no-pause', PAUSED, [words(5n), '0x']],
    ['bad', { ...CALL, bad: 1 }, [words(5n, 1n)]],
    ['zero', CALL, [words(0n)]],
    ['zero', { ...CALL, signed: true }, [words(-1n)]],
    ['zero', FEED, [words(1n, -1n, 0n, 9n, 1n), words(8n)]],
  ] as [string, RatedRate, (Hex | null)[]][])(
    'error: a rate that the indexer does not use is named (%s)',
    async (none, rate, answers) => {
      expect(await read(rate, answers)).toEqual({ none });
    },
  );
});
