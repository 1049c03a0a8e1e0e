import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ReplayReady, ReplayStats } from './replayRpc.ts';

export interface Replay extends ReplayReady {
  readonly events: number;
  stats(): Promise<ReplayStats>;
  /** Begins a new count, with this latency per request. */
  reset(options: { latencyMs: number }): Promise<void>;
  stop(): Promise<void>;
}

/** The replayed chain in a process of its own. */
export async function startReplay(options: { events: number }): Promise<Replay> {
  const script = fileURLToPath(new URL('./replayRpc.js', import.meta.url));
  const child = spawn(process.execPath, [script, '--events', String(options.events)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const ready = await new Promise<ReplayReady>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', (line) => resolve(JSON.parse(line)));
    exited.then(() => reject(new Error('The replayed RPC ended while starting.')));
  });
  return {
    ...ready,
    events: options.events,
    async stats() {
      return (await (await fetch(`${ready.url}/stats`)).json()) as ReplayStats;
    },
    async reset({ latencyMs }) {
      await fetch(`${ready.url}/control?latency=${latencyMs}`, { method: 'POST' });
    },
    async stop() {
      child.stdin.end();
      await exited;
    },
  };
}
