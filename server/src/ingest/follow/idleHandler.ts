import type { Header } from '../../chain/chainClient.ts';
import { chains } from '../../store/chains/chains.ts';
import type { ChainState } from '../chainState.ts';
import { groupByBlock } from '../groups.ts';
import type { ChainHead } from '../progress.ts';
import { createStallDetector, type StallDetector, stallText } from '../stallDetector.ts';
import { markUnreachable, stopWaitingFor } from '../unreachable.ts';
import type { ChainReport } from './chainReport.ts';
import type { FollowerDeps } from './followerDeps.ts';

/** Handles a chain without new blocks. If it stalls, families stop waiting for it. */
export interface IdleHandler {
  /** Loads the stored error of the chain. Call it before anything else about the chain is written. */
  recall(): Promise<void>;
  /** Records that work was done up to this head. */
  note(head: Header): void;
  take(
    state: ChainState,
    chainHead: ChainHead,
    as: 'live' | 'syncing',
    error?: string,
  ): Promise<void>;
  /** Writes the stall again next time, because a failure was stored since. */
  forget(): void;
}

export function createIdleHandler(deps: FollowerDeps, report: ChainReport): IdleHandler {
  const { store, leadership, chain } = deps;
  let detector: StallDetector | undefined;
  /** The head at which the chain was marked as stalled, with the sources affected. */
  let stalledAt = '';

  return { recall, note, take, forget };

  function note(head: Header): void {
    detector!.note(head, deps.now());
  }

  async function recall(): Promise<void> {
    if (detector !== undefined) return;
    const row = (await chains.getAll(store)).find((one) => one.chainId === chain.chainId);
    const lastError = row?.error ?? null;
    detector = createStallDetector({ pollSeconds: chain.pollSeconds, lastError });
  }

  async function take(
    state: ChainState,
    chainHead: ChainHead,
    as: 'live' | 'syncing',
    error?: string,
  ): Promise<void> {
    const { client, head } = chainHead;
    if (!(await detector!.check(client, head, deps.now()))) {
      return report.write(state, chainHead, as, error);
    }
    const groups = groupByBlock([...state.rows.values()]);
    const { keys } = groups.at(-1)!;
    const mark = `${head.hash} ${keys.join(' ')}`;
    if (mark === stalledAt) return;
    // A family that is still catching up continues, and the chain is syncing until then.
    if (groups.length > 1) await stopWaitingFor(deps, leadership, keys);
    else await markUnreachable(deps, leadership, error ?? stallText(head));
    stalledAt = mark;
    report.outdate();
  }

  function forget(): void {
    stalledAt = '';
  }
}
