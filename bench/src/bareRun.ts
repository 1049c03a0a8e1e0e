import { fileURLToPath } from 'node:url';
import { ORACLE, VAULT } from './contracts.ts';
import { runPeer } from './peerRun.ts';
import { withClient } from './postgres.ts';
import type { Replay } from './replay.ts';
import { RowsDiffer } from './rows.ts';
import type { Run } from './run.ts';

/** The same logs into one table by a bare loop, from its first request until the last row is committed. */
export async function runBareLoop(replay: Replay, databaseUrl: string): Promise<Run> {
  const run = await runPeer({
    replay,
    name: 'the bare loop',
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
  if (count !== events) throw new RowsDiffer('logs of the bare loop', count, events);
}
