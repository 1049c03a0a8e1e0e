import { chainProgress } from '../../store/chains/progress.ts';
import type { ChainState } from '../chainState.ts';
import { type Look, progressWithout } from '../progress.ts';
import type { FollowerDeps } from './followerDeps.ts';

/** What the store says of a chain that brings nothing new. */
export interface ChainReport {
  /** Writes what changed in the chain's status; nothing where that was written a moment ago. */
  write(state: ChainState, look: Look, as: 'live' | 'syncing', error?: string): Promise<void>;
  /** Something else was written of the chain since: the next report is written in any case. */
  outdate(): void;
}

/** A chain without news is written of this often all the same: who reads it sees that somebody looks. */
const REPORT_SECONDS = 60;

export function createChainReport(deps: FollowerDeps): ChainReport {
  const { leadership, chain } = deps;
  const none = { text: '', at: 0 };
  let written = none;

  return {
    async write(state, look, as, error) {
      const progress = progressWithout(state, look, as, deps.now());
      const shown = { ...progress, error: error ?? progress.error };
      const text = JSON.stringify({ ...shown, now: 0 });
      if (text === written.text && progress.now - written.at < REPORT_SECONDS) return;
      await leadership.transaction((tx) => chainProgress.update(tx, chain.chainId, shown));
      state.backfilled ||= progress.backfilled;
      written = { text, at: progress.now };
    },
    outdate() {
      written = none;
    },
  };
}
