import { DAY } from '../../domain/time.ts';
import { type ChainProgress, chainProgress } from '../../store/chains/progress.ts';
import { events, PRUNED } from '../../store/events/events.ts';
import { eventNotes } from '../../store/events/notes.ts';
import type { ChainState } from '../chainState.ts';
import { type ChainHead, progressWithout } from '../progress.ts';
import type { FollowerDeps } from './followerDeps.ts';

/** Writes the status of a chain without new blocks. */
export interface ChainReport {
  /** Writes the status if it has changed, or was last written a minute ago. */
  write(
    state: ChainState,
    chainHead: ChainHead,
    as: 'live' | 'syncing',
    error?: string,
  ): Promise<void>;
  /** Writes the next report even if it is unchanged, because another status was stored since. */
  outdate(): void;
}

/** An unchanged status is still written this often, to show that an indexer runs. */
const REPORT_SECONDS = 60;
/** The states of its families are compared this often: a chain can have thousands. */
const STATES_SECONDS = 10;
const PRUNE_SECONDS = 600;

export function createChainReport(deps: FollowerDeps): ChainReport {
  const { leadership, chain } = deps;
  const none = { text: '', at: 0 };
  let written = none;
  let noted = { state: '', at: 0 };
  let prunedAt = 0;

  return {
    async write(state, chainHead, as, error) {
      const progress = progressWithout(state, chainHead, as, deps.now());
      const shown = { ...progress, error: error ?? progress.error };
      const text = JSON.stringify({ ...shown, now: 0 });
      if (text === written.text && progress.now - written.at < REPORT_SECONDS) return;
      await leadership.transaction(async (tx) => {
        await chainProgress.update(tx, chain.chainId, shown);
        await events.finalize(tx, chain.chainId, shown.finalized);
        if (isNotedLately(shown)) return;
        await eventNotes.states(tx, chain.chainId, shown.now);
      });
      if (!isNotedLately(shown)) noted = { state: shown.state, at: shown.now };
      await pruneEvents(shown.now);
      state.backfilled ||= progress.backfilled;
      written = { text, at: progress.now };
    },
    outdate() {
      written = none;
    },
  };

  function isNotedLately({ state, now }: ChainProgress): boolean {
    return state === noted.state && now - noted.at < STATES_SECONDS;
  }

  /** Deletes old events in batches, because commits wait meanwhile. */
  async function pruneEvents(now: number): Promise<void> {
    const keepDays = deps.events?.keepDays;
    if (keepDays === undefined || now - prunedAt < PRUNE_SECONDS) return;
    const before = now - keepDays * DAY;
    const count = await leadership.transaction((tx) => events.prune(tx, before, deps.chainIds));
    if (count < PRUNED) prunedAt = now;
  }
}
