import { NodesDiffer } from '../chain/deepReads.ts';
import { RpcError, StateUnavailable, WrongChain } from '../chain/rpcError.ts';
import type { Upstreams } from '../chain/upstreams.ts';
import type { ChainConfig } from '../config/config.ts';
import type { Retention } from '../domain/series/retention.ts';
import { pause } from '../runtime/pause.ts';
import { traced } from '../runtime/traced.ts';
import { chainProgress } from '../store/chains/progress.ts';
import type { Leadership, Store } from '../store/store.ts';
import { StoreUnavailable } from '../store/storeUnavailable.ts';
import { type AlertLoopDeps, runAlerts } from './alerts/alertLoop.ts';
import { AnotherChain } from './chainState.ts';
import { createFailureBudget, type FailureBudget } from './failureBudget.ts';
import { createFollower, type FollowerDeps } from './follower.ts';
import { BlockGone } from './read/logRanges.ts';
import { MovedWhileRead } from './read/recent.ts';
import { HistoryChanged } from './reorg.ts';
import { createRhythm } from './rhythm.ts';
import { runThinning } from './thinLoop.ts';
import { runTickSpace } from './tickSpaceLoop.ts';
import { markUnreachable } from './unreachable.ts';

export interface ChainLoopDeps extends Omit<FollowerDeps, 'leadership'> {
  readonly store: Store;
  readonly chain: ChainConfig;
  readonly upstreams: Upstreams;
  readonly signal: AbortSignal;
  /** Whether the store held rows of this chain before: its genesis is then the one to match. */
  readonly bound: boolean;
  /** Default: keep every tick. */
  readonly retention?: Retention | undefined;
  /** Default: no alerts. */
  readonly alerts?:
    | Pick<
        AlertLoopDeps,
        'watched' | 'readChainIds' | 'wake' | 'onNews' | 'onCorrected' | 'onError'
      >
    | undefined;
  readonly onThinned: (rows: number) => void;
  readonly onNotThinned: (error: unknown) => void;
  readonly onSpaceGivenBack: () => void;
  readonly onSpaceNotGivenBack: (error: unknown) => void;
  /** Called when this process becomes the leader of the chain, and when it no longer is. */
  readonly onLead: (leads: boolean) => void;
  /** An error that the chain did not cause: in the store, or a bug. */
  readonly onError: (error: unknown) => void;
}

const ASK_TO_LEAD_MS = 2_000;
const REFUSED_MS = 10_000;
const INCONSISTENT_TEXT =
  'the RPC endpoint lacks blocks that it reported: use another one, or wait until it has caught up';
const LONGEST_PAUSE_MS = 15_000;

/** Indexes one chain until the signal. Its failures do not affect other chains. */
export async function runChain(deps: ChainLoopDeps): Promise<void> {
  const { store, chain, signal } = deps;
  while (!signal.aborted) {
    try {
      const leadership = await store.lead(chain.chainId);
      if (leadership === undefined) {
        await pause(ASK_TO_LEAD_MS, signal);
        continue;
      }
      deps.onLead(true);
      void leadership.lost.then(() => deps.onLead(false));
      const ended = new AbortController();
      const beside = Promise.all([
        thinBeside(deps, leadership, ended.signal),
        alertBeside(deps, leadership, ended.signal),
        spaceBeside(deps, leadership, ended.signal),
      ]);
      await leadChain(deps, leadership).finally(async () => {
        ended.abort();
        await beside;
        await leadership.release();
      });
    } catch (error) {
      if (signal.aborted) return;
      deps.onError(error);
      // The store failed or replaced this process: only the leader writes the status of the chain.
      if (error instanceof StoreUnavailable) {
        await pause(ASK_TO_LEAD_MS, signal);
        continue;
      }
      const text = `indexing stopped (${error instanceof Error ? error.name : 'unknown'}): see the log`;
      await chainProgress.failed(store, chain.chainId, text, deps.now()).catch(() => {});
      await pause(ASK_TO_LEAD_MS, signal);
    }
  }
}

/** Thins old ticks while the chain is led, because its transactions need the leadership. */
async function thinBeside(
  deps: ChainLoopDeps,
  leadership: Leadership,
  ended: AbortSignal,
): Promise<void> {
  const { store, chain, allRegistered, retention, onThinned, onNotThinned: onError } = deps;
  if (retention === undefined) return;
  const signal = AbortSignal.any([deps.signal, ended]);
  const { chainId } = chain;
  await runThinning({
    store,
    leadership,
    chainId,
    allRegistered,
    retention,
    signal,
    onThinned,
    onError,
  });
}

/** Gives back the space of thinned ticks. Runs without `retention` too, to end what has begun. */
async function spaceBeside(
  { retention, now, ...deps }: ChainLoopDeps,
  leadership: Leadership,
  ended: AbortSignal,
): Promise<void> {
  await runTickSpace({
    leadership,
    thins: retention !== undefined,
    now,
    signal: AbortSignal.any([deps.signal, ended]),
    onGivenBack: deps.onSpaceGivenBack,
    onError: deps.onSpaceNotGivenBack,
  });
}

/** Evaluates alerts while the chain is led, so that a replaced process sends nothing. */
async function alertBeside(
  { store, chain, alerts, now, ...deps }: ChainLoopDeps,
  leadership: Leadership,
  ended: AbortSignal,
): Promise<void> {
  if (alerts === undefined) return;
  const signal = AbortSignal.any([deps.signal, ended]);
  await runAlerts({ ...alerts, store, leadership, chainId: chain.chainId, now, signal });
}

async function leadChain(deps: ChainLoopDeps, leadership: Leadership): Promise<void> {
  const { chain, upstreams, signal } = deps;
  const budget = createFailureBudget();
  const rhythm = createRhythm({ pollSeconds: chain.pollSeconds, clock: () => performance.now() });
  const follower = createFollower({
    ...deps,
    leadership,
    onHead: rhythm.seen,
    onStep(...step) {
      // A backfill is one long call of advance(): each step shows that the chain can be read.
      budget.renew();
      deps.onStep(...step);
    },
  });
  let lost = false;
  leadership.lost.then(() => {
    lost = true;
  });
  while (!signal.aborted && !lost) {
    // While every URL is paused, no call can be made and no failure counted.
    const rest = upstreams.retryAt() - Date.now();
    if (rest > 0) {
      await pause(Math.min(LONGEST_PAUSE_MS, rest), signal);
      continue;
    }
    try {
      const done = await traced(
        () => ({
          name: 'index',
          kind: 'internal',
          attributes: { 'assay.chain_id': chain.chainId },
        }),
        () => follower.advance(),
      );
      budget.renew();
      if (done === 'idle') await upstreams.untilLook(rhythm.pauseMs(), signal);
    } catch (error) {
      if (signal.aborted) return;
      await pause(await handle(deps, leadership, error, budget), signal);
    }
  }
}

/** Marks the chain as unreachable if needed, and returns the wait in ms. Throws errors that need a restart of the loop. */
async function handle(
  deps: ChainLoopDeps,
  leadership: Leadership,
  error: unknown,
  budget: FailureBudget,
): Promise<number> {
  const retryAt = deps.upstreams.retryAt();
  if (isMoving(error)) {
    // Expected near the head. An endpoint that keeps failing like this is called less often, and reported.
    const { tries, over } = budget.spend('moving', Date.now(), retryAt);
    if (over) await markUnreachable(deps, leadership, INCONSISTENT_TEXT);
    return tries < 5 ? 50 : 1_000;
  }
  // The URL matches the configured chain id, so the store is from another chain.
  if (error instanceof WrongChain && error.actual === error.expected && deps.bound) {
    await markUnreachable(deps, leadership, new AnotherChain(deps.chain.chainId).message);
    return REFUSED_MS;
  }
  if (error instanceof AnotherChain || error instanceof HistoryChanged) {
    await markUnreachable(deps, leadership, error.message);
    return REFUSED_MS;
  }
  if (!(error instanceof RpcError)) throw error;
  const { tries, over } = budget.spend('failing', Date.now(), retryAt);
  if (over) await markUnreachable(deps, leadership, error.safeText);
  // Another URL can respond immediately.
  return tries < 3 ? 0 : 1_000;
}

/** Whether a reorg, or an endpoint slightly behind another, can have caused the error. */
function isMoving(error: unknown): boolean {
  if (error instanceof StateUnavailable) return error.reason === 'unknown-block';
  return (
    error instanceof MovedWhileRead || error instanceof BlockGone || error instanceof NodesDiffer
  );
}
