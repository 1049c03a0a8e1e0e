import { declaredPools as declaredIn } from '../src/verify/pools.ts';
import { readState, type State } from '../src/verify/states.ts';
import type { Block } from './oracleChain.ts';
import { type FamilyOnChain, partOf } from './oracleWallets.ts';

const SHARE_DECIMALS = 6;
const states = new Map<string, State>();

/** Declarations of a family's pools on one chain, as the store's rows name their columns. */
export function declaredPools(part: FamilyOnChain) {
  return declaredIn(partOf(part, SHARE_DECIMALS)).map(({ time: blockTime, ...pool }) => ({
    ...pool,
    blockTime,
  }));
}

/** A family's state on a chain at a block; read once for each block, on whatever chain it is later. */
export async function stateAt(part: FamilyOnChain, block: Block): Promise<State> {
  const key = `${block.hash} ${part.family.address}`;
  const held = states.get(key) ?? (await readState(partOf(part, SHARE_DECIMALS), block.number));
  states.set(key, held);
  return held;
}
