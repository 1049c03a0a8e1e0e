import { hash, timingSafeEqual } from 'node:crypto';
import type { Hex } from '../domain/hex.ts';

/** More than 128 bits, so that it cannot be guessed. */
const SEAL_LENGTH = 22;

/** Creates an opaque text that is valid only for its purpose. */
export function seal(key: Hex, purpose: string, fields: string): string {
  const text = Buffer.from(fields, 'latin1').toString('base64url');
  return sealOf(key, purpose, text) + text;
}

/** Returns the text that was sealed for this purpose; undefined for anything else. */
export function unseal(key: Hex, purpose: string, sealed: string): string | undefined {
  const text = sealed.slice(SEAL_LENGTH);
  const given = Buffer.from(sealed.slice(0, SEAL_LENGTH));
  const right = Buffer.from(sealOf(key, purpose, text));
  if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
  return Buffer.from(text, 'base64url').toString('latin1');
}

/**
 * Hashes the key and the text and returns half of the hash: a length extension of SHA-256 would need the other half.
 */
function sealOf(key: Hex, purpose: string, text: string): string {
  return hash('sha256', `${key} ${purpose} ${text}`, 'base64url').slice(0, SEAL_LENGTH);
}
