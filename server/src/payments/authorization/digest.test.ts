import fc from 'fast-check';
import { getAddress, hashTypedData, toHex } from 'viem';
import { describe, expect, test } from 'vitest';
import { LONG } from '../../../../scripts/test/extents.mjs';
import { createDigest } from './digest.ts';

fc.configureGlobal({ seed: Number(process.env.ASSAY_SEED ?? 20_261_115) });

const FIELDS = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const;
const uints = fc.bigInt(0n, 2n ** 256n - 1n);
const addresses = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => toHex(bytes));
const words = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => toHex(bytes));
// viem leaves an empty name or version out of the domain's type; no asset has one.
const names = fc.string({ minLength: 1 });

describe('digest', () => {
  test('default: as viem hashes the typed data', () => {
    fc.assert(
      fc.property(
        fc.record({
          chainId: fc.integer({ min: 1 }),
          asset: addresses,
          assetName: names,
          assetVersion: names,
        }),
        fc.record({
          from: addresses,
          to: addresses,
          value: uints,
          validAfter: uints,
          validBefore: uints,
          nonce: words,
        }),
        (asset, authorization) => {
          const digest = createDigest({ ...asset, payTo: authorization.to, maxTimeoutSeconds: 60 });
          const expected = hashTypedData({
            domain: {
              name: asset.assetName,
              version: asset.assetVersion,
              chainId: asset.chainId,
              verifyingContract: asset.asset,
            },
            types: { TransferWithAuthorization: FIELDS },
            primaryType: 'TransferWithAuthorization',
            message: authorization,
          });
          expect(digest(authorization)).toBe(expected);
          expect(digest({ ...authorization, from: getAddress(authorization.from) })).toBe(expected);
        },
      ),
      { numRuns: LONG ? 1_000 : 60 },
    );
  });
});
