import { fileURLToPath } from 'node:url';
import { ORACLE, VAULT } from './contracts.ts';
import { runPeer } from './peerRun.ts';
import { withClient } from './postgres.ts';
import type { Replay } from './replay.ts';
import { RowsDiffer } from './rows.ts';
import type { Run } from './run.ts';

/** Runs the baseline loop, which writes the same logs into one table, from its first request to the last commit. */
export async function runBareLoop(replay: Replay, databaseUrl: string): Promise<Run> {
  const run = await runPeer({
    replay,
    name: 'the baseline loop',
    cwd: '.',
    args: [fileURLToPath(new URL('./bareLoop.js', import.meta.url))],
    env: {
      DATABASE_URL: databaseUrl,
      BENCH_RPC_URL: replay.url,
      BENCH_LAST_BLOCK: String(replay.lastEventBlock),
      BENCH_ADDRESSES: [VAULT, ORACLE].join(','),
    },
    doneAt: (line) => (line === 'done' ? Date.now() : undefined),
  });
  await checkCount(replay, databaseUrl);
  return run;
}

async function checkCount({ events }: Replay, databaseUrl: string): Promise<void> {
  const count = await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ count: string }>('select count(*) from log');
    return Number(rows[0]!.count);
  });
  if (count !== events) throw new RowsDiffer('logs of the baseline loop', count, events);
}
