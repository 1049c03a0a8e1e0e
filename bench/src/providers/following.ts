import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { assayConfig, runAssay } from '../assayRun.ts';
import { repository } from '../folders.ts';
import type { Postgres } from '../postgres.ts';
import { type Replay, startReplay } from '../replay.ts';
import type { Figure } from '../table.ts';

const BLOCK_MS = 2_000;
/** Time after the backfill until following is steady. */
const SETTLE_MS = 20_000;
const DAY_MS = 86_400_000;

/** Compares the calls per day for an idle chain with a block every two seconds with the estimate of doctor. */
export async function measureFollowing(server: Postgres, forSeconds: number): Promise<Figure[]> {
  const replay = await startReplay({ events: 800, archive: true });
  let perDay = 0;
  let expected: number | undefined;
  try {
    await runAssay({
      replay,
      postgres: server,
      databaseUrl: await server.createDatabase('following'),
      latencyMs: 0,
      watched: true,
      async follow() {
        await replay.grow(BLOCK_MS);
        await pause(SETTLE_MS);
        const before = await callsOf(replay);
        const from = performance.now();
        await pause(forSeconds * 1000);
        const calls = (await callsOf(replay)) - before;
        perDay = (calls / (performance.now() - from)) * DAY_MS;
      },
    });
    expected = doctorExpects(replay.url);
  } finally {
    await replay.stop();
  }
  return [
    {
      figure: 'calls per day while following an idle chain, a block every 2 s',
      asked: '',
      measured: perDay.toFixed(0),
      pass: null,
    },
    {
      figure: 'estimate of doctor against the measured calls',
      asked: 'within 20 %',
      measured: expected === undefined ? 'nothing' : `${((expected / perDay) * 100).toFixed(0)} %`,
      pass: expected !== undefined && Math.abs(expected / perDay - 1) <= 0.2,
    },
  ];
}

async function callsOf(replay: Replay): Promise<number> {
  const { calls } = await replay.stats();
  return Object.values(calls).reduce((sum, count) => sum + count, 0);
}

function doctorExpects(url: string): number | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  try {
    writeFileSync(join(folder, 'assay.yaml'), assayConfig());
    const { stdout } = spawnSync(
      process.execPath,
      [join(repository, 'server/bin/assay.mjs'), 'doctor', '--config', 'assay.yaml'],
      { cwd: folder, env: { PATH: process.env.PATH, BENCH_RPC_URL: url }, encoding: 'utf8' },
    );
    const count = /about (\d+) a day while following/.exec(stdout)?.[1];
    return count === undefined ? undefined : Number(count);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
