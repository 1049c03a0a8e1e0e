import fc from 'fast-check';
import {
  type Hex,
  parseSignature,
  recoverAddress,
  serializeCompactSignature,
  signatureToCompactSignature,
  toHex,
} from 'viem';
import { privateKeyToAddress, sign } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { LONG } from '../../../../scripts/test/extents.mjs';
import { addressOf, PrivateKeyInvalid, recoverSigner, signDigest } from './curve.ts';

fc.configureGlobal({ seed: Number(process.env.ASSAY_SEED ?? 20_261_115) });

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const RUNS = { numRuns: LONG ? 1_000 : 25 };
const keys = fc.bigInt(1n, ORDER - 1n).map((key) => toHex(key, { size: 32 }));
const words = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => toHex(bytes));

describe('curve', () => {
  test('default: signs and recovers as viem does', async () => {
    await fc.assert(
      fc.asyncProperty(keys, words, async (privateKey, digest) => {
        const signature = signDigest(privateKey, digest);
        expect(signature).toBe(await sign({ privateKey, hash: digest, to: 'hex' }));
        const address = privateKeyToAddress(privateKey).toLowerCase();
        expect(addressOf(privateKey)).toBe(address);
        expect(recoverSigner(digest, signature)).toBe(address);
      }),
      RUNS,
    );
  });

  test('behavior: recovers the same signer as viem for any r and low s, or none', async () => {
    await fc.assert(
      fc.asyncProperty(
        words,
        words,
        fc.bigInt(0n, ORDER / 2n),
        fc.constantFrom('1b', '1c'),
        async (digest, r, s, v) => {
          const signature: Hex = `${r}${toHex(s, { size: 32 }).slice(2)}${v}`;
          const expected = await recoverAddress({ hash: digest, signature }).catch(() => undefined);
          expect(recoverSigner(digest, signature)).toBe(expected?.toLowerCase());
        },
      ),
      RUNS,
    );
  });

  test('behavior: accepts v as 0 or 1, and upper-case hex', () => {
    fc.assert(
      fc.property(keys, words, (privateKey, digest) => {
        const signature = signDigest(privateKey, digest);
        const parity = Number(`0x${signature.slice(-2)}`) - 27;
        const short: Hex = `${signature.slice(0, -2) as Hex}0${parity}`;
        expect(recoverSigner(digest, short)).toBe(addressOf(privateKey));
        const upper: Hex = `0x${signature.slice(2).toUpperCase()}`;
        expect(recoverSigner(digest, upper)).toBe(addressOf(privateKey));
      }),
      RUNS,
    );
  });

  test('error: signatures that the token rejects from a plain key', () => {
    const key = toHex(7n, { size: 32 });
    const digest = toHex(9n, { size: 32 });
    const signature = signDigest(key, digest);
    const { r, s, yParity } = parseSignature(signature);
    const high = toHex(ORDER - BigInt(s), { size: 32 }).slice(2);
    const zero = '0'.repeat(64);
    const order = ORDER.toString(16);
    const refused: Hex[] = [
      `${r}${high}${yParity === 0 ? '1c' : '1b'}`,
      serializeCompactSignature(signatureToCompactSignature({ r, s, yParity })),
      `${signature.slice(0, -2) as Hex}1d`,
      `${signature.slice(0, -2) as Hex}ff`,
      `${signature}00`,
      `0x${zero}${s.slice(2)}1b`,
      `${r}${zero}1b`,
      `0x${order}${s.slice(2)}1b`,
      `0x${'f'.repeat(64)}${s.slice(2)}1b`,
      '0x',
      `0x${'zz'.repeat(65)}`,
    ];
    for (const one of refused) expect(recoverSigner(digest, one), one).toBeUndefined();
  });

  test('error: an invalid private key', () => {
    const bad: Hex[] = [
      '0x',
      '0x01',
      toHex(0n, { size: 32 }),
      toHex(ORDER, { size: 32 }),
      `0x${'g'.repeat(64)}`,
    ];
    for (const key of bad) {
      expect(() => addressOf(key)).toThrow(PrivateKeyInvalid);
      expect(() => signDigest(key, toHex(1n, { size: 32 }))).toThrow(PrivateKeyInvalid);
    }
  });
});
