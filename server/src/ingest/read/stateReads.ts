import type { Call, ChainClient } from '../../chain/chainClient.ts';
import type { FamilyState } from '../../domain/vault/state.ts';
import type { CallResult, StateRead } from '../../vaults/kind.ts';

/** 0x and 32 bytes. */
const WORD = 66;
/** Sums over pools and chains must still fit 78 digits. */
const TOO_MUCH = 10n ** 75n;

/**
 * The states of several families at one block: one multicall for all, and a second for what the first
 * asked for. Null for a family that cannot be read there.
 */
export async function readStates(
  client: ChainClient,
  block: number,
  reads: readonly StateRead[],
): Promise<(FamilyState | null)[]> {
  const first = split(
    await readWords(
      client,
      reads.flatMap((read) => read.first),
      block,
    ),
    reads.map((read) => read.first.length),
  );
  const followUps = reads.map((read, i) => read.second(first[i]!));
  const calls = followUps.flat();
  const answers = calls.length === 0 ? [] : await readWords(client, calls, block);
  const second = split(
    answers,
    followUps.map((own) => own.length),
  );
  return reads.map((read, i) => storable(read.state(first[i]!, second[i]!)));
}

/** Where no contract stands a call succeeds and answers nothing: that is no answer either. */
async function readWords(
  client: ChainClient,
  calls: readonly Call[],
  block: number,
): Promise<CallResult[]> {
  const answers = await client.multicall(calls, block);
  return answers.map((answer) => (answer !== null && answer.length >= WORD ? answer : null));
}

/** A contract that answers garbage must not stop the chain: what no column can hold was not read. */
function storable(state: FamilyState | null): FamilyState | null {
  if (state === null) return null;
  const amounts = [state, ...state.pools].flatMap((part) =>
    Object.values(part).filter((value) => typeof value === 'bigint'),
  );
  return amounts.every((amount) => amount < TOO_MUCH) ? state : null;
}

function split<T>(values: readonly T[], lengths: readonly number[]): T[][] {
  let end = 0;
  return lengths.map((length) => {
    end += length;
    return values.slice(end - length, end);
  });
}
