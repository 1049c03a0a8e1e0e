import { expect, test } from 'vitest';
import type { Leadership } from '../../store/store.ts';
import type { ChainState } from '../chainState.ts';
import type { ChainHead } from '../progress.ts';
import type { ChainReport } from './chainReport.ts';
import type { FollowerDeps } from './followerDeps.ts';
import { createStepCommits } from './stepCommits.ts';

/** Returns the parameters of the gaps that a source records. */
async function gapsOfWait(followed: boolean): Promise<unknown[][]> {
  const recorded: unknown[][] = [];
  const tx = {
    async query({ name }: { name: string }, parameters: unknown[]) {
      if (name === 'gaps.add') recorded.push(parameters);
      return [];
    },
  };
  const leadership = {
    transaction: (work: (using: typeof tx) => unknown) => work(tx),
  } as unknown as Leadership;
  const chain = { chainId: 8453 };
  const deps = { leadership, chain, now: () => 1_000 } as unknown as FollowerDeps;
  const row = { familyId: 7, indexedBlock: 20, indexedTime: 400, followed };
  const state = { rows: new Map([['a', row]]), backfilled: true } as unknown as ChainState;
  const chainHead = { head: { time: 900 } } as unknown as ChainHead;
  const commits = createStepCommits(deps, {} as ChainReport);
  await commits.wait(state, { keys: ['a'], block: 20, meets: null }, chainHead, 50);
  return recorded;
}

test('behavior: a gap of a family that was never at the head is one of its first backfill', async () => {
  expect(await gapsOfWait(false)).toEqual([[7, 8453, 'logs', 21, 50, 400, 900, 1_000, true]]);
  expect(await gapsOfWait(true)).toEqual([[7, 8453, 'logs', 21, 50, 400, 900, 1_000, false]]);
});
