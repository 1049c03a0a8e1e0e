import type { EventFeed } from '../../domain/events/event.ts';
import { EVENT_CHANNEL } from '../../store/events/events.ts';
import type { Store } from '../../store/store.ts';

/** Notices commits of any process that indexes. */
export interface EventCommits {
  readonly onCommit: EventFeed['onCommit'];
  stop(): Promise<void>;
}

/** Notifications can be lost with their connection. */
const RECHECK_MS = 5_000;

/** A notification can arrive before a replica has the commit, so it is repeated after `lagMs`. */
export async function listenForEvents(
  store: Pick<Store, 'listen'>,
  lagMs = 0,
): Promise<EventCommits> {
  const listeners = new Set<() => void>();
  let repeat: NodeJS.Timeout | undefined;
  const stop = await store.listen(EVENT_CHANNEL, () => {
    notify();
    if (lagMs === 0) return;
    clearTimeout(repeat);
    repeat = setTimeout(notify, lagMs).unref();
  });
  const recheck = setInterval(notify, RECHECK_MS).unref();
  return {
    onCommit(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async stop() {
      clearInterval(recheck);
      clearTimeout(repeat);
      listeners.clear();
      await stop();
    },
  };

  function notify(): void {
    for (const listener of listeners) listener();
  }
}
