import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ReplayReady, ReplayStats } from './replayRpc.ts';

export interface Replay extends ReplayReady {
  readonly events: number;
  stats(): Promise<ReplayStats>;
  /** Resets the counts and sets the latency per request. */
  reset(options: { latencyMs: number }): Promise<void>;
  /** Adds an empty block at this interval from now on. */
  grow(everyMs: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the replayed chain in a separate process. */
export async function startReplay(options: {
  events: number;
  /** Every n-th block has events. */
  every?: number;
  /** Whether it has state of any age. */
  archive?: boolean;
}): Promise<Replay> {
  const script = fileURLToPath(new URL('./replayRpc.js', import.meta.url));
  const { events, every = 1 } = options;
  const archive = options.archive ? ['--archive'] : [];
  const args = [script, '--events', String(events), '--every', String(every), ...archive];
  const child = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const ready = await new Promise<ReplayReady>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', (line) => resolve(JSON.parse(line)));
    exited.then(() => reject(new Error('The replayed RPC ended while starting.')));
  });
  return {
    ...ready,
    events,
    async stats() {
      return (await (await fetch(`${ready.url}/stats`)).json()) as ReplayStats;
    },
    async reset({ latencyMs }) {
      await fetch(`${ready.url}/control?latency=${latencyMs}`, { method: 'POST' });
    },
    async grow(everyMs) {
      await fetch(`${ready.url}/grow?every=${everyMs}`, { method: 'POST' });
    },
    async stop() {
      child.stdin.end();
      await exited;
    },
  };
}
