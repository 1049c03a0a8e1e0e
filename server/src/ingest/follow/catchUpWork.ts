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

/** Sources that joined late, while others stand at the head already. */
export interface CatchUpWork {
  /** Brings those furthest behind a little closer; false where there is nobody to bring, or no way now. */
  run(state: ChainState, chainHead: ChainHead): Promise<boolean>;
}

/** How long a family that joins late may work before the others are looked after again. */
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
      // Those at the head are not kept waiting.
      if (behind === undefined || !mayReadPast()) return false;
      if (behind.block < chainHead.finalized) {
        await backfill.run(state, chainHead, behind, performance.now() + SLICE_MS);
        return true;
      }
      // A node that has not come as far as the next group cannot bring this one there.
      if (behind.meets! > chainHead.head.number) return false;
      await join(state, chainHead, behind);
      return true;
    },
  };

  /** Brings a group that has reached finality to where the next one stands. */
  async function join(state: ChainState, chainHead: ChainHead, group: Group): Promise<void> {
    const { client } = chainHead;
    const before = await headerOf(client, group.block);
    const to = await headerOf(client, group.meets!);
    const known = state.follow.blocks.at(-1);
    if (known?.number === to.number && known.hash !== to.hash) return;
    const recent = await reads.recent(state, client, group, { ring: [], before, to });
    await commits.add(state, recent.step, null, chainHead, false);
  }
}

/**
 * The group furthest behind one that has come to the head: before that, nobody waits for it. Where all are behind the
 * blocks that are remembered, as when other families take their places, the first is brought there.
 */
function findBehind(state: ChainState, head: Header): Group | undefined {
  const groups = groupByBlock([...state.rows.values()]);
  const [first] = groups;
  const lead = groups.at(-1)!.block;
  const remembered = lastRemembered(state.follow);
  if (lead < remembered) return { ...first!, meets: first!.meets ?? remembered };
  return groups.length > 1 && lead >= head.number ? first : undefined;
}
