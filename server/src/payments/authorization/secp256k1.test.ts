import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LONG } from '../../../../scripts/test/extents.mjs';
import { native, type Secp256k1, secp256k1, webAssembly } from './secp256k1.ts';

fc.configureGlobal({ seed: Number(process.env.ASSAY_SEED ?? 20_261_115) });

const RUNS = { numRuns: LONG ? 2_000 : 100 };
const words = fc.uint8Array({ minLength: 32, maxLength: 32 });
const hasBuild = process.platform === 'linux' && process.arch === 'x64';

/** Hex, or null for an invalid signature. */
function recovered(by: Secp256k1, ...signed: Parameters<Secp256k1['recover']>): string | null {
  try {
    const point = by.recover(...signed);
    return point && Buffer.from(point).toString('hex');
  } catch {
    return null;
  }
}

describe('secp256k1', () => {
  test('default: uses native code where it was built', () => {
    expect(secp256k1).toBe(native ?? webAssembly);
    if (hasBuild) expect(native).toBeDefined();
  });

  test.skipIf(native === undefined)('behavior: both give the same bytes', () => {
    fc.assert(
      fc.property(words, words, (key, hash) => {
        expect(native!.isPrivateKey(key)).toBe(webAssembly.isPrivateKey(key));
        if (!webAssembly.isPrivateKey(key)) return;
        const signed = native!.sign(hash, key);
        const { signature, recovery } = webAssembly.sign(hash, key);
        expect(Buffer.from(signed.signature).equals(signature)).toBe(true);
        expect(signed.recovery).toBe(recovery);
        const point = Buffer.from(webAssembly.pointOf(key)).toString('hex');
        expect(Buffer.from(native!.pointOf(key)).toString('hex')).toBe(point);
        expect(recovered(native!, hash, signature, recovery as 0 | 1)).toBe(point);
        expect(recovered(webAssembly, hash, signature, recovery as 0 | 1)).toBe(point);
      }),
      RUNS,
    );
  });

  test.skipIf(native === undefined)('behavior: the same signer, or none, from any bytes', () => {
    fc.assert(
      fc.property(words, words, words, fc.constantFrom(0, 1), (hash, r, s, recovery) => {
        const signature = Buffer.concat([r, s]);
        const expected = recovered(webAssembly, hash, signature, recovery as 0 | 1);
        expect(recovered(native!, hash, signature, recovery as 0 | 1)).toBe(expected);
      }),
      RUNS,
    );
    const edges = [new Uint8Array(32), new Uint8Array(32).fill(255), new Uint8Array(31)];
    for (const key of edges) {
      expect(native!.isPrivateKey(key)).toBe(false);
      expect(webAssembly.isPrivateKey(key)).toBe(false);
    }
  });
});
