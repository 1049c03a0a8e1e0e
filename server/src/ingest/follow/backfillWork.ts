import { StateUnavailable } from '../../chain/rpcError.ts';
import { pause } from '../../runtime/pause.ts';
import type { ChainState } from '../chainState.ts';
import type { Group } from '../groups.ts';
import type { ChainHead } from '../progress.ts';
import { prefetch } from '../read/prefetch.ts';
import type { FollowerDeps } from './followerDeps.ts';
import type { GroupReads } from './groupReads.ts';
import type { StepCommits } from './stepCommits.ts';

/** Reads finalized blocks of a group, up to the finalized head or the block of the next group. */
export interface BackfillWork {
  /** `deadline` in ms of the performance clock. */
  run(state: ChainState, chainHead: ChainHead, group: Group, deadline?: number): Promise<void>;
}

/** How often the call budget is checked while it is used up. */
const PAUSE_MS = 1_000;

export function createBackfillWork(
  { mayReadPast }: Pick<FollowerDeps, 'mayReadPast'>,
  reads: GroupReads,
  commits: StepCommits,
): BackfillWork {
  return {
    async run(state, chainHead, group, deadline = Number.POSITIVE_INFINITY) {
      if (!mayReadPast()) return pause(PAUSE_MS);
      const toBlock = Math.min(chainHead.finalized, group.meets ?? chainHead.finalized);
      const isLead = group.meets === null;
      const enough = () => performance.now() > deadline || !mayReadPast();
      const steps = prefetch(reads.past(state, chainHead.client, group, toBlock, enough));
      try {
        for await (const step of steps) {
          const remembers = isLead && state.follow.blocks.length > 0;
          const ring = remembers ? { added: [step.to], keepFrom: step.to.number } : null;
          await commits.add(state, group, step, ring, chainHead, false, steps.request);
          if (ring !== null) state.follow = { blocks: [step.to], checking: null };
        }
      } catch (error) {
        if (error instanceof StateUnavailable && error.of === 'logs' && error.reason === 'pruned') {
          await commits.wait(state, group, chainHead, toBlock);
        }
        throw error;
      }
    },
  };
}
