import { describe, expect, test } from 'vitest';
import { foldWords } from './fold.ts';

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
});
