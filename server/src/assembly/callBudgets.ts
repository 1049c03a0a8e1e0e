import { type CallBudget, createCallBudget } from '../chain/callBudget.ts';
import type { RpcCalls } from '../chain/rpcCalls.ts';
import type { ChainConfig } from '../config/config.ts';
import { callUse } from '../store/limits/callUse.ts';
import type { Queryable } from '../store/store.ts';

/** The daily call limits of all chains that have one, shared by all processes of a store. */
export interface CallBudgets {
  of(chainId: number): CallBudget;
  /** Publishes the calls of this process, and reads what is left. */
  exchange(): Promise<void>;
  /** Publishes the rest. */
  close(): Promise<void>;
}

/**
 * Interval of the exchange: another process learns of calls this late, and a crash loses at most this many seconds of
 * them.
 */
const EVERY_MS = 5_000;

/** Starts with what is left of the store's last run. */
export async function openCallBudgets(
  store: Queryable,
  chains: readonly Pick<ChainConfig, 'chainId' | 'callsPerDay'>[],
  calls: Pick<RpcCalls, 'total'>,
  { everyMs = EVERY_MS, clock = () => performance.now() } = {},
): Promise<CallBudgets> {
  const budgets = new Map(
    chains.map(({ chainId, callsPerDay }) => {
      const total = () => calls.total(chainId);
      return [chainId, createCallBudget({ callsPerDay, total, clock })];
    }),
  );
  await exchange();
  let inFlight: Promise<void> | undefined;
  // While the store is unavailable, each process uses its own count, and publishes it later.
  const timer = setInterval(() => {
    inFlight ??= exchange()
      .catch(() => {})
      .finally(() => {
        inFlight = undefined;
      });
  }, everyMs);
  timer.unref();

  return {
    of: (chainId) => budgets.get(chainId)!,
    exchange,
    async close() {
      clearInterval(timer);
      await inFlight;
      await exchange();
    },
  };

  async function exchange(): Promise<void> {
    for (const [chainId, budget] of budgets) {
      await budget.exchange((use) => callUse.take(store, { chainId, ...use }));
    }
  }
}
