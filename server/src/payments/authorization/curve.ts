import { keccak256 } from '../../chain/keccak.ts';
import type { Address, Hex } from '../../domain/hex.ts';
import { secp256k1 } from './secp256k1.ts';

/** Describes only the format: the key itself never appears in a message. */
export class PrivateKeyInvalid extends Error {
  override readonly name = 'PrivateKeyInvalid';

  constructor() {
    super(
      'not a private key: give 0x and 64 hex digits, above zero and below the order of secp256k1',
    );
  }
}

const SIGNATURE = /^0x[0-9a-fA-F]{130}$/;
const PRIVATE_KEY = /^0x[0-9a-fA-F]{64}$/;
const HALF_ORDER = Buffer.from(
  '7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0',
  'hex',
);

/**
 * Recovers the signer of a plain key's signature: 65 bytes of r, s, v. Returns undefined for signatures that the token
 * would reject: a high s, an invalid v, or the compact form of EIP-2098. A v of 0 or 1 counts as 27 or 28, as it is
 * settled that way.
 */
export function recoverSigner(digest: Hex, signature: Hex): Address | undefined {
  if (!SIGNATURE.test(signature)) return undefined;
  const bytes = Buffer.from(signature.slice(2), 'hex');
  const recovery = recoveryOf(bytes[64]!);
  if (recovery === undefined || bytes.compare(HALF_ORDER, 0, 32, 32, 64) > 0) return undefined;
  try {
    const key = secp256k1.recover(word(digest), bytes.subarray(0, 64), recovery);
    return key === null ? undefined : addressOfPoint(key);
  } catch {
    // r or s is out of range.
    return undefined;
  }
}

export function addressOf(privateKey: Hex): Address {
  return addressOfPoint(secp256k1.pointOf(scalar(privateKey)));
}

/** Returns 65 bytes: r, low s, and v as 27 or 28. Deterministic (RFC 6979). */
export function signDigest(privateKey: Hex, digest: Hex): Hex {
  const { signature, recovery } = secp256k1.sign(word(digest), scalar(privateKey));
  return `0x${Buffer.from(signature).toString('hex')}${(27 + recovery).toString(16)}`;
}

function recoveryOf(v: number): 0 | 1 | undefined {
  if (v === 0 || v === 27) return 0;
  if (v === 1 || v === 28) return 1;
  return undefined;
}

function addressOfPoint(point: Uint8Array): Address {
  return `0x${keccak256(point.subarray(1)).slice(26)}`;
}

function scalar(privateKey: Hex): Uint8Array {
  if (!PRIVATE_KEY.test(privateKey)) throw new PrivateKeyInvalid();
  const bytes = word(privateKey);
  if (!secp256k1.isPrivateKey(bytes)) throw new PrivateKeyInvalid();
  return bytes;
}

function word(hex: Hex): Uint8Array {
  return Buffer.from(hex.slice(2), 'hex');
}
