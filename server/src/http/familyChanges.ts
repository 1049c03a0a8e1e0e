import type { Store } from '../store/store.ts';

/** The channel on which the indexer names a family whenever it has committed something of it. */
export const FAMILY_CHANNEL = 'assay_family';

export interface FamilyChanges {
  /** Calls `listener` with the slug of each family that changed. */
  onChange(listener: (slug: string) => void): void;
  stop(): Promise<void>;
}

/**
 * Hears of changes from whichever process indexes. A notification can be lost with its connection and can come
 * before a replica has the change, so nothing may be kept on its word alone: answers are made anew after a time
 * limit of their own (see keptAnswers.ts).
 */
export async function listenForFamilies(store: Pick<Store, 'listen'>): Promise<FamilyChanges> {
  const listeners = new Set<(slug: string) => void>();
  const stop = await store.listen(FAMILY_CHANNEL, (slug) => {
    for (const listener of listeners) listener(slug);
  });
  return {
    onChange: (listener) => void listeners.add(listener),
    async stop() {
      listeners.clear();
      await stop();
    },
  };
}
