import type { ExitTerms, ExitTermsChain } from '@assay/client';
import { describe, expect, test } from 'vitest';
import { exitsBySpeed, readAmount, usualAmounts } from './exitAmounts.ts';

type Fields = Partial<Pick<ExitTermsChain<bigint>, 'chainId' | 'outcome' | 'periods'>>;
function chain(fields: Fields, medianSeconds: number | null): ExitTermsChain<bigint> {
  const measuredWait = { days: 90, requests: 1, medianSeconds, p90Seconds: null };
  return { periods: [], ...fields, measuredWait } as unknown as ExitTermsChain<bigint>;
}
const of = (...chains: ExitTermsChain<bigint>[]) =>
  exitsBySpeed({ chains } as unknown as ExitTerms<bigint>).map(({ chain, seconds }) => [
    chain.chainId,
    seconds,
  ]);

describe('exitsBySpeed', () => {
  test('default: immediate exits first, unknown waits last, no rejected ones', () => {
    expect(
      of(
        chain({ chainId: 1, outcome: 'queued' }, null),
        chain({ chainId: 2, outcome: 'queued' }, 3600),
        chain({ chainId: 3, outcome: 'instant' }, 7200),
        chain({ chainId: 4, outcome: 'unavailable' }, 0),
        chain({ chainId: 5, outcome: null }, 0),
      ),
    ).toEqual([
      [3, 0],
      [2, 3600],
      [1, null],
    ]);
  });

  test('behavior: a declared cooldown is the minimum wait, a timelock of the vault is not', () => {
    const periods = [
      { name: 'cooldown', seconds: 600 },
      { name: 'timelock', seconds: 9999 },
    ] as const;
    expect(of(chain({ chainId: 1, outcome: 'partial', periods }, 60))).toEqual([[1, 600]]);
  });
});

describe('amounts', () => {
  test('default: round parts of the TVL', () => {
    expect(usualAmounts(10_150_000n)).toEqual([10_000n, 100_000n, 500_000n]);
    expect(usualAmounts(90n)).toEqual([2n]);
    expect(usualAmounts(0n)).toEqual([]);
  });

  test('default: read with separators, exactly', () => {
    expect(readAmount('10,000.5', 6)).toBe(10_000_500_000n);
    expect(readAmount('1_000', 0)).toBe(1_000n);
  });

  test.each(['', '0', '-1', '1e3', '1.2345678', 'abc', '.5'])('error: %j is invalid', (text) => {
    expect(readAmount(text, 6)).toBeUndefined();
  });
});
