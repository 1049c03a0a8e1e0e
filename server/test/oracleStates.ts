import { declaredPools as declaredIn } from '../src/verify/pools.ts';
import { readState, type State } from '../src/verify/states.ts';
import type { Block } from './oracleChain.ts';
import { type FamilyOnChain, getDeploymentReads } from './oracleWallets.ts';

const SHARE_DECIMALS = 6;
/** The part of a state that the store keeps. */
type KeptState = Omit<State, 'idleIsExact'>;
const states = new Map<string, KeptState>();

/** Returns the declarations of a family's pools on one chain, with the store's column names. */
export function declaredPools(part: FamilyOnChain) {
  return declaredIn(getDeploymentReads(part, SHARE_DECIMALS)).map((pool) => ({
    ...pool,
    blockTime: part.view.blocks[pool.blockNumber]!.time,
  }));
}

/** Returns a family's state on a chain at a block. Cached by block, so that a block is read once, on any chain. */
export async function stateAt(part: FamilyOnChain, block: Block): Promise<KeptState> {
  const key = `${block.hash} ${part.family.address}`;
  const known = states.get(key);
  if (known !== undefined) return known;
  const { idleIsExact: _, ...state } = await readState(
    getDeploymentReads(part, SHARE_DECIMALS),
    block.number,
  );
  states.set(key, state);
  return state;
}
