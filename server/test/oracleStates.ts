import { declaredPools as declaredIn } from '../src/verify/pools.ts';
import { readState, type State } from '../src/verify/states.ts';
import type { Block } from './oracleChain.ts';
import { type FamilyOnChain, getDeploymentReads } from './oracleWallets.ts';

const SHARE_DECIMALS = 6;
/** What the store keeps of it. */
type KeptState = Omit<State, 'idleIsExact'>;
const states = new Map<string, KeptState>();

/** Declarations of a family's pools on one chain, as the store's rows name their columns. */
export function declaredPools(part: FamilyOnChain) {
  return declaredIn(getDeploymentReads(part, SHARE_DECIMALS)).map((pool) => ({
    ...pool,
    blockTime: part.view.blocks[pool.blockNumber]!.time,
  }));
}

/** A family's state on a chain at a block; read once for each block, on whatever chain it is later. */
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
