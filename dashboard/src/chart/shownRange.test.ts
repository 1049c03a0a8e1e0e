import { describe, expect, test } from 'vitest';
import { customRange, isPeriod, usualRange } from './shownRange.ts';

const NOW = Date.parse('2026-11-19T06:30:00Z');

describe('ranges', () => {
  test('default: a usual range ends now', () => {
    const { key, name, query } = usualRange('7d');
    expect({ key, name }).toEqual({ key: '7d', name: '7 d' });
    expect(query('auto', NOW)).toEqual({
      ...{ interval: 'hour', limit: 5000, from: '2026-11-12T06:00:00.000Z' },
    });
  });

  test('default: chosen days include the last one', () => {
    const { key, name, query } = customRange({ from: '2026-10-01', to: '2026-10-15' });
    expect({ key, name }).toEqual({
      key: '2026-10-01-to-2026-10-15',
      name: '2026-10-01 to 2026-10-15',
    });
    expect(query('auto', NOW)).toEqual({
      ...{ interval: 'hour', limit: 5000 },
      ...{ from: '2026-10-01T00:00:00.000Z', to: '2026-10-15T23:59:59.000Z' },
    });
  });

  test('behavior: many days are charted by day, unless another interval is chosen', () => {
    const { query } = customRange({ from: '2026-01-01', to: '2026-06-30' });
    expect(query('auto', NOW).interval).toBe('day');
    expect(query('hour', NOW).interval).toBe('hour');
  });

  test('error: invalid days, and days in the wrong order', () => {
    expect(isPeriod('2026-10-01', '2026-10-01')).toBe(true);
    expect(isPeriod('2026-10-02', '2026-10-01')).toBe(false);
    expect(isPeriod('2026-13-01', '2026-10-01')).toBe(false);
    expect(isPeriod('', '2026-10-01')).toBe(false);
  });
});
