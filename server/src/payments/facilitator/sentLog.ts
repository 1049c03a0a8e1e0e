import { BoundedMap } from '../../domain/boundedMap.ts';
import type { Hex } from '../../domain/hex.ts';

/** What a key has had mined lately: a reorganisation may take it back, and then it is sent again. */
export interface SentLog {
  add(nonce: number, raw: Hex): void;
  rawOf(nonce: number): Hex | undefined;
  /** The nonce after the last one mined; 0 when nothing was. */
  end(): number;
  /** Whether the newest could still be taken back. */
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
