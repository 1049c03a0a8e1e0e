import { describe, expect, test } from 'vitest';
import { hrefOf, walletsIn } from './wallets.ts';

const A = `0x${'aA'.repeat(20)}`;
const B = `0x${'b1'.repeat(20)}`;

describe('walletsIn', () => {
  test('default: addresses in their order', () => {
    expect(walletsIn(`${B}, ${A}\n`)).toEqual({ wallets: [B, A], wrong: [] });
  });

  test('behavior: a wallet counts once, in any case', () => {
    expect(walletsIn(`${A},${A.toLowerCase()}`)).toEqual({ wallets: [A], wrong: [] });
  });

  test('error: a text that is not an address is listed', () => {
    expect(walletsIn(`${A},0x12, name.eth`)).toEqual({
      wallets: [A],
      wrong: ['0x12', 'name.eth'],
    });
  });
});

test('hrefOf: additional wallets are in the query', () => {
  expect(hrefOf([A])).toBe(`/wallet/${A}`);
  expect(hrefOf([A, B])).toBe(`/wallet/${A}?with=${B}`);
  expect(walletsIn(`${A},${B}`).wallets).toEqual([A, B]);
});
