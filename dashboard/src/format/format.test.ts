import { describe, expect, test } from 'vitest';
import { decimalText, exactAmount, percent, ratio, shortAmount } from './amount.ts';
import { csvText, jsonText } from './csv.ts';
import { cleanText, sentence, webAddress } from './text.ts';
import { longSpanText, spanText, startOf } from './time.ts';

describe('amounts', () => {
  test('default: every digit at any size', () => {
    expect(decimalText(1_234_500n, 6)).toBe('1.2345');
    expect(decimalText(-5n, 18)).toBe('-0.000000000000000005');
    expect(decimalText(0n, 6)).toBe('0');
    expect(decimalText(7n, 0)).toBe('7');
    expect(exactAmount(2n ** 128n, 18).replaceAll(/\D/g, '')).toBe(
      '340282366920938463463374607431768211456',
    );
    expect(exactAmount(1_000_000n, 6, 2)).toMatch(/^1[.,]00$/);
  });

  test('behavior: short amounts keep the significant digits', () => {
    const digits = (units: bigint) => shortAmount(units, 6).replace(/[^\dKMB.,]/g, '');
    expect(digits(4_512_250_000n)).toMatch(/^4.512$/);
    expect(digits(4_512_345n)).toMatch(/^4.51$/);
    expect(digits(421n)).toMatch(/^0.000421$/);
    expect(digits(0n)).toBe('0');
  });

  test('behavior: a fraction of zero is zero', () => {
    expect(ratio(1n, 0n)).toBe(0);
    expect(ratio(1n, 3n)).toBe(0.333333);
    expect(percent(0.0836)).toMatch(/^8.36\s?%$/);
  });
});

describe('untrusted text', () => {
  test.each([
    ['a\u202egnp.exe', 'a gnp.exe'],
    ['\u0000\u0007bell\r\nline', 'bell line'],
    ['zero\u200bwidth\u2066', 'zero width'],
    ['<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['\ud800half', 'half'],
    [`o${'\u0301'.repeat(50)}`, 'o\u0301\u0301'],
  ])('default: %j', (name, shown) => {
    expect(cleanText(name)).toBe(shown);
  });

  test('behavior: long text is cut by character, without reading all of it', () => {
    expect(cleanText('😀'.repeat(10_000), 5)).toBe('😀😀😀😀…');
    expect([...cleanText('x'.repeat(10_000))]).toHaveLength(64);
    expect(cleanText(`${'\u202e'.repeat(9_000)}x`)).toBe('…');
  });

  test('behavior: a message ends with one period', () => {
    expect(['no such family', 'Try again.', 'Why?'].map(sentence)).toEqual([
      'no such family.',
      'Try again.',
      'Why?',
    ]);
  });

  test('behavior: only web addresses become links', () => {
    expect(webAddress('https://pool.example/a')).toBe('https://pool.example/a');
    for (const url of ['javascript:alert(1)', 'data:text/html,x', '//x', 'ftp://x', '']) {
      expect(webAddress(url)).toBeUndefined();
    }
  });
});

describe('files', () => {
  test('default: quoted where needed, unknown is empty, and a cell is never a formula', () => {
    const rows = [['a,"b"', null, -1.5, 7n, '-2.5', '=1+1', '@x', '\nx']] as const;
    expect(csvText(['h1', 'h2'], rows)).toBe(
      'h1,h2\r\n"a,""b""",,-1.5,7,-2.5,\'=1+1,\'@x,"\nx"\r\n',
    );
    expect(jsonText({ tvl: 2n ** 70n })).toBe('{\n  "tvl": "1180591620717411303424"\n}');
  });
});

describe('times', () => {
  test('default', () => {
    expect([5, 90, 5400, 172_800].map(spanText)).toEqual(['5 s', '2 min', '2 h', '2 d']);
    expect(spanText(-3)).toBe('0 s');
    expect([1, 8, 90, 5400].map(longSpanText)).toEqual([
      '1 second',
      '8 seconds',
      '2 minutes',
      '2 hours',
    ]);
    const start = startOf(3_600_000, Date.parse('2026-01-02T03:04:05Z'), 3_600_000);
    expect(start).toBe('2026-01-02T02:00:00.000Z');
  });
});
