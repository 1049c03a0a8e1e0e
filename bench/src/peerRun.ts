import { type MeteredOptions, runMetered } from './meteredProcess.ts';
import type { Replay } from './replay.ts';
import type { Run } from './run.ts';

export interface PeerOptions extends Omit<MeteredOptions, 'onLine' | 'onFailure'> {
  readonly replay: Replay;
  /** When it was done, from a line of its output; undefined while it is not. */
  readonly doneAt: (line: string) => number | undefined;
  /** When it began to work, by its own word; its first request where it says nothing. */
  readonly begunAt?: (line: string) => number | undefined;
}

/** One backfill by another program, until it says that it is done. */
export async function runPeer(options: PeerOptions): Promise<Run> {
  const { replay, doneAt, begunAt, ...process } = options;
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
    await peer.stop();
  }
}
