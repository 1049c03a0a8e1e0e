import type { Header } from '../../chain/chainClient.ts';
import { chains } from '../../store/chains/chains.ts';
import type { ChainState } from '../chainState.ts';
import { groupByBlock } from '../groups.ts';
import type { ChainHead } from '../progress.ts';
import { createStallDetector, type StallDetector, stallText } from '../stallDetector.ts';
import { markUnreachable, stopWaitingFor } from '../unreachable.ts';
import type { ChainReport } from './chainReport.ts';
import type { FollowerDeps } from './followerDeps.ts';

/** Nothing to do. When that lasts the chain stands still, and no family may wait for it. */
export interface IdleHandler {
  /** Learns once, before anything else is written of the chain, whether it was given up earlier. */
  recall(): Promise<void>;
  /** There was something to do, up to this head: from now on it may last. */
  note(head: Header): void;
  take(
    state: ChainState,
    chainHead: ChainHead,
    as: 'live' | 'syncing',
    error?: string,
  ): Promise<void>;
  /** Something failed since: what the store says of the chain is to be written again. */
  forget(): void;
}

export function createIdleHandler(deps: FollowerDeps, report: ChainReport): IdleHandler {
  const { store, leadership, chain } = deps;
  let detector: StallDetector | undefined;
  /** The head at which the chain was given up for standing still, and what of it. */
  let stood = '';

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
    if (mark === stood) return;
    // A family that is still catching up is left to do so, and the chain is syncing until then.
    if (groups.length > 1) await stopWaitingFor(deps, leadership, keys);
    else await markUnreachable(deps, leadership, error ?? stallText(head));
    stood = mark;
    report.outdate();
  }

  function forget(): void {
    stood = '';
  }
}
