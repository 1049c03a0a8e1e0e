import { describe, expect, test } from 'vitest';
import { cut, cutMiddle, pad, plain, widthOf, wrap } from './text.ts';

describe('plain', () => {
  test('default: nothing that a terminal would execute is left', () => {
    expect(plain('a\x1b[31mred\x07\r\nb')).toBe('a [31mred b');
    expect(plain('\u009b2Jcleared \u202egnp.exe\u2028x')).toBe('2Jcleared  gnp.exe x');
    expect(plain('lone \ud800 half')).toBe('lone   half');
    expect(plain('€ 5, naïve')).toBe('€ 5, naïve');
  });
});

describe('widthOf', () => {
  test('default', () => {
    expect(widthOf('USDC')).toBe(4);
    expect(widthOf('–')).toBe(1);
  });

  test('behavior: wide, combined and pictured characters', () => {
    expect(widthOf('日本円')).toBe(6);
    expect(widthOf('ｆｕｌｌ')).toBe(8);
    expect(widthOf('e\u0301te\u0301')).toBe(3);
    expect(widthOf('🚀')).toBe(2);
    expect(widthOf('한국')).toBe(4);
  });
});

describe('cut', () => {
  test('default', () => {
    expect(cut('abcdef', 6)).toBe('abcdef');
    expect(cut('abcdefg', 6)).toBe('abcde…');
    expect(cut('abc', 0)).toBe('');
  });

  test('behavior: a wide character that fits by half is left out', () => {
    expect(cut('日本円', 4)).toBe('日…');
    expect(widthOf(cut('日本円', 5))).toBeLessThanOrEqual(5);
  });

  test('behavior: both ends of an address', () => {
    expect(cutMiddle('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', 11)).toBe('0x83358…913');
    expect(cutMiddle('0x12', 11)).toBe('0x12');
  });
});

test('pad', () => {
  expect(pad('日', 4)).toBe('日  ');
  expect(pad('1', 3, 'right')).toBe('  1');
  expect(pad('long', 2)).toBe('long');
});

describe('wrap', () => {
  test('default', () => {
    expect(wrap('one two  three', 8)).toEqual(['one two', 'three']);
    expect(wrap('', 8)).toEqual([]);
  });

  test('behavior: a long word is broken, and every letter stays', () => {
    expect(wrap('a 0123456789', 4)).toEqual(['a', '0123', '4567', '89']);
    expect(wrap('日本円', 1)).toEqual(['日', '本', '円']);
  });
});
