import { describe, expect, test } from 'vitest';
import { toIso } from './time.ts';
import { openTimeZone } from './timeZone.ts';

describe('timeZone', () => {
  test.each([
    ['UTC', 2026, '2026-01-01T00:00:00.000Z'],
    ['Europe/Zurich', 2026, '2025-12-31T23:00:00.000Z'],
    ['America/New_York', 2026, '2026-01-01T05:00:00.000Z'],
    ['Asia/Kathmandu', 2026, '2025-12-31T18:15:00.000Z'],
    ['Australia/Sydney', 2026, '2025-12-31T13:00:00.000Z'],
    // Apia skipped 30 December 2011; before that, it was on the other side of the date line.
    ['Pacific/Apia', 2011, '2011-01-01T10:00:00.000Z'],
    ['Pacific/Apia', 2012, '2011-12-31T10:00:00.000Z'],
  ])('default: %s %d', (name, year, start) => {
    expect(toIso(openTimeZone(name)!.startOfYear(year))).toBe(start);
  });

  test('behavior: text of a time there, also in the hour that a clock shows twice', () => {
    const zurich = openTimeZone('Europe/Zurich')!;
    expect(zurich.textOf(Date.UTC(2026, 9, 25, 0, 30) / 1000)).toBe('2026-10-25 02:30:00');
    expect(zurich.textOf(Date.UTC(2026, 9, 25, 1, 30) / 1000)).toBe('2026-10-25 02:30:00');
    expect(zurich.textOf(Date.UTC(2025, 11, 31, 23, 0, 5) / 1000)).toBe('2026-01-01 00:00:05');
  });

  test('error: a zone that does not exist', () => {
    expect(openTimeZone('Europe/Bern')).toBeUndefined();
    expect(openTimeZone('')).toBeUndefined();
  });
});
