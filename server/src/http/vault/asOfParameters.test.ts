import { describe, expect, test } from 'vitest';
import { readParameters } from '../parameters.ts';
import { BadParameters } from '../problem.ts';
import { readAskedMoment } from './asOfParameters.ts';

function read(query: Record<string, string>) {
  const values = new Map(Object.entries(query).map(([name, value]) => [name, [value]]));
  return readParameters(readAskedMoment, { path: {}, query: values, now: 0 });
}

const HASH = `0x${'aB'.repeat(32)}`;

describe('readAskedMoment', () => {
  test('default', () => {
    expect(read({})).toBeUndefined();
    expect(read({ at: '1970-01-02T00:00:01Z' })).toEqual({ time: 86_401 });
    expect(read({ block: '8453:30000000' })).toEqual({ chainId: 8453, block: 30_000_000 });
    expect(read({ block: `1:${HASH}` })).toEqual({ chainId: 1, block: HASH.toLowerCase() });
  });

  test('behavior: a date means its end, a fraction the second that contains it', () => {
    expect(read({ at: '1970-01-01' })).toEqual({ time: 86_399 });
    expect(read({ at: '1970-01-01T00:00:07.999Z' })).toEqual({ time: 7 });
  });

  test.each<Record<string, string>>([
    { at: 'now' },
    { at: '2026-02-30' },
    { at: '2026-01-01T00:00:00' },
    { block: '30000000' },
    { block: '8453:-1' },
    { block: '8453:0x12' },
    { block: 'base:1' },
    { at: '2026-01-01', block: '1:1' },
  ])('error: %o', (query) => {
    expect(() => read(query)).toThrow(BadParameters);
  });
});
