import type { Header } from '../../chain/chainClient.ts';
import { chains } from '../../store/chains/chains.ts';
import type { ChainState } from '../chainState.ts';
import { groupByBlock } from '../groups.ts';
import type { Look } from '../progress.ts';
import { createStandstill, type Standstill, standstillText } from '../standstill.ts';
import { holdNobodyBack, markUnreachable } from '../unreachable.ts';
import type { ChainReport } from './chainReport.ts';
import type { FollowerDeps } from './followerDeps.ts';

/** Nothing to do. When that lasts the chain stands still, and no family may wait for it. */
export interface Rest {
  /** Learns once, before anything else is written of the chain, whether it was given up earlier. */
  recall(): Promise<void>;
  /** There was something to do, up to this head: from now on it may last. */
  note(head: Header): void;
  take(state: ChainState, look: Look, as: 'live' | 'syncing', error?: string): Promise<void>;
  /** Something failed since: what the store says of the chain is to be written again. */
  forget(): void;
}

export function createRest(deps: FollowerDeps, report: ChainReport): Rest {
  const { store, leadership, chain } = deps;
  let standstill: Standstill | undefined;
  /** The head at which the chain was given up for standing still, and what of it. */
  let stood = '';

  return { recall, note, take, forget };

  function note(head: Header): void {
    standstill!.note(head, deps.now());
  }

  async function recall(): Promise<void> {
    if (standstill !== undefined) return;
    const row = (await chains.getAll(store)).find((one) => one.chainId === chain.chainId);
    const lastError = row?.error ?? null;
    standstill = createStandstill({ pollSeconds: chain.pollSeconds, lastError });
  }

  async function take(
    state: ChainState,
    look: Look,
    as: 'live' | 'syncing',
    error?: string,
  ): Promise<void> {
    const { client, head } = look;
    if (!(await standstill!.check(client, head, deps.now()))) {
      return report.write(state, look, as, error);
    }
    const groups = groupByBlock([...state.rows.values()]);
    const { keys } = groups.at(-1)!;
    const mark = `${head.hash} ${keys.join(' ')}`;
    if (mark === stood) return;
    // A family that is still catching up is left to do so, and the chain is syncing until then.
    if (groups.length > 1) await holdNobodyBack(deps, leadership, keys);
    else await markUnreachable(deps, leadership, error ?? standstillText(head));
    stood = mark;
    report.outdate();
  }

  function forget(): void {
    stood = '';
  }
}
