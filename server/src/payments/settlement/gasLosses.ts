import { gasLosses } from '../../store/payments/gasLosses.ts';
import type { Store } from '../../store/store.ts';
import type { GasLoss } from '../facilitator/gasGuard.ts';
import { repeat } from './repeat.ts';

/** Records lost gas for all processes and across restarts, so that a payer is throttled by every process. */
export interface GasLosses {
  /** Adds a loss of this process. */
  add(loss: GasLoss): void;
  /** Passes on the losses of other processes: at once, and then as they happen. */
  start(learn: (losses: readonly GasLoss[]) => void): Promise<void>;
  /** Resolves when all added losses are written. */
  stop(): Promise<void>;
}

const DAY = 86_400;
const EVERY_MS = 5_000;
/** Writes of others become visible with a delay, and clocks differ. */
const OVERLAP_SECONDS = 60;

export function createGasLosses(deps: {
  readonly store: Store;
  readonly chainId: number;
  /** Unix seconds. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
  readonly everyMs?: number;
}): GasLosses {
  const { store, chainId, now, onError, everyMs = EVERY_MS } = deps;
  /** The time of each known loss, so that it is passed on once. */
  const known = new Map<string, number>();
  const writes = new Set<Promise<unknown>>();
  let end: (() => Promise<void>) | undefined;
  return { add, start, stop };

  function add(loss: GasLoss): void {
    known.set(loss.transaction, loss.at);
    const write = gasLosses
      .add(store, chainId, loss)
      .then(() => gasLosses.drop(store, chainId, now() - DAY))
      .catch(onError)
      .finally(() => writes.delete(write));
    writes.add(write);
  }

  async function start(learn: (losses: readonly GasLoss[]) => void): Promise<void> {
    let from = now() - DAY;
    await poll();
    // No other process writes to the embedded database.
    if (store.engine === 'pglite') return;
    end = repeat(poll, { everyMs, onError });

    async function poll(): Promise<void> {
      const at = now();
      const found = await gasLosses.getSince(store, chainId, from);
      const others = found.filter(({ transaction }) => !known.has(transaction));
      for (const { transaction, at: seen } of others) known.set(transaction, seen);
      for (const [transaction, seen] of known) if (seen < at - DAY) known.delete(transaction);
      learn(others);
      from = at - OVERLAP_SECONDS;
    }
  }

  async function stop(): Promise<void> {
    await end?.();
    await Promise.all(writes);
  }
}
