import { describe, expect, test } from 'vitest';
import { micros } from './commits.ts';
import { Latencies, percentile } from './latencies.ts';

describe('Latencies', () => {
  test('default: events split into pieces of any length count once', () => {
    const started = micros() - 5_000;
    const text = `"id":1,"shares":"${started}","x":2,`.repeat(20);
    for (const length of [1, 7, 100, text.length]) {
      const found = new Latencies();
      let rest = '';
      for (let at = 0; at < text.length; at += length) {
        rest = found.add(rest + text.slice(at, at + length));
      }
      expect(found.values).toHaveLength(20);
      expect(Math.min(...found.values)).toBeGreaterThanOrEqual(5);
    }
  });

  test('behavior: earlier events do not count', () => {
    const found = new Latencies();
    found.restart();
    found.add(`"shares":"${micros() - 1_000_000}"`);
    expect(found.values).toEqual([]);
  });
});

test('percentile', () => {
  const values = Array.from({ length: 100 }, (_, i) => 100 - i);
  expect([percentile(values, 0.5), percentile(values, 0.95), percentile(values, 0.99)]).toEqual([
    51, 96, 100,
  ]);
});
