import { pause } from '../runtime/pause.ts';
import { StatementFailed } from '../store/statementFailed.ts';
import type { Leadership } from '../store/store.ts';
import { tickSpace } from '../store/ticks/tickSpace.ts';

export interface TickSpaceDeps {
  readonly leadership: Leadership;
  /** Whether old ticks are thinned: without it, no space becomes free. */
  readonly thins: boolean;
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** A partition was replaced by a copy without free space. */
  readonly onGivenBack: () => void;
  readonly onError: (error: unknown) => void;
}

const LOOK_MS = 300_000;
const WAIT_MS = 5_000;
/** Pause after each piece, as a multiple of its duration, so that other transactions can run. */
const REST = 4;
const SHORTEST_REST_MS = 5;
const LOCK_NOT_AVAILABLE = '55P03';

/** Gives back the space of thinned ticks. Of the leaders of all chains, one at a time does a piece of it. */
export async function runTickSpace(deps: TickSpaceDeps): Promise<void> {
  const { signal } = deps;
  while (!signal.aborted) await pause(await advance(deps), signal);
}

/** Does one piece, and returns the time until the next in ms. */
async function advance(deps: TickSpaceDeps): Promise<number> {
  const { leadership, thins, now, signal, onGivenBack, onError } = deps;
  const began = performance.now();
  try {
    const done = await leadership.transaction((tx) =>
      tickSpace.advance(tx, { now: now(), mayStart: thins }),
    );
    // What voided a copy may be there again at once.
    if (done === null || done === 'dropped') return LOOK_MS;
    if (done === 'waiting') return WAIT_MS;
    if (done === 'swapped') onGivenBack();
    return Math.max(SHORTEST_REST_MS, REST * (performance.now() - began));
  } catch (error) {
    if (error instanceof StatementFailed && error.code === LOCK_NOT_AVAILABLE) return WAIT_MS;
    if (!signal.aborted) onError(error);
    return LOOK_MS;
  }
}
