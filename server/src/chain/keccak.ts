import { createKeccak } from 'hash-wasm';
import type { Hex } from '../domain/hex.ts';

/** WebAssembly: a transaction takes two hashes, and in JavaScript these take as long as its signature. */
const keccak = await createKeccak(256);

export function keccak256(bytes: Uint8Array): Hex {
  return `0x${keccak.init().update(bytes).digest()}`;
}

/** Hashes the characters in UTF-8, even if they are hex digits. */
export function keccakOfText(text: string): Hex {
  return `0x${keccak.init().update(text).digest()}`;
}
