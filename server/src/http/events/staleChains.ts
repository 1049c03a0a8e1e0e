import { eventNotes } from '../../store/events/notes.ts';
import type { Store } from '../../store/store.ts';
import type { ChainStatus } from '../status.ts';

/** An indexer that is gone cannot announce that its chains are stale, so every server looks for it. */
const LOOK_MS = 15_000;

/** Announces chains that became stale. Returns a function that stops it. */
export function watchStaleChains(options: {
  readonly store: Pick<Store, 'transaction'>;
  readonly getChainStatuses: () => Promise<readonly ChainStatus[]>;
  /** Unix seconds. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}): () => Promise<void> {
  const { store, getChainStatuses, now, onError } = options;
  let looking: Promise<void> | undefined;
  const timer = setInterval(() => {
    looking ??= look()
      .catch(onError)
      .finally(() => {
        looking = undefined;
      });
  }, LOOK_MS).unref();
  return async () => {
    clearInterval(timer);
    await looking;
  };

  async function look(): Promise<void> {
    for (const { chainId, stale, updatedAt } of await getChainStatuses()) {
      if (!stale || updatedAt === null) continue;
      await store.transaction((tx) => eventNotes.states(tx, chainId, now(), updatedAt + 1));
    }
  }
}
