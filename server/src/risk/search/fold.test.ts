import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldUnits, foldWords } from './fold.ts';
import { unitsOf } from './units.ts';

describe('foldWords', () => {
  test.each([
    ['Uniswap V3 WETH-USDC 0.05%', 'uniswap v3 weth usdc 0 05'],
    ['Crédit Agricôle', 'credit agricole'],
    ['ＵＳＤＣ', 'usdc'],
    ['İstanbul ŁÓDŹ Straße', 'istanbul lodz strasse'],
    ['ﬁnance', 'finance'],
    ['é', 'e'],
    ['עברית שלום', 'עברית שלום'],
    ['日本 円', '日本 円'],
    ['🍣 Sushi', 'sushi'],
    ['🍣🍣', '🍣🍣'],
    ['a\u0000b', 'a b'],
    ['', ''],
    [' \u200b\u0301 ', ''],
    ['\ud800', ''],
  ])('%j', (text, words) => {
    expect(foldWords(text).join(' ')).toBe(words);
  });

  test('behavior: letters of two scripts stay different', () => {
    expect(foldWords('аave')).not.toEqual(foldWords('aave'));
  });

  test('behavior: an endless name is cut', () => {
    expect(foldWords('ab '.repeat(100_000)).length).toBe(32);
  });

  test('behavior: gives the same words unit by unit', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary-ascii', maxLength: 40 }),
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.constantFrom('a '.repeat(40), 'x'.repeat(600), `${'-'.repeat(512)}a`, '...', ''),
    );
    fc.assert(
      fc.property(text, (given) => {
        const words: string[] = [];
        foldUnits(given, unitsOf(given), (units, start, end) => {
          words.push(String.fromCharCode(...units.subarray(start, end)));
        });
        expect(words).toEqual(foldWords(given));
      }),
      { numRuns: 500 },
    );
  });
});
