import type { Call, ChainClient } from '../chain/chainClient.ts';
import type { CallResult, Rounds } from './kind.ts';

/** 0x and 32 bytes. */
const WORD = 66;

/** Runs several reads at one block together: one multicall for the first batch of all, one for the second. */
export async function runRounds<T>(
  client: ChainClient,
  block: number,
  reads: readonly Rounds<T>[],
): Promise<T[]> {
  const all = together(reads);
  let step = all.next([]);
  while (!step.done) {
    const calls = step.value;
    step = all.next(calls.length === 0 ? [] : await readWords(client, calls, block));
  }
  return step.value;
}

/** Combines several reads into one, with as many batches as the longest of them. */
export function* together<T>(reads: readonly Rounds<T>[]): Rounds<T[]> {
  const results = new Array<T>(reads.length);
  let open = reads.map((read, i) => ({ read, i, asked: [] as readonly Call[] }));
  let answers: readonly CallResult[] = [];
  while (open.length > 0) {
    let at = 0;
    const next: typeof open = [];
    for (const one of open) {
      const own = answers.slice(at, at + one.asked.length);
      at += one.asked.length;
      const step = one.read.next(own);
      if (step.done) results[one.i] = step.value;
      else next.push({ ...one, asked: step.value });
    }
    open = next;
    if (open.length > 0) answers = yield open.flatMap(({ asked }) => asked);
  }
  return results;
}

/** A call to an address without code succeeds with an empty result, which counts as a failure. */
async function readWords(
  client: ChainClient,
  calls: readonly Call[],
  block: number,
): Promise<CallResult[]> {
  const answers = await client.multicall(calls, block);
  return answers.map((answer) => (answer !== null && answer.length >= WORD ? answer : null));
}
