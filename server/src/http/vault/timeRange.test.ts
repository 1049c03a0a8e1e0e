import { describe, expect, test } from 'vitest';
import { readParameters } from '../parameters.ts';
import { BadParameters } from '../problem.ts';
import { readTimeRange } from './timeRange.ts';

function read(query: Record<string, string>) {
  const request = {
    path: {},
    query: new Map(Object.entries(query).map(([name, value]) => [name, [value]])),
    now: 0,
  };
  return readParameters(readTimeRange, request);
}

function reasonsOf(query: Record<string, string>): string[] {
  try {
    read(query);
  } catch (error) {
    if (error instanceof BadParameters) return error.errors.map((one) => JSON.stringify(one));
    throw error;
  }
  return [];
}

const unix = (iso: string) => Date.parse(iso) / 1000;

describe('timeRange', () => {
  test('default', () => {
    expect(read({ from: '2026-01-01', to: '2026-01-31' })).toEqual({
      from: unix('2026-01-01T00:00:00Z'),
      to: unix('2026-01-31T23:59:59Z'),
    });
  });

  test('behavior: a missing end sets no bound', () => {
    const { from, to } = read({});
    expect(from).toBe(0);
    expect(to).toBeGreaterThan(unix('9999-12-31T23:59:59Z'));
  });

  test.each([
    ['2024-02-29', '2024-02-29T00:00:00Z'],
    ['2000-02-29', '2000-02-29T00:00:00Z'],
    ['9999-12-31', '9999-12-31T00:00:00Z'],
    ['1970-01-01', '1970-01-01T00:00:00Z'],
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00Z'],
    ['2026-01-31t12:00:00z', '2026-01-31T12:00:00Z'],
    ['2026-01-31T12:00Z', '2026-01-31T12:00:00Z'],
    ['2026-01-31T12:00:00+02:00', '2026-01-31T10:00:00Z'],
    ['2026-01-31T12:00:00+0200', '2026-01-31T10:00:00Z'],
    ['2026-01-31T12:00:00 02:00', '2026-01-31T10:00:00Z'],
    ['2026-01-31T12:00:00-09:30', '2026-01-31T21:30:00Z'],
    ['2026-01-31T12:00:00-0930', '2026-01-31T21:30:00Z'],
    ['2026-01-31T12:00:00-00:00', '2026-01-31T12:00:00Z'],
    ['2026-01-31T12:00:00+23:59', '2026-01-30T12:01:00Z'],
    ['2026-01-31T12:00:00-23:59', '2026-02-01T11:59:00Z'],
    ['2026-01-01T00:30:00+01:00', '2025-12-31T23:30:00Z'],
    ['2026-01-31T12:00:00.000Z', '2026-01-31T12:00:00Z'],
    // Ticks are at full seconds, so the first one inside is the next.
    ['2026-01-31T12:00:00.000000001Z', '2026-01-31T12:00:01Z'],
    ['2026-01-31T12:00:00.5Z', '2026-01-31T12:00:01Z'],
    ['1970-01-01T00:00:00+14:00', '1970-01-01T00:00:00Z'],
  ])('behavior: from %s', (text, instant) => {
    expect(read({ from: text }).from).toBe(unix(instant));
  });

  test.each([
    ['2026-01-31', '2026-01-31T23:59:59Z'],
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00Z'],
    ['2026-01-31T12:00:00.999999999Z', '2026-01-31T12:00:00Z'],
    ['2026-01-31T12:00:00.25+05:45', '2026-01-31T06:15:00Z'],
  ])('behavior: to %s', (text, instant) => {
    expect(read({ to: text }).to).toBe(unix(instant));
  });

  test.each([
    ['2026-02-30', 'does not exist'],
    ['2025-02-29', 'does not exist'],
    ['1900-02-29', 'year'],
    ['2100-02-29', 'does not exist'],
    ['2026-13-01', 'does not exist'],
    ['2026-00-10', 'does not exist'],
    ['2026-04-31T00:00:00Z', 'does not exist'],
    ['2026-01-00', 'does not exist'],
    ['1969-12-31', 'year'],
    ['0000-01-01', 'year'],
    ['2026-01-31T24:00:00Z', 'invalid time'],
    ['2026-01-31T23:60:00Z', 'invalid time'],
    ['2026-01-31T23:59:60Z', 'invalid time'],
    ['2026-01-31T12:00:00', 'zone'],
    ['2026-01-31T12:00:00.5', 'zone'],
    ['2026-01-31T12:00', 'zone'],
    ['2026-01-31T12:00:00+24:00', 'offset'],
    ['2026-01-31T12:00:00-99:00', 'offset'],
    ['2026-01-31T12:00:00+02:60', 'offset'],
    ['2026-01-31T12:00:00.1234567890Z', 'digits'],
    ['2026-01-31T12:00:00.Z', 'must be a date'],
    ['2026-01-31T12:00:00+02', 'must be a date'],
    ['2026-01-31T12:00:00+2:00', 'must be a date'],
    ['2026-01-31T12Z', 'must be a date'],
    ['2026-01-31 12:00:00Z', 'must be a date'],
    ['2026-1-31', 'must be a date'],
    ['2026-01-31Z', 'must be a date'],
    ['+12026-01-31', 'must be a date'],
    ['20260131', 'must be a date'],
    ['1769860800', 'must be a date'],
    ['yesterday', 'must be a date'],
    [' 2026-01-31', 'must be a date'],
    ['2026-01-31\n', 'must be a date'],
    ['２０２６-01-31', 'must be a date'],
  ])('error: %s', (text, reason) => {
    for (const name of ['from', 'to']) {
      const [only, ...more] = reasonsOf({ [name]: text });
      expect(only).toContain(`"parameter":"${name}"`);
      expect(only).toContain(reason);
      expect(more).toEqual([]);
    }
  });

  test('error: from after to', () => {
    const second = '2026-01-31T12:00:00';
    expect(reasonsOf({ from: '2026-02-01', to: '2026-01-31' })).toHaveLength(1);
    expect(reasonsOf({ from: `${second}.000000002Z`, to: `${second}.000000001Z` })).toHaveLength(1);
    // The text that sorts later can be the earlier time.
    expect(reasonsOf({ from: `${second}Z`, to: '2026-01-31T13:00:00+02:00' })).toHaveLength(1);
    expect(reasonsOf({ from: '2026-01-31', to: '2026-01-31' })).toEqual([]);
    expect(reasonsOf({ from: `${second}.2Z`, to: `${second}.7Z` })).toEqual([]);
    expect(reasonsOf({ from: `${second}+02:00`, to: `${second}+01:00` })).toEqual([]);
  });

  test('error: all invalid parameters are reported at once', () => {
    expect(reasonsOf({ from: '2026-02-30', to: 'now' })).toHaveLength(2);
  });
});
