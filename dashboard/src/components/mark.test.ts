import { describe, expect, test } from 'vitest';
import { lettersOf, lookOf } from './mark.ts';

describe('lookOf', () => {
  test('default: a name always has the same mark, and the marks of a list differ', () => {
    expect(lookOf('USDC')).toEqual(lookOf('USDC'));
    const symbols = ['USDC', 'WETH', 'WBTC', 'EURC', 'XAUT', 'DAI', 'USDT'];
    expect(new Set(symbols.map((one) => lookOf(one).hue)).size).toBe(symbols.length);
    const chains = ['1', '10', '137', '8453', '42161', '43114', '56', '100'];
    const looks = chains.map((one) => JSON.stringify(lookOf(one)));
    expect(new Set(looks).size).toBe(chains.length);
  });

  test('behavior: no mark is empty or full', () => {
    for (let chain = 0; chain < 2_000; chain++) {
      expect(new Set(lookOf(`${chain}`).cells).size).toBe(2);
    }
  });
});

describe('lettersOf', () => {
  test('default', () => {
    expect(['USDC', 'wstETH', '₮USD', '  ', '金币'].map(lettersOf)).toEqual([
      'US',
      'WS',
      'US',
      '?',
      '金币',
    ]);
  });
});
