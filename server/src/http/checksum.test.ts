import { randomBytes } from 'node:crypto';
import { getAddress } from 'viem';
import { describe, expect, test } from 'vitest';
import { lower } from '../domain/hex.ts';
import { checksummed, isAddress, isRightlySpelled } from './checksum.ts';

describe('checksummed', () => {
  test('default', () => {
    const address = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';
    expect(checksummed(address)).toBe('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913');
  });

  test('behavior: matches viem, computed and cached', () => {
    for (let i = 0; i < 500; i++) {
      const address = `0x${randomBytes(20).toString('hex')}` as const;
      expect(checksummed(address)).toBe(getAddress(address));
      expect(checksummed(address)).toBe(getAddress(address));
    }
  });
});

describe('isRightlySpelled', () => {
  test('default: accepts one case, or the correct checksum', () => {
    const right = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
    expect(isRightlySpelled(right)).toBe(true);
    expect(isRightlySpelled(lower(right))).toBe(true);
    expect(isRightlySpelled(`0x${right.slice(2).toUpperCase()}`)).toBe(true);
    expect(isRightlySpelled('0xD8dA6BF26964aF9D7eEd9e03E53415D37aA96045')).toBe(false);
  });
});

describe('isAddress', () => {
  test.each([
    '',
    '0x',
    `0x${'1'.repeat(39)}`,
    `0x${'g'.repeat(40)}`,
    `0X${'1'.repeat(40)}`,
    '1'.repeat(42),
  ])('error: %s', (text) => {
    expect(isAddress(text)).toBe(false);
  });
});
