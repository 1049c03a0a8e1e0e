import type { Header } from '../../chain/chainClient.ts';
import type { ChainState } from '../chainState.ts';
import { type Group, groupByBlock } from '../groups.ts';
import type { ChainHead } from '../progress.ts';
import { lastRemembered } from '../reorg.ts';
import type { BackfillWork } from './backfillWork.ts';
import type { FollowerDeps } from './followerDeps.ts';
import type { GroupReads } from './groupReads.ts';
import { headerOf } from './headerOf.ts';
import type { StepCommits } from './stepCommits.ts';

/** Reads sources that were added later, while the others are at the head. */
export interface CatchUpWork {
  /** Advances the sources that are furthest behind; returns false if there are none or they cannot be read now. */
  run(state: ChainState, chainHead: ChainHead): Promise<boolean>;
}

/** How long an added family may be read before the sources at the head get their turn. */
const SLICE_MS = 1_500;

export function createCatchUpWork(
  { mayReadPast }: Pick<FollowerDeps, 'mayReadPast'>,
  reads: GroupReads,
  commits: StepCommits,
  backfill: BackfillWork,
): CatchUpWork {
  return {
    async run(state, chainHead) {
      const behind = findBehind(state, chainHead.head);
      if (behind === undefined || !mayReadPast()) return false;
      if (behind.block < chainHead.finalized) {
        await backfill.run(state, chainHead, behind, performance.now() + SLICE_MS);
        return true;
      }
      // The RPC endpoint is behind the block of the next group.
      if (behind.meets! > chainHead.head.number) return false;
      await join(state, chainHead, behind);
      return true;
    },
  };

  /** Advances a group that has reached the finalized block to the block of the next group. */
  async function join(state: ChainState, chainHead: ChainHead, group: Group): Promise<void> {
    const { client } = chainHead;
    const before = await headerOf(client, group.block);
    const to = await headerOf(client, group.meets!);
    const known = state.follow.blocks.at(-1);
    if (known?.number === to.number && known.hash !== to.hash) return;
    const recent = await reads.recent(state, client, group, { ring: [], before, to });
    await commits.add(state, group, recent.step, null, chainHead, false);
  }
}

/**
 * Returns the group furthest behind, once another group has reached the head. If all groups are behind the remembered
 * blocks, as after the families of a chain were replaced, the first group catches up with those.
 */
function findBehind(state: ChainState, head: Header): Group | undefined {
  const groups = groupByBlock([...state.rows.values()]);
  const [first] = groups;
  const lead = groups.at(-1)!.block;
  const remembered = lastRemembered(state.follow);
  if (lead < remembered) return { ...first!, meets: first!.meets ?? remembered };
  return groups.length > 1 && lead >= head.number ? first : undefined;
}
