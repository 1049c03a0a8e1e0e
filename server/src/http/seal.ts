import { hash, timingSafeEqual } from 'node:crypto';
import type { Hex } from '../domain/hex.ts';

/** More than 128 bits: enough that nobody guesses one. */
const SEAL_LENGTH = 22;

/** An opaque text, good only for what it was made for. */
export function seal(key: Hex, purpose: string, fields: string): string {
  const text = Buffer.from(fields, 'latin1').toString('base64url');
  return sealOf(key, purpose, text) + text;
}

/** What was sealed for this purpose; undefined for anything else. */
export function unseal(key: Hex, purpose: string, sealed: string): string | undefined {
  const text = sealed.slice(SEAL_LENGTH);
  const given = Buffer.from(sealed.slice(0, SEAL_LENGTH));
  const right = Buffer.from(sealOf(key, purpose, text));
  if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
  return Buffer.from(text, 'base64url').toString('latin1');
}

/**
 * A hash over the key and the text, of which half is shown: to continue it, as SHA-256 lets who knows all of one, the
 * other half would have to be guessed.
 */
function sealOf(key: Hex, purpose: string, text: string): string {
  return hash('sha256', `${key} ${purpose} ${text}`, 'base64url').slice(0, SEAL_LENGTH);
}
