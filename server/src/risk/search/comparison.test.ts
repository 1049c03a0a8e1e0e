import { describe, expect, test } from 'vitest';
import { GRADES } from '../../domain/risk/graph.ts';
import { checkQuery } from './checkQuery.ts';
import { gradeMatches, parseGrade, parseTvl } from './comparison.ts';

describe('parseTvl', () => {
  test.each([
    ['>5e8', '>', 5e8],
    ['>=1000000', '>=', 1e6],
    ['<.5', '<', 0.5],
    ['<=1.', '<=', 1],
    ['=0', '=', 0],
    [' > 1E+3 ', '>', 1000],
    ['<-1', '<', -1],
  ])('%s', (text, operator, value) => {
    expect(parseTvl(text)).toEqual({ ok: true, value: { operator, value } });
  });

  test.each([
    '',
    '>',
    '5e8',
    '==5',
    '=>5',
    '>>5',
    '>5x',
    '>0x10',
    '>1_000',
    '>1,000',
    '>Infinity',
    '>NaN',
    '>1e999',
    '>5e 8',
    '≥5',
    '5>',
    `>${'1'.repeat(100)}`,
    '>٣',
  ])('rejects %j', (text) => {
    expect(parseTvl(text)).toEqual({
      ok: false,
      reason: expect.stringMatching(/^(must be|is too)/),
    });
  });
});

describe('parseGrade', () => {
  test.each([
    ['B', '=', 'B'],
    ['=C', '=', 'C'],
    ['<=B', '<=', 'B'],
    ['> a', '>', 'A'],
  ])('%s', (text, operator, value) => {
    expect(parseGrade(text)).toEqual({ ok: true, value: { operator, value } });
  });

  test.each(['', 'G', '<', '<=', 'AB', 'A+', '!A', '<=>B', 'B<='])('rejects %j', (text) => {
    expect(parseGrade(text)).toEqual({ ok: false, reason: expect.stringMatching(/^must be/) });
  });

  test('A is the smallest', () => {
    const matching = (operator: '<' | '<=' | '>' | '>=' | '=') =>
      GRADES.filter((grade) => gradeMatches(grade, { operator, value: 'B' })).join('');
    expect(matching('<=')).toBe('AB');
    expect(matching('<')).toBe('A');
    expect(matching('=')).toBe('B');
    expect(matching('>')).toBe('CDEF');
    expect(matching('>=')).toBe('BCDEF');
  });
});

describe('checkQuery', () => {
  test('trims', () => {
    expect(checkQuery('  aave v3\n')).toEqual({ ok: true, value: 'aave v3' });
  });

  test.each(['x'.repeat(128), '🍣'.repeat(128), ` ${'x'.repeat(128)} `])('accepts 128', (text) => {
    expect(checkQuery(text).ok).toBe(true);
  });

  test.each(['', '   ', 'x'.repeat(129), '🍣'.repeat(129), 'aave*', '%', 'x'.repeat(1_000_000)])(
    'refuses',
    (text) => {
      expect(checkQuery(text)).toEqual({
        ok: false,
        reason: expect.stringMatching(/^(must|takes)/),
      });
    },
  );
});
