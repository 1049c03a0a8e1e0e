import type { ChainClient } from '../../chain/chainClient.ts';
import type { FamilyState } from '../../domain/vault/state.ts';
import type { Rounds } from '../../vaults/kind.ts';
import { runRounds } from '../../vaults/rounds.ts';
import { TOO_MUCH } from './heldBack.ts';

/** The states of several families at one block. Null for a family that cannot be read there. */
export async function readStates(
  client: ChainClient,
  block: number,
  reads: readonly Rounds<FamilyState | null>[],
): Promise<(FamilyState | null)[]> {
  return (await runRounds(client, block, reads)).map(storable);
}

/** A contract that answers garbage must not stop the chain: what no column can hold was not read. */
function storable(state: FamilyState | null): FamilyState | null {
  if (state === null) return null;
  const amounts = [state, state.ratio ?? {}, ...state.pools].flatMap((part) =>
    Object.values(part).filter((value) => typeof value === 'bigint'),
  );
  return amounts.every((amount) => amount < TOO_MUCH) ? state : null;
}
