import { type CheckLine, fail, pass } from '../check/line.ts';
import type { Config } from '../config/config.ts';
import { inspectStore } from '../store/inspect.ts';
import { StoreUnavailable } from '../store/storeUnavailable.ts';
import type { RunningServer } from './runningServer.ts';

const FIX =
  'see "assay payments list" and the log, fix the cause, then run "assay payments resume"';

/** Checks whether the paid routes are closed because of lost payments, by a server here or by the shared database. */
export async function examineSelling(
  { payments, store }: Pick<Config, 'payments' | 'store'>,
  running: Pick<RunningServer, 'sellingStopped'> | undefined,
  now: number,
): Promise<CheckLine[]> {
  if (payments === undefined) return [];
  const { payments: most, seconds } = payments.lossLimit;
  const hours = seconds / 3_600;
  if (running?.sellingStopped !== undefined) {
    return [running.sellingStopped ? stopped(`more than ${most}`) : open()];
  }
  // Without a server, an embedded database sells nothing.
  if (store.databaseUrl === undefined) return [];
  try {
    const found = await inspectStore(store);
    const lost = (found?.lost ?? []).filter(
      ({ chainId, lostAt }) => chainId === payments.chainId && lostAt > now - seconds,
    ).length;
    return [lost > most ? stopped(String(lost)) : open()];
  } catch (error) {
    // Another line reports it.
    if (error instanceof StoreUnavailable) return [];
    throw error;
  }

  function stopped(lost: string): CheckLine {
    const reason = `selling has stopped: ${lost} payments were lost (served, but not paid) within ${hours} h`;
    return fail('payments', reason, FIX);
  }

  function open(): CheckLine {
    return pass(`payments: at most ${most} were lost (served, but not paid) within ${hours} h`);
  }
}
