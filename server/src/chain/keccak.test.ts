import { randomBytes } from 'node:crypto';
import { keccak256 as known } from 'viem';
import { describe, expect, test } from 'vitest';
import { keccak256, keccakOfText } from './keccak.ts';

describe('keccak256', () => {
  test('default', () => {
    const empty = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470';
    expect(keccak256(new Uint8Array())).toBe(empty);
    expect(keccakOfText('Transfer(address,address,uint256)')).toBe(
      '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
    );
  });

  test('behavior: bytes of any length, also from the middle of a buffer', () => {
    const bytes = randomBytes(700);
    for (let length = 0; length < 600; length++) {
      const part = bytes.subarray(length % 7, (length % 7) + length);
      expect(keccak256(part)).toBe(known(part));
    }
  });
});
