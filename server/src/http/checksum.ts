import { keccakOfText } from '../chain/keccak.ts';
import { type Address, lower } from '../domain/hex.ts';

export const WRONG_CHECKSUM = 'has an invalid checksum: check it, or write it in lower case';

/** In any case. */
export function isAddress(text: string): text is Address {
  return /^0x[0-9a-fA-F]{40}$/.test(text);
}

/** Returns whether an address is in one case or has a valid checksum. */
export function isRightlySpelled(address: Address): boolean {
  const digits = address.slice(2);
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return true;
  return checksummed(lower(address)) === address;
}

/** Formats an address for responses: EIP-55. */
export function checksummed(address: Address): Address {
  return checksummedDigits(address.slice(2));
}

/** Does the same for the digits after 0x, in lower case, which may be a slice of a longer text. */
export function checksummedDigits(digits: string): Address {
  const known = checksums.get(digits);
  if (known !== undefined) return known;
  const made = checksum(digits);
  if (checksums.size >= MAX_CHECKSUMS) checksums.clear();
  // Not keyed by the slice itself, which would keep the entire text in memory.
  checksums.set(made.slice(2).toLowerCase(), made);
  return made;
}

/** A checksum costs a hash, and the same addresses repeat. */
const MAX_CHECKSUMS = 50_000;
const checksums = new Map<string, Address>();

/** A letter is upper case if the digit of the hash at its position is at least 8. */
function checksum(digits: string): Address {
  const hash = keccakOfText(digits);
  let made = '';
  for (let i = 0; i < digits.length; i++) {
    const digit = digits[i]!;
    made += hash[i + 2]! >= '8' ? digit.toUpperCase() : digit;
  }
  return `0x${made}`;
}
