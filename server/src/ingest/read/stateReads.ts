import type { ChainClient } from '../../chain/chainClient.ts';
import type { FamilyState } from '../../domain/vault/state.ts';
import type { Rounds, Unread } from '../../vaults/kind.ts';
import { runRounds } from '../../vaults/rounds.ts';
import { TOO_MUCH } from './sourceHalted.ts';

/** Reads the states of several families at one block, or the reason why one cannot be read. */
export async function readStates(
  client: ChainClient,
  block: number,
  reads: readonly Rounds<FamilyState | Unread | null>[],
): Promise<(FamilyState | Unread)[]> {
  return (await runRounds(client, block, reads)).map(storable);
}

/** Treats values that do not fit a column as unreadable, so that an invalid contract does not stop the chain. */
const UNREAD: Unread = { unread: 'its state could not be read' };

function storable(state: FamilyState | Unread | null): FamilyState | Unread {
  if (state === null) return UNREAD;
  if ('unread' in state) return state;
  const amounts = [state, state.ratio ?? {}, ...state.pools].flatMap((part) =>
    Object.values(part).filter((value) => typeof value === 'bigint'),
  );
  return amounts.every((amount) => amount < TOO_MUCH) ? state : UNREAD;
}
