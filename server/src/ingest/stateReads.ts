import type { ChainClient } from '../chain/chainClient.ts';
import type { FamilyState } from '../domain/vault/state.ts';
import type { StateRead } from './adapters/adapter.ts';

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
    await client.multicall(
      reads.flatMap((read) => read.first),
      block,
    ),
    reads.map((read) => read.first.length),
  );
  const followUps = reads.map((read, i) => read.second(first[i]!));
  const calls = followUps.flat();
  const answers = calls.length === 0 ? [] : await client.multicall(calls, block);
  const second = split(
    answers,
    followUps.map((own) => own.length),
  );
  return reads.map((read, i) => read.state(first[i]!, second[i]!));
}

function split<T>(values: readonly T[], lengths: readonly number[]): T[][] {
  let end = 0;
  return lengths.map((length) => {
    end += length;
    return values.slice(end - length, end);
  });
}
