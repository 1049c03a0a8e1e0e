import { createHash } from 'node:crypto';
import type { Hex } from '../domain/hex.ts';

/** What a URL has taught by its refusals; null: nothing yet. Changed by whoever learns. */
export interface UrlLimits {
  /** The widest log range that it takes. */
  logBlocks: number | null;
  /** Addresses in one log filter. */
  addresses: number | null;
  callsPerSecond: number | null;
}

export function createUrlLimits(): UrlLimits {
  return { logBlocks: null, addresses: null, callsPerSecond: null };
}

/** Names a URL without showing it: it may contain a key. */
export function urlHash(url: string): Hex {
  return `0x${createHash('sha256').update(url).digest('hex')}`;
}
