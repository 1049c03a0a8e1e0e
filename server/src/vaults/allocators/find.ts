import type { VaultOnChain } from '../kind.ts';
import { findAllocator as findName } from '../recognise/allocator.ts';
import type { Look } from '../recognise/look.ts';
import type { Allocator } from './allocator.ts';
import { metaMorpho } from './metaMorpho.ts';
import { STRATEGY_LISTS, strategies } from './strategies.ts';

/** Who says where a vault's assets are, found by what the vault answers; null where nobody can be asked. */
export async function findAllocator(
  look: Look,
  vault: Omit<VaultOnChain, 'found'>,
): Promise<Allocator | null> {
  const name = await findName(look, vault.chain.address);
  if (name === 'MetaMorpho') return metaMorpho(vault);
  const list = STRATEGY_LISTS.find((one) => one.name === name);
  return list === undefined ? null : strategies(list, vault);
}
