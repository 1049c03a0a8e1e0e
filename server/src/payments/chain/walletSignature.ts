import { decodeAbiParameters } from 'viem';
import type { Address, Hex } from '../../domain/hex.ts';

/** How to deploy the wallet that signed. */
export interface UndeployedWallet {
  readonly factory: Address;
  readonly data: Hex;
}

/** The suffix of a wrapped signature (EIP-6492). */
const MAGIC = '6492'.repeat(16);

/** Returns the wallet's own signature and, if it was wrapped, how to deploy the wallet. */
export function unwrapSignature(signature: Hex): {
  inner: Hex;
  undeployed: UndeployedWallet | null;
} {
  if (!signature.toLowerCase().endsWith(MAGIC)) return { inner: signature, undeployed: null };
  try {
    const [factory, data, inner] = decodeAbiParameters(
      [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }],
      signature.slice(0, -MAGIC.length) as Hex,
    );
    return { inner, undeployed: { factory, data } };
  } catch {
    // Not wrapped after all: the wallet decides whether the signature is valid.
    return { inner: signature, undeployed: null };
  }
}
