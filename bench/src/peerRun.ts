import { type MeteredOptions, runMetered } from './meteredProcess.ts';
import type { Replay } from './replay.ts';
import type { Run } from './run.ts';

export interface PeerOptions extends Omit<MeteredOptions, 'onLine' | 'onFailure'> {
  readonly replay: Replay;
  /** Returns the completion time from a line of its output; undefined until then. */
  readonly doneAt: (line: string) => number | undefined;
  /** Returns the time at which it reports its start. Default: its first request. */
  readonly begunAt?: (line: string) => number | undefined;
  /** Throws PeerTooSlow after this time. Default: no limit. */
  readonly withinMs?: number | undefined;
}

export class PeerTooSlow extends Error {
  override readonly name = 'PeerTooSlow';

  constructor(peer: string, ms: number) {
    super(`${peer} was not complete after ${ms / 1000} s.`);
  }
}

/** Runs one backfill by another program, until it reports that it is done. */
export async function runPeer(options: PeerOptions): Promise<Run> {
  const { replay, doneAt, begunAt, withinMs, ...process } = options;
  await replay.reset({ latencyMs: 0 });
  let failed: (error: Error) => void = () => {};
  let completed: (at: number) => void = () => {};
  const done = new Promise<number>((resolve, reject) => {
    completed = resolve;
    failed = reject;
  });
  let begun: number | undefined;
  const peer = runMetered({
    ...process,
    onFailure: failed,
    onLine(line) {
      begun ??= begunAt?.(line);
      const at = doneAt(line);
      if (at !== undefined) completed(at);
    },
  });
  const timer =
    withinMs && setTimeout(() => failed(new PeerTooSlow(process.name, withinMs)), withinMs);
  try {
    const at = await done;
    const usage = peer.usage();
    const stats = await replay.stats();
    const firstRequestAt = stats.firstRequestAt ?? peer.startedAt;
    return {
      workMs: at - (begun ?? firstRequestAt),
      fromFirstRequestMs: at - firstRequestAt,
      totalMs: at - peer.startedAt,
      requests: stats.httpRequests,
      ...usage,
    };
  } finally {
    clearTimeout(timer);
    await peer.stop();
  }
}
