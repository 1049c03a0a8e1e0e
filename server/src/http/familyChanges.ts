import type { Store } from '../store/store.ts';

/** The channel on which the indexer names a family whenever it has committed something of it. */
export const FAMILY_CHANNEL = 'assay_family';

export interface FamilyChanges {
  /** Calls `listener` with the slug of each family that changed. */
  onChange(listener: (slug: string) => void): void;
  stop(): Promise<void>;
}

/**
 * Hears of changes from whichever process indexes. A notification can come before a replica has the change: where reads
 * may be `lagMs` old it is told a second time after that. It can be lost with its connection, so nothing may be kept on
 * its word alone: answers are made anew after a time limit of their own (see keptAnswers.ts).
 */
export async function listenForFamilies(
  store: Pick<Store, 'listen'>,
  lagMs = 0,
): Promise<FamilyChanges> {
  const listeners = new Set<(slug: string) => void>();
  const again = new Map<string, NodeJS.Timeout>();
  const stop = await store.listen(FAMILY_CHANNEL, (slug) => {
    tell(slug);
    if (lagMs === 0) return;
    clearTimeout(again.get(slug));
    again.set(slug, setTimeout(tellAgain, lagMs, slug).unref());
  });
  return {
    onChange: (listener) => void listeners.add(listener),
    async stop() {
      for (const timer of again.values()) clearTimeout(timer);
      listeners.clear();
      await stop();
    },
  };

  function tellAgain(slug: string): void {
    again.delete(slug);
    tell(slug);
  }

  function tell(slug: string): void {
    for (const listener of listeners) listener(slug);
  }
}
