import { createHash } from 'node:crypto';

/** Hashes of blocks and transactions that start with their position, so that a lookup needs no table. */
export interface ReplayedHashes {
  block(number: number): string;
  transaction(block: number, index: number): string;
  /** Returns the position with which a hash starts; the hash may still be another one. */
  positionIn(hash: string): { readonly block: number; readonly index: number };
}

export function createReplayedHashes(seed: number): ReplayedHashes {
  return {
    block: (number) => `0x${hex12(number)}${digest(`block ${number}`).slice(12)}`,
    transaction(block, index) {
      const position = hex12(block) + index.toString(16).padStart(2, '0');
      return `0x${position}${digest(`transaction ${block} ${index}`).slice(14)}`;
    },
    positionIn: (hash) => ({
      block: Number.parseInt(hash.slice(2, 14), 16),
      index: Number.parseInt(hash.slice(14, 16), 16),
    }),
  };

  function digest(text: string): string {
    return createHash('sha256').update(`${seed} ${text}`).digest('hex');
  }
}

function hex12(number: number): string {
  return number.toString(16).padStart(12, '0');
}
