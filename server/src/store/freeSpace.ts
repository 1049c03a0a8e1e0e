import { statfs } from 'node:fs/promises';
import { pause } from '../runtime/pause.ts';

/**
 * Free space on the disk of the embedded database. Below a minimum, writes stop, because a full disk stops the
 * database.
 */
export interface FreeSpace {
  readonly minBytes: number;
  /** Null if it cannot be read. */
  bytes(): number | null;
  isLow(): boolean;
  /** Aborts when there is too little. */
  readonly low: () => AbortSignal;
  /** Resolves when there is enough again, or at `signal`. */
  untilEnough(signal: AbortSignal): Promise<void>;
  stop(): void;
}

/** In this time, a backfill writes less than the default minimum. */
const EVERY_MS = 1_000;
/** Writing resumes only above the minimum times this factor, so that it does not stop and start at the limit. */
const RESUME_FACTOR = 1.25;

export async function readFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

export async function watchFreeSpace(deps: {
  readonly minBytes: number;
  readonly read: () => Promise<number>;
  readonly onChange: (change: { readonly low: boolean; readonly bytes: number }) => void;
  readonly everyMs?: number;
}): Promise<FreeSpace> {
  const { minBytes, everyMs = EVERY_MS } = deps;
  let bytes: number | null = null;
  let low = new AbortController();
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  await look();
  return {
    minBytes,
    bytes: () => bytes,
    isLow: () => low.signal.aborted,
    low: () => low.signal,
    async untilEnough(signal) {
      while (low.signal.aborted && !signal.aborted) await pause(everyMs, signal);
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };

  async function look(): Promise<void> {
    // An unreadable size does not stop writes, because it is not known to be too low.
    bytes = await deps.read().catch(() => null);
    if (bytes !== null && !low.signal.aborted && bytes < minBytes) {
      deps.onChange({ low: true, bytes });
      low.abort();
    } else if (bytes !== null && low.signal.aborted && bytes >= minBytes * RESUME_FACTOR) {
      low = new AbortController();
      deps.onChange({ low: false, bytes });
    }
    if (!stopped) timer = setTimeout(look, everyMs).unref();
  }
}
