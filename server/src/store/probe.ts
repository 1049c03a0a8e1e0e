import type { ReplicaLag, Written } from './replicaLag.ts';
import { StoreUnavailable } from './storeUnavailable.ts';

/** Asks the primary again and again how far it has written, and the replica how far it has come. */
export interface Probe {
  /** A look that begins now or later: one in progress may have asked before what the caller saw. */
  look(): Promise<void>;
  stop(): void;
}

const ALONE_MS = 1_000;
/** With a replica more often: it is read while it is hardly behind. */
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
      // One that is slow answers; what else fails says nothing of the database.
      if (error instanceof StoreUnavailable && error.outage !== 'slow')
        deps.unanswered(error.outage);
    }
    // A replica that does not answer is not known to be fresh, so it is not read.
    await lag?.look().catch(() => undefined);
  }
}
