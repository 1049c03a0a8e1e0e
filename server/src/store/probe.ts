import type { ReplicaLag, Written } from './replicaLag.ts';
import { StoreUnavailable } from './storeUnavailable.ts';

/** Reads repeatedly how far the primary has written and how far the replica has replayed. */
export interface Probe {
  /** Starts a probe now or later: one in progress may have read before the caller's observation. */
  look(): Promise<void>;
  stop(): void;
}

const ALONE_MS = 1_000;
/** More often with a replica, which is read only while it is at most slightly behind. */
const WITH_REPLICA_MS = 250;

export async function startProbe(deps: {
  readonly readPrimary: () => Promise<Written>;
  readonly lag: ReplicaLag | undefined;
  readonly answered: (readOnly: boolean) => void;
  readonly unanswered: (outage: StoreUnavailable['outage']) => void;
}): Promise<Probe> {
  const { lag } = deps;
  const periodMs = lag === undefined ? ALONE_MS : WITH_REPLICA_MS;
  let looking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  await look();
  schedule();
  return {
    async look() {
      await looking;
      if (!stopped) await look();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };

  function schedule(): void {
    if (stopped) return;
    timer = setTimeout(() => void look().then(schedule), periodMs).unref();
  }

  function look(): Promise<void> {
    looking ??= lookAtBoth().finally(() => {
      looking = undefined;
    });
    return looking;
  }

  async function lookAtBoth(): Promise<void> {
    const at = performance.now();
    try {
      const primary = await deps.readPrimary();
      lag?.wrote(primary, at);
      deps.answered(primary.readOnly);
    } catch (error) {
      // A slow primary does respond; other failures prove nothing about the database.
      if (error instanceof StoreUnavailable && error.outage !== 'slow')
        deps.unanswered(error.outage);
    }
    // A replica that does not respond is not known to be fresh, so it is not read.
    await lag?.look().catch(() => undefined);
  }
}
