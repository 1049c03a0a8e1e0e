import { expect, test } from 'vitest';
import type { Leadership } from '../../store/store.ts';
import type { ChainState } from '../chainState.ts';
import type { ChainHead } from '../progress.ts';
import type { ChainReport } from './chainReport.ts';
import type { FollowerDeps } from './followerDeps.ts';
import { createStepCommits } from './stepCommits.ts';

const ROW = { familyId: 7, indexedBlock: 20, indexedTime: 400 };

/** Returns the parameters of the gaps that a group of a chain that was live before records. */
async function gapsOfWait(meets: number | null): Promise<unknown[][]> {
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
  const state = { rows: new Map([['a', ROW]]), backfilled: true } as unknown as ChainState;
  const chainHead = { head: { time: 900 } } as unknown as ChainHead;
  const commits = createStepCommits(deps, {} as ChainReport);
  await commits.wait(state, { keys: ['a'], block: 20, meets }, chainHead, 50);
  return recorded;
}

test('behavior: a gap of a family that was added later is one of its first backfill', async () => {
  expect(await gapsOfWait(80)).toEqual([[7, 8453, 'logs', 21, 50, 400, 900, 1_000, true]]);
  expect(await gapsOfWait(null)).toEqual([[7, 8453, 'logs', 21, 50, 400, 900, 1_000, false]]);
});
