import { describe, expect, test } from 'vitest';
import { gapsOf, type Mark, marksAt, marksIn } from './marks.ts';

const reorg: Mark = { kind: 'reorg', at: 100, text: 'Reorg' };
const gap: Mark = { kind: 'gap', at: 200, to: 300, text: 'Gap' };

describe('marks', () => {
  test('default: those in a range, also if they only overlap it', () => {
    expect(marksIn([reorg, gap], { min: 100, max: 150 })).toEqual([reorg]);
    expect(marksIn([reorg, gap], { min: 250, max: 400 })).toEqual([gap]);
    expect(marksIn([reorg, gap], { min: 301, max: 400 })).toEqual([]);
  });

  test('default: those near a time', () => {
    expect(marksAt([reorg, gap], 105, 10)).toEqual([reorg]);
    expect(marksAt([reorg, gap], 250, 0)).toEqual([gap]);
    expect(marksAt([reorg, gap], 150, 10)).toEqual([]);
  });
});

describe('gapsOf', () => {
  test('default: a step that is much longer than the others', () => {
    expect(gapsOf([0, 10, 20, 30, 80, 90])).toEqual([
      { kind: 'gap', at: 30, to: 80, text: 'No data points' },
    ]);
  });

  test('behavior: none in regular, short, or empty data', () => {
    expect(gapsOf([0, 10, 20, 45, 55])).toEqual([]);
    expect(gapsOf([0, 1000])).toEqual([]);
    expect(gapsOf([])).toEqual([]);
  });
});
