import { eventNotes } from '../../store/events/notes.ts';
import { gaps } from '../../store/gaps/gaps.ts';
import type { ChainState } from '../chainState.ts';
import { type Commit, commitStep } from '../commit.ts';
import { familiesTouchedBy } from '../fold/familiesTouched.ts';
import { addedIn, type Group } from '../groups.ts';
import { type ChainHead, progressAfter } from '../progress.ts';
import type { Step } from '../read/step.ts';
import type { ChainReport } from './chainReport.ts';
import type { FollowerDeps } from './followerDeps.ts';

/** Commits steps to the store, then updates the state in memory. */
export interface StepCommits {
  /**
   * `atHead`: whether the step ends at the polled head. `meanwhile` is called while the database works, so that its CPU
   * time overlaps.
   */
  add(
    state: ChainState,
    group: Group,
    step: Step,
    ring: Commit['ring'],
    chainHead: ChainHead,
    atHead: boolean,
    meanwhile?: () => void,
  ): Promise<void>;
  /** Records a gap for families whose next logs no RPC endpoint has. The sources stay at their checkpoint. */
  wait(state: ChainState, group: Group, chainHead: ChainHead, toBlock: number): Promise<void>;
}

export function createStepCommits(deps: FollowerDeps, report: ChainReport): StepCommits {
  const { leadership, chain } = deps;

  return {
    async add(state, group, step, ring, chainHead, atHead, meanwhile) {
      const keys = new Set(step.readers.map((reader) => reader.source.key));
      const progress = progressAfter(state, step, chainHead, atHead, deps.now());
      const families = familiesTouchedBy(chain.chainId, deps, keys);
      const added = addedIn(group, state.rows);
      const { made, settled } = await leadership.transaction((tx) =>
        commitStep(tx, {
          ...{ step, ring, progress, added, families, meanwhile },
          settled: state.settled,
        }),
      );
      // A family with rows may have some that wait for the next block of another second.
      for (const { reader, movements, history, ticks } of step.families) {
        if (movements.length + history.length + ticks.length > 0) {
          state.settled.delete(reader.familyId);
        }
      }
      for (const familyId of settled) state.settled.add(familyId);
      for (const key of keys) {
        const row = state.rows.get(key)!;
        const followed = row.followed || step.to.number === progress.head;
        const { number: indexedBlock, time: indexedTime } = step.to;
        const moved = { ...row, indexedBlock, indexedTime, followed };
        state.rows.set(key, moved);
      }
      state.backfilled ||= progress.backfilled;
      report.outdate();
      deps.onStep(step, progress, made);
    },
    async wait(state, group, chainHead, toBlock) {
      const standing = group.keys.map((key) => state.rows.get(key)!);
      await leadership.transaction(async (tx) => {
        for (const { familyId, indexedBlock, indexedTime, followed } of standing) {
          if (familyId === null) continue;
          await gaps.add(tx, {
            familyId,
            chainId: chain.chainId,
            reason: 'logs',
            fromBlock: indexedBlock + 1,
            toBlock,
            fromTime: indexedTime,
            toTime: chainHead.head.time,
            foundAt: deps.now(),
            initial: !followed,
          });
        }
        await eventNotes.states(tx, chain.chainId, deps.now());
      });
    },
  };
}
