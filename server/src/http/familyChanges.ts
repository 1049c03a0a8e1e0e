import type { Store } from '../store/store.ts';

/** The channel on which the indexer publishes the family of each commit. */
export const FAMILY_CHANNEL = 'assay_family';

export interface FamilyChanges {
  /** Calls `listener` with the slug of each family that changed. */
  onChange(listener: (slug: string) => void): void;
  stop(): Promise<void>;
}

/**
 * Receives changes from the indexing process. A notification can arrive before a replica has the change: if reads may
 * be `lagMs` old, it is repeated after that time. It can be lost with its connection, so cached responses also have
 * their own time limit (see responseCache.ts).
 */
export async function listenForFamilies(
  store: Pick<Store, 'listen'>,
  lagMs = 0,
): Promise<FamilyChanges> {
  const listeners = new Set<(slug: string) => void>();
  const again = new Map<string, NodeJS.Timeout>();
  const stop = await store.listen(FAMILY_CHANNEL, (slug) => {
    notify(slug);
    if (lagMs === 0) return;
    clearTimeout(again.get(slug));
    again.set(slug, setTimeout(notifyAgain, lagMs, slug).unref());
  });
  return {
    onChange: (listener) => void listeners.add(listener),
    async stop() {
      for (const timer of again.values()) clearTimeout(timer);
      listeners.clear();
      await stop();
    },
  };

  function notifyAgain(slug: string): void {
    again.delete(slug);
    notify(slug);
  }

  function notify(slug: string): void {
    for (const listener of listeners) listener(slug);
  }
}
