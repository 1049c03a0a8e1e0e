import { decodeAbiParameters } from 'viem';
import type { Address, Hex } from '../../domain/hex.ts';

/** How to deploy the wallet that signed. */
export interface UndeployedWallet {
  readonly factory: Address;
  readonly data: Hex;
}

/** The end of a wrapped signature (EIP-6492). */
const MAGIC = '6492'.repeat(16);

/** The wallet's own signature; wrapped ones also say how the wallet comes to be. */
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
    // Not wrapped after all: the wallet may make sense of it, or refuse it.
    return { inner: signature, undeployed: null };
  }
}
