import { describe, expect, test } from 'vitest';
import type { Address } from '../hex.ts';
import { poolTextsOf } from './poolTexts.ts';

const address = (digit: string): Address => `0x${digit.repeat(40)}`;

function family(slug: string, own: string, binding = own, feederOf: string | null = null) {
  const bindingDeclarationAddress = address(binding);
  return { slug, address: address(own), bindingDeclarationAddress, feederOf, pools: [slug] };
}

describe('poolTextsOf', () => {
  const master = family('master', 'a');
  const stranger = family('stranger', 'f');

  test('default', () => {
    expect(poolTextsOf([stranger, master])(master)).toEqual(['master']);
  });

  test('behavior: a mirroring family that is not a feeder', () => {
    const mirror = family('mirror', 'b', 'a');
    const second = family('second', 'c', 'a');
    const all = [second, mirror, stranger, master];
    expect(poolTextsOf(all)(mirror)).toEqual(['mirror', 'master', 'second']);
  });

  test('behavior: a feeder of a feeder', () => {
    const feeder = family('feeder', 'b', 'd', 'master');
    const last = family('last', 'c', 'e', 'feeder');
    expect(poolTextsOf([last, feeder, stranger, master])(last)).toEqual([
      'last',
      'feeder',
      'master',
    ]);
  });

  test('behavior: the texts of many families need one pass over all of them', () => {
    let looks = 0;
    const all = Array.from({ length: 100 }, (_, i) => {
      const own = address('a').slice(0, -3) + i.toString().padStart(3, '0');
      return {
        ...family(`family-${i}`, 'a'),
        get address() {
          looks++;
          return own as Address;
        },
      };
    });
    const textsOf = poolTextsOf(all);
    for (const one of all) textsOf(one);
    expect(looks).toBe(100);
  });

  test('behavior: declarations come before the master', () => {
    const other = family('other', 'd');
    const feeder = family('feeder', 'b', 'd', 'master');
    expect(poolTextsOf([master, feeder, other])(feeder)).toEqual(['feeder', 'other', 'master']);
  });
});
