import { createRequire } from 'node:module';
import * as tiny from 'tiny-secp256k1';

/** The curve operations that payments use. Keys and hashes have 32 bytes, signatures 64, points 65. */
export interface Secp256k1 {
  isPrivateKey(key: Uint8Array): boolean;
  pointOf(privateKey: Uint8Array): Uint8Array;
  /** Deterministic (RFC 6979) with a low s, so every implementation returns the same bytes. */
  sign(
    hash: Uint8Array,
    privateKey: Uint8Array,
  ): { readonly signature: Uint8Array; readonly recovery: number };
  /** Throws or returns null for an invalid signature. */
  recover(hash: Uint8Array, signature: Uint8Array, recovery: 0 | 1): Uint8Array | null;
}

/** Runs on every platform. */
export const webAssembly: Secp256k1 = {
  isPrivateKey: tiny.isPrivate,
  pointOf: (privateKey) => tiny.pointFromScalar(privateKey, false)!,
  sign(hash, privateKey) {
    const { signature, recoveryId } = tiny.signRecoverable(hash, privateKey);
    return { signature, recovery: recoveryId };
  },
  recover: (hash, signature, recovery) => tiny.recover(hash, signature, recovery, false),
};

/** The same library as native code, three to six times as fast. Undefined if there is no build for this platform. */
export const native = loadNative();

export const secp256k1 = native ?? webAssembly;

interface Binding {
  privateKeyVerify(key: Uint8Array): boolean;
  publicKeyCreate(key: Uint8Array, compressed: boolean): Uint8Array;
  ecdsaSign(hash: Uint8Array, key: Uint8Array): { signature: Uint8Array; recid: number };
  ecdsaRecover(
    signature: Uint8Array,
    recovery: number,
    hash: Uint8Array,
    compressed: boolean,
  ): Uint8Array;
}

function loadNative(): Secp256k1 | undefined {
  let binding: Binding;
  try {
    // The package's main file would silently fall back to a slow, leaky implementation in JavaScript.
    binding = createRequire(import.meta.url)('secp256k1/bindings.js') as Binding;
  } catch {
    return undefined;
  }
  return {
    isPrivateKey: (key) => key.length === 32 && binding.privateKeyVerify(key),
    pointOf: (privateKey) => binding.publicKeyCreate(privateKey, false),
    sign(hash, privateKey) {
      const { signature, recid } = binding.ecdsaSign(hash, privateKey);
      return { signature, recovery: recid };
    },
    recover: (hash, signature, recovery) => binding.ecdsaRecover(signature, recovery, hash, false),
  };
}
