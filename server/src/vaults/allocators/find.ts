import type { VaultOnChain } from '../kind.ts';
import { findAllocator as findName } from '../recognize/allocator.ts';
import type { Look } from '../recognize/readContract.ts';
import type { Allocator } from './allocator.ts';
import { metaMorpho } from './metaMorpho.ts';
import { STRATEGY_LISTS, strategies } from './strategies.ts';

/** Returns the allocator of a vault, detected by its responses; null if there is none that can be read. */
export async function findAllocator(
  look: Look,
  vault: Omit<VaultOnChain, 'found'>,
): Promise<Allocator | null> {
  const name = await findName(look, vault.chain.address);
  if (name === 'MetaMorpho') return metaMorpho(vault);
  const list = STRATEGY_LISTS.find((one) => one.name === name);
  return list === undefined ? null : strategies(list, vault);
}
