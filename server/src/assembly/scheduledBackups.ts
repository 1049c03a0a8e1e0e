import type { Log } from '../cli/log.ts';
import type { BackupConfig } from '../config/config.ts';
import { pause } from '../runtime/pause.ts';
import { ageOfNewest, makeBackup } from '../store/backupFolder.ts';
import type { Store } from '../store/store.ts';

export interface ScheduledBackups {
  /** Failed attempts since the start. */
  failures(): number;
  /** Gives up a copy in progress. */
  stop(): Promise<void>;
}

/** A full disk stops the embedded database, which may be on the same one. */
const RESERVE_BYTES = 500_000_000;
/** The clock may be changed, and a failure may end: no single timer waits for the next backup. */
const CHECK_MS = 60_000;

/**
 * Makes a backup when the newest complete one is older than the configured interval. The age is read from the folder,
 * so a restart neither repeats nor forgets one.
 */
export function scheduleBackups(options: {
  readonly config: BackupConfig;
  readonly copyTo: NonNullable<Store['copyTo']>;
  readonly log: Pick<Log, 'info' | 'error'>;
  /** Unix seconds. */
  readonly now: () => number;
  readonly checkMs?: number;
}): ScheduledBackups {
  const { config, copyTo, log, now, checkMs = CHECK_MS } = options;
  const { folder, keep, everySeconds } = config;
  const stopping = new AbortController();
  const { signal } = stopping;
  let failures = 0;
  let isFailing = false;
  const running = run();
  return { failures: () => failures, stop };

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        await makeDue();
        isFailing = false;
      } catch (err) {
        if (signal.aborted) return;
        failures++;
        // One line per outage.
        if (!isFailing) log.error({ err }, 'the scheduled backup failed; retrying every minute');
        isFailing = true;
      }
      await pause(checkMs, signal);
    }
  }

  async function makeDue(): Promise<void> {
    const age = await ageOfNewest(folder, now());
    if (age !== undefined && age < everySeconds) return;
    const { name, files, bytes, heldMs } = await makeBackup({
      ...{ folder, keep, now: now() },
      copyTo: (to) => copyTo(to, { signal, reserveBytes: RESERVE_BYTES }),
    });
    log.info({ name, files, bytes, heldMs: Math.ceil(heldMs) }, 'the scheduled backup is complete');
  }

  async function stop(): Promise<void> {
    stopping.abort();
    await running;
  }
}
