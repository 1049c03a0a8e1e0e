import type { ChainClient, Header } from '../../chain/chainClient.ts';
import type { ChainState } from '../chainState.ts';
import { familiesTouchedBy } from '../fold/familiesTouched.ts';
import type { Group } from '../groups.ts';
import type { ChainHead } from '../progress.ts';
import { LogsLeftOut, OVERLAP_BLOCKS } from '../read/overlap.ts';
import { DENSE_BLOCKS } from '../read/recent.ts';
import {
  type BlockRef,
  type FollowEffect,
  follow,
  HistoryChanged,
  lastRemembered,
  remember,
} from '../reorg.ts';
import { rollBack } from '../rollback.ts';
import type { BackfillWork } from './backfillWork.ts';
import type { FollowerDeps } from './followerDeps.ts';
import type { GroupReads } from './groupReads.ts';
import { headerOf } from './headerOf.ts';
import type { IdleHandler } from './idleHandler.ts';
import type { StepCommits } from './stepCommits.ts';

/** Reads blocks above finality, which a reorg can still replace. */
export interface HeadWork {
  /** Follows the head. Returns `taken-back` after a reorg, when the state in memory is outdated. */
  run(
    state: ChainState,
    chainHead: ChainHead,
    lead: Group,
  ): Promise<'busy' | 'idle' | 'taken-back'>;
}

export interface HeadWorkParts {
  readonly reads: GroupReads;
  readonly commits: StepCommits;
  readonly backfill: BackfillWork;
  readonly idleHandler: IdleHandler;
}

/** How often the newest logs of a head are read again. */
const CHECKS = 6;
/** Maximum recent blocks per read. */
const RECENT_BLOCKS = 2_000;

export function createHeadWork(deps: FollowerDeps, parts: HeadWorkParts): HeadWork {
  const { reads, commits, backfill, idleHandler } = parts;
  let checked = { head: '', times: 0 };
  /** Whether the last range could not be read: a reorg may have replaced the remembered blocks. */
  let doubted = false;

  return {
    async run(state, chainHead, lead) {
      const effect = await decide(state, chainHead.client, chainHead.head);
      switch (effect.type) {
        case 'idle':
          if (await takeBackLeftOut(state, chainHead, lead)) return 'taken-back';
          await idleHandler.take(state, chainHead, 'live');
          return 'idle';
        case 'behind':
          // The RPC endpoint responds but is behind the indexed block.
          await idleHandler.take(
            state,
            chainHead,
            'syncing',
            behindText(chainHead.client, lead.block),
          );
          return 'idle';
        case 'rollback':
          await takeBack(effect.to);
          deps.onReorg(effect.to.number, lead.block);
          return 'taken-back';
        case 'refuse':
          throw new HistoryChanged(effect.lowest);
        case 'advance':
          // First a group has to catch up with the remembered blocks.
          if (lead.block < lastRemembered(state.follow)) return 'idle';
          if (lead.block < chainHead.finalized - RECENT_BLOCKS) {
            await backfill.run(state, chainHead, lead);
            return 'busy';
          }
          return advance(state, chainHead, lead);
        case 'compare':
          throw new Error('a comparison was left undone');
      }
    },
  };

  async function decide(
    state: ChainState,
    client: ChainClient,
    head: Header,
  ): Promise<FollowEffect> {
    const last = lastRemembered(state.follow);
    // The headers of a short range show whether they link up with the last block, so it need not be read first.
    const short = last > 0 && head.number > last + 1 && head.number - last <= DENSE_BLOCKS;
    if (short && !doubted) return { type: 'advance', to: head };
    let [next, effect] = follow(state.follow, { type: 'head', head });
    while (effect.type === 'compare') {
      const headers = await client.headers(effect.numbers);
      [next, effect] = follow(next, { type: 'headers', headers });
    }
    // A rollback counts only once it is committed.
    if (effect.type !== 'rollback') state.follow = next;
    return effect;
  }

  async function advance(
    state: ChainState,
    chainHead: ChainHead,
    lead: Group,
  ): Promise<'busy' | 'idle' | 'taken-back'> {
    const { client, head, finalized } = chainHead;
    const last = state.follow.blocks.at(-1);
    const to =
      head.number - lead.block > RECENT_BLOCKS
        ? await headerOf(client, lead.block + RECENT_BLOCKS)
        : head;
    const before = last?.number === lead.block ? last : await headerOf(client, lead.block);
    const ring = state.follow.blocks;
    let recent: Awaited<ReturnType<typeof reads.recent>>;
    try {
      doubted = true;
      recent = await reads.recent(state, client, lead, { ring, before, to });
      doubted = false;
    } catch (error) {
      if (!(error instanceof LogsLeftOut)) throw error;
      await takeBack(ring.findLast(({ number }) => number < error.block)!);
      deps.onLeftOut(error.block);
      return 'taken-back';
    }
    const added = last === undefined ? [before, ...recent.blocks] : recent.blocks;
    const blocks = remember(ring, added, Math.min(finalized, to.number - OVERLAP_BLOCKS - 1));
    const kept = { added, keepFrom: blocks[0]!.number };
    await commits.add(state, lead, recent.step, kept, chainHead, to.number === head.number);
    state.follow = { blocks, checking: null };
    if (to.number < head.number) return 'busy';
    idleHandler.note(head);
    return 'idle';
  }

  /** Reads the newest logs again, a few times for each head, if the nodes behind a URL return different logs. */
  async function takeBackLeftOut(
    state: ChainState,
    chainHead: ChainHead,
    lead: Group,
  ): Promise<boolean> {
    if (!deps.upstreams.isUneven(chainHead.client)) return false;
    if (checked.head !== chainHead.head.hash) checked = { head: chainHead.head.hash, times: 0 };
    if (checked.times++ >= CHECKS) return false;
    const ring = state.follow.blocks;
    const found = await reads.leftOut(state, chainHead.client, lead, ring);
    if (found === undefined) return false;
    checked.times = 0;
    await takeBack(ring.findLast(({ number }) => number < found.number)!);
    deps.onLeftOut(found.number);
    return true;
  }

  async function takeBack(to: BlockRef): Promise<void> {
    const { leadership, chain } = deps;
    const touched = familiesTouchedBy(chain.chainId, deps);
    const retracted = await leadership.transaction((tx) =>
      rollBack(tx, chain.chainId, to, touched, deps.now()),
    );
    deps.onRetracted?.(retracted);
  }
}

function behindText(client: ChainClient, block: number): string {
  return `rpc ${client.upstream} is behind block ${block}, which was indexed already`;
}
