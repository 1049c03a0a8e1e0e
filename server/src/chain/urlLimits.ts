import { createHash } from 'node:crypto';
import type { Hex } from '../domain/hex.ts';

/** Limits that a URL's rejections have shown; null while unknown. Updated by the code that learns them. */
export interface UrlLimits {
  /** The widest log range that it accepts. */
  logBlocks: number | null;
  /** Addresses in one log filter. */
  addresses: number | null;
  callsPerSecond: number | null;
  /** Depth below the head from which it has no contract state. */
  stateDepth: number | null;
  /** The same for logs. */
  logDepth: number | null;
}

export function createUrlLimits(): UrlLimits {
  return {
    logBlocks: null,
    addresses: null,
    callsPerSecond: null,
    stateDepth: null,
    logDepth: null,
  };
}

/** Identifies a URL without showing it: it may contain a key. */
export function urlHash(url: string): Hex {
  return `0x${createHash('sha256').update(url).digest('hex')}`;
}
