import { keccak256, parseTransaction, recoverTransactionAddress, serializeTransaction } from 'viem';
import { describe, expect, test } from 'vitest';
import type { Hex } from '../../domain/hex.ts';
import { addressOf } from '../authorization/curve.ts';
import { signTransaction } from './signedTransaction.ts';

const KEY: Hex = `0x${'17'.repeat(32)}`;
const TO: Hex = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';

describe('signTransaction', () => {
  // Sizes around the limits of each length's encoding, and enough nonces for short r and s.
  const sizes = [0, 1, 54, 55, 56, 255, 256, 292, 70_000];
  const unsigned = [
    ...sizes.map((size) => ({ nonce: 0, gas: 160_000n, data: `0x${'7f'.repeat(size)}` as Hex })),
    { nonce: 1, gas: 0n, data: '0x80' as Hex },
    ...Array.from({ length: 600 }, (_, i) => ({ nonce: i, gas: BigInt(i), data: '0x00' as Hex })),
  ];

  test('default: matches the general encoder, signed by the key', async () => {
    const fees = { maxFeePerGas: 2n ** 80n, maxPriorityFeePerGas: 1n };
    for (const fields of unsigned) {
      const { raw, hash } = signTransaction(KEY, { chainId: 8453, to: TO, ...fields, fees });
      const parsed = parseTransaction(raw);
      const { r, s, yParity, ...rest } = parsed;
      expect(rest).toMatchObject({
        chainId: 8453,
        to: TO,
        ...fees,
        ...(fields.nonce > 0 && { nonce: fields.nonce }),
        ...(fields.gas > 0n && { gas: fields.gas }),
        ...(fields.data !== '0x' && { data: fields.data }),
      });
      expect(raw).toBe(serializeTransaction(rest, { r: r!, s: s!, yParity: yParity! }));
      expect(hash).toBe(keccak256(raw));
    }
  });

  test('behavior: the key is the sender', async () => {
    const fees = { maxFeePerGas: 7n, maxPriorityFeePerGas: 0n };
    for (const fields of unsigned.slice(-20)) {
      const { raw } = signTransaction(KEY, { chainId: 8453, to: TO, ...fields, fees });
      const sender = await recoverTransactionAddress({
        serializedTransaction: raw as `0x02${string}`,
      });
      expect(sender.toLowerCase()).toBe(addressOf(KEY));
    }
  });
});
