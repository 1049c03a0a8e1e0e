import { statfs } from 'node:fs/promises';
import { pause } from '../runtime/pause.ts';

/** Room on the disk of the embedded database. Below a minimum nothing is written, because a full disk stops the database. */
export interface FreeSpace {
  readonly minBytes: number;
  /** Null where it cannot be read. */
  bytes(): number | null;
  isLow(): boolean;
  /** Aborts when there is too little. */
  readonly low: () => AbortSignal;
  /** Resolves when there is enough again, or at `signal`. */
  untilEnough(signal: AbortSignal): Promise<void>;
  stop(): void;
}

/** A backfill writes less than a minimum of the default in this time. */
const EVERY_MS = 1_000;
/** Writing resumes only above the minimum by this factor, so that it does not stop and go at the limit. */
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
    // What cannot be read stops nothing: it is not known to be too little.
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
