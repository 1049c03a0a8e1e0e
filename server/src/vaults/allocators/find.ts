import { fn } from '../../chain/abi.ts';
import type { ChainClient } from '../../chain/chainClient.ts';
import type { VaultOnChain } from '../kind.ts';
import { numberIn } from '../words.ts';
import type { Allocator } from './allocator.ts';
import { metaMorpho } from './metaMorpho.ts';
import { STRATEGY_LISTS, strategies } from './strategies.ts';

const withdrawQueueLength = fn('withdrawQueueLength()');
const morpho = fn('MORPHO()');

/** Who says where a vault's assets are, found by what the vault answers; null where it does not say. */
export async function findAllocator(
  client: ChainClient,
  block: number,
  vault: Omit<VaultOnChain, 'found'>,
): Promise<Allocator | null> {
  const to = vault.chain.address;
  const calls = [morpho(), withdrawQueueLength(), ...STRATEGY_LISTS.map(({ probe }) => probe())];
  const answers = await client.multicall(
    calls.map((data) => ({ to, data })),
    block,
  );
  const [blue, queue, ...lists] = answers.map((answer) => numberIn(answer));
  if (blue != null && queue != null) return metaMorpho(vault);
  const list = STRATEGY_LISTS.find((_, i) => lists[i] != null);
  return list === undefined ? null : strategies(list, vault);
}
