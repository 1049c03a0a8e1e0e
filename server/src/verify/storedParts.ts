import type { FamilyConfig } from '../config/config.ts';
import type { FamilyOnChain } from './familyOnChain.ts';
import { type Parts, readable } from './parts.ts';
import type { StoredPositions } from './rows.ts';

/** A chain of a family, and the block up to which its positions are folded. */
export interface StoredPart {
  readonly part: FamilyOnChain;
  readonly block: number;
  /** How far the chain was read: a response may be newer than the folded positions. */
  readonly indexedBlock: number;
}

/** Throws NotReadable if one of the chains cannot be read, because positions cover all of them. */
export function loadStoredParts(
  parts: Parts,
  family: FamilyConfig,
  { sources, until }: Pick<StoredPositions, 'sources' | 'until'>,
): Promise<StoredPart[]> {
  return Promise.all(
    sources.map(async ({ chainId, indexedBlock }) => {
      const part = await parts.load(family, chainId, { block: indexedBlock });
      const before = Math.max(0, part.chain.startBlock - 1);
      const reached = await readable(() => part.node.blockAt(until, before));
      // An unreachable chain was read only up to here.
      return { part, indexedBlock, block: Math.min(indexedBlock, reached ?? before) };
    }),
  );
}
