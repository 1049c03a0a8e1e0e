import { BoundedMap } from '../../domain/boundedMap.ts';
import type { Hex } from '../../domain/hex.ts';

/** Recently mined transactions of a key, to be resent if a reorg removes them. */
export interface SentLog {
  add(nonce: number, raw: Hex): void;
  rawOf(nonce: number): Hex | undefined;
  /** The nonce after the last mined one; 0 if there is none. */
  end(): number;
  /** Whether a reorg could still remove the newest. */
  isRecent(): boolean;
}

const KEPT = 512;
const RECENT_MS = 120_000;

export function createSentLog(): SentLog {
  const raws = new BoundedMap<number, Hex>(KEPT);
  let end = 0;
  let newestAt = Number.NEGATIVE_INFINITY;

  return {
    add(nonce, raw) {
      raws.set(nonce, raw);
      end = Math.max(end, nonce + 1);
      newestAt = performance.now();
    },
    rawOf: (nonce) => raws.get(nonce),
    end: () => end,
    isRecent: () => performance.now() - newestAt < RECENT_MS,
  };
}
