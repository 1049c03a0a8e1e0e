import { StateUnavailable } from '../chain/rpcError.ts';
import type { ConfigLocation } from './configLocation.ts';
import { type CheckLine, fail } from './line.ts';

/** Shares from before the first indexed block would have no owner. */
export async function checkStart(
  { family, chain, key }: ConfigLocation,
  readSupply: (block: number) => Promise<bigint | null>,
): Promise<CheckLine[]> {
  const before = chain.startBlock - 1;
  if (before < 0) return [];
  try {
    if (((await readSupply(before)) ?? 0n) === 0n) return [];
  } catch (error) {
    // Archive state is checked elsewhere.
    if (error instanceof StateUnavailable) return [];
    throw error;
  }
  const reason = `${family.slug} already has shares in block ${before}`;
  return [fail(`${key}.startBlock`, reason, 'start at the block that created the share token')];
}
