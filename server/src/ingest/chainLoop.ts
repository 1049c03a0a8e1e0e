import { setTimeout as sleep } from 'node:timers/promises';
import { RpcError, StateUnavailable, WrongChain } from '../chain/rpcError.ts';
import type { Upstreams } from '../chain/upstreams.ts';
import type { ChainConfig } from '../config/config.ts';
import { chainProgress } from '../store/chains/progress.ts';
import type { Leadership, Store } from '../store/store.ts';
import { AnotherChain } from './chainState.ts';
import { createFollower, type FollowerDeps } from './follower.ts';
import { BlockGone } from './read/logRanges.ts';
import { MovedWhileRead } from './read/recent.ts';
import { HistoryChanged } from './reorg.ts';
import { markUnreachable } from './unreachable.ts';

export interface ChainLoopDeps extends Omit<FollowerDeps, 'leadership'> {
  readonly store: Store;
  readonly chain: ChainConfig;
  readonly upstreams: Upstreams;
  readonly signal: AbortSignal;
  /** Whether the store held rows of this chain before: its genesis is then the one to match. */
  readonly bound: boolean;
  readonly onLead: () => void;
  /** Something that is not the chain's fault: the store, or a mistake of ours. */
  readonly onError: (error: unknown) => void;
}

const ASK_TO_LEAD_MS = 2_000;
const REFUSED_MS = 10_000;
const INCONSISTENT = 10;
const INCONSISTENT_TEXT =
  'the rpc does not have blocks that it reported itself: use another, or wait until it has caught up';
const LONGEST_PAUSE_MS = 15_000;

/** Works one chain off, on its own, until told to stop: whatever happens here, no other chain notices. */
export async function runChain(deps: ChainLoopDeps): Promise<void> {
  const { store, chain, signal } = deps;
  while (!signal.aborted) {
    try {
      const leadership = await store.lead(chain.chainId);
      if (leadership === undefined) {
        await pause(ASK_TO_LEAD_MS, signal);
        continue;
      }
      deps.onLead();
      await leadChain(deps, leadership).finally(() => leadership.release());
    } catch (error) {
      if (signal.aborted) return;
      deps.onError(error);
      // Best effort: the store itself may be what failed.
      const text = `indexing stopped (${error instanceof Error ? error.name : 'unknown'}): see the log`;
      await chainProgress.failed(store, chain.chainId, text, deps.now()).catch(() => {});
      await pause(ASK_TO_LEAD_MS, signal);
    }
  }
}

async function leadChain(deps: ChainLoopDeps, leadership: Leadership): Promise<void> {
  const { chain, signal } = deps;
  const follower = createFollower({ ...deps, leadership });
  let lost = false;
  leadership.lost.then(() => {
    lost = true;
  });
  // Since the last success, each kind by itself: a chain that moves while it is read says nothing of its node.
  let moved = 0;
  let failed = 0;
  while (!signal.aborted && !lost) {
    try {
      const done = await follower.advance();
      moved = 0;
      failed = 0;
      if (done === 'idle') await pause(chain.pollSeconds * 1000, signal);
    } catch (error) {
      if (signal.aborted) return;
      const wait = await handle(deps, leadership, error, isMoving(error) ? ++moved : ++failed);
      await pause(wait, signal);
    }
  }
}

/** Says what is wrong and how long to wait; throws what only a new start can mend. `failures`: of its kind. */
async function handle(
  deps: ChainLoopDeps,
  leadership: Leadership,
  error: unknown,
  failures: number,
): Promise<number> {
  if (isMoving(error)) {
    // Expected near the head; a node that does so forever is not worth hammering, and is to be named.
    if (failures >= INCONSISTENT) await markUnreachable(deps, leadership, INCONSISTENT_TEXT);
    return failures < 5 ? 50 : 1_000;
  }
  // The node is of another chain than the store: in the operator's words, that is the store's story.
  if (error instanceof WrongChain && error.actual === error.expected && deps.bound) {
    await markUnreachable(deps, leadership, new AnotherChain(deps.chain.chainId).message);
    return REFUSED_MS;
  }
  if (error instanceof AnotherChain || error instanceof HistoryChanged) {
    await markUnreachable(deps, leadership, error.message);
    return REFUSED_MS;
  }
  if (!(error instanceof RpcError)) throw error;
  const untilRetry = deps.upstreams.retryAt() - Date.now();
  // One failure is no news, and another URL may answer at once.
  if (failures >= (untilRetry > 0 ? 2 : 3)) await markUnreachable(deps, leadership, error.safeText);
  return Math.min(LONGEST_PAUSE_MS, Math.max(failures < 3 ? 0 : 100, untilRetry));
}

/** What a chain that is being reorganised, or a node that is just behind another, may cause. */
function isMoving(error: unknown): boolean {
  if (error instanceof StateUnavailable) return error.reason === 'unknown-block';
  return error instanceof MovedWhileRead || error instanceof BlockGone;
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}
