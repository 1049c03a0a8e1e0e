import type { ChainClient, Header } from '../chain/chainClient.ts';
import { RpcError } from '../chain/rpcError.ts';
import { type ChainState, loadChainState } from './chainState.ts';
import { createBackfillWork } from './follow/backfillWork.ts';
import { createCatchUpWork } from './follow/catchUpWork.ts';
import { createChainReport } from './follow/chainReport.ts';
import { createFillWork } from './follow/fillWork.ts';
import type { FollowerDeps } from './follow/followerDeps.ts';
import { createGovernanceWork } from './follow/governanceWork.ts';
import { createGroupReads } from './follow/groupReads.ts';
import { createHeadWork } from './follow/headWork.ts';
import { createIdleHandler } from './follow/idleHandler.ts';
import { createStepCommits } from './follow/stepCommits.ts';
import { groupByBlock } from './groups.ts';
import { finalizedNumber } from './read/finality.ts';
import { SourceHalted } from './read/sourceHalted.ts';

export type { FollowerDeps } from './follow/followerDeps.ts';

/** Indexes one chain while this process leads it. */
export interface Follower {
  /** Does the next piece of work; returns `idle` if there was none. Throws on any error, with nothing committed. */
  advance(): Promise<'busy' | 'idle'>;
}

/** How often sources that cannot be read are retried. */
const RETRY_BROKEN_SECONDS = 60;
/** A stale finalized block is safe, only too low, so the tag need not be read at every head. */
export const FINALITY_SECONDS = 60;

/** Decides what to do next. The modules in `follow/` do it. */
export function createFollower(deps: FollowerDeps): Follower {
  const { upstreams, chain } = deps;
  const report = createChainReport(deps);
  const idleHandler = createIdleHandler(deps, report);
  const reads = createGroupReads(deps);
  const commits = createStepCommits(deps, report);
  const backfill = createBackfillWork(deps, reads, commits);
  const atHead = createHeadWork(deps, { reads, commits, backfill, idleHandler });
  const catchUp = createCatchUpWork(deps, reads, commits, backfill);
  const fills = createFillWork(deps, reads);
  const governance = createGovernanceWork(deps, reads);
  let state: ChainState | undefined;
  let loadedAt = 0;
  let finality = { upstream: 0, at: Number.NEGATIVE_INFINITY, number: 0 };
  const halted = new Map<string, string>();

  return {
    async advance() {
      const { client, head } = await upstreams.pick();
      deps.onHead?.(head);
      try {
        const done = await work(client, head);
        upstreams.worked(client);
        return done;
      } catch (error) {
        state = undefined;
        idleHandler.forget();
        if (error instanceof SourceHalted) {
          // The other sources continue immediately. This one is retried with the other broken sources.
          halted.set(error.key, error.message);
          return 'busy';
        }
        if (error instanceof RpcError) upstreams.failed(client, error);
        throw error;
      }
    },
  };

  async function work(client: ChainClient, head: Header): Promise<'busy' | 'idle'> {
    const now = deps.now();
    // The vault may have been deployed since, or the endpoint may have reached its first block.
    if (state !== undefined && state.broken.size > 0 && now - loadedAt >= RETRY_BROKEN_SECONDS) {
      state = undefined;
      halted.clear();
    }
    if (state === undefined) loadedAt = now;
    const [loaded, finalized] = await Promise.all([
      state ?? load(client, head, now),
      finalizedAt(client, head),
    ]);
    state = loaded;
    const chainHead = { client, head, finalized };
    const groups = groupByBlock([...loaded.rows.values()]);
    if (groups.length === 0) {
      await report.write(loaded, chainHead, 'live');
      return 'idle';
    }
    // Remembered blocks must be compared first: a reorg may have replaced the newest checkpoint.
    const unproven = groups.length === 1 && loaded.follow.blocks.length > 0;
    if (!loaded.backfilled && !unproven && groups[0]!.block < finalized) {
      await backfill.run(loaded, chainHead, groups[0]!);
      return 'busy';
    }
    const done = await atHead.run(loaded, chainHead, groups.at(-1)!);
    if (done === 'taken-back') {
      // Readers hold prices and pools of replaced blocks: reload them from the store.
      state = undefined;
      return 'busy';
    }
    if (await catchUp.run(loaded, chainHead)) return 'busy';
    const filled = await fills.run(loaded, chainHead);
    if (filled === 'none') return (await governance.run(loaded, chainHead)) ? 'busy' : done;
    // The readers were loaded without the rows of the gap.
    if (filled === 'filled') state = undefined;
    return 'busy';
  }

  async function load(client: ChainClient, head: Header, now: number): Promise<ChainState> {
    const genesis = await upstreams.genesisHash();
    await idleHandler.recall();
    const { chainId } = chain;
    return loadChainState({ ...deps, chainId, client, head, genesis, now, halted });
  }

  /** A configured depth is counted from each head. The tag is read about once a minute, per RPC endpoint. */
  async function finalizedAt(client: ChainClient, head: Header): Promise<number> {
    const { upstream } = client;
    const at = performance.now() / 1000;
    const old = finality.upstream !== upstream || at - finality.at >= FINALITY_SECONDS;
    if (old || typeof chain.finality === 'object') {
      finality = { upstream, at, number: await finalizedNumber(client, chain.finality, head) };
    }
    return Math.min(finality.number, head.number);
  }
}
