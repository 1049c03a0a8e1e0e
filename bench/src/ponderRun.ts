import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ORACLE, VAULT } from './contracts.ts';
import { bench } from './folders.ts';
import { runMetered } from './meteredProcess.ts';
import { freePort } from './postgres.ts';
import type { Replay } from './replay.ts';
import type { Run } from './run.ts';

const project = join(bench, 'ponder');
const installed = join(bench, '.ponder');

const FETCHING = 'Started fetching backfill JSON-RPC data';
const INDEXING = 'Started backfill indexing';
const COMPLETED = 'Completed backfill indexing across all chains';

/** Puts Ponder into bench/.ponder when it is not there yet; takes a minute the first time. */
export function installPonder(say: (line: string) => void): void {
  mkdirSync(installed, { recursive: true });
  cpSync(project, installed, { recursive: true });
  const wanted = versionIn(join(project, 'package.json'), 'dependencies');
  const present = versionIn(join(installed, 'node_modules/ponder/package.json'), 'version');
  if (present === wanted) return;
  say(`installing Ponder ${wanted} in bench/.ponder (once)`);
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: installed,
    stdio: 'inherit',
  });
}

export interface PonderOptions {
  readonly replay: Replay;
  readonly databaseUrl: string;
  /** How often the one URL is given: each gets an allowance of its own from Ponder's limiter. */
  readonly urls: number;
}

/** One backfill by Ponder into the schema `bench`, from its start until it says that it is complete. */
export async function runPonder(options: PonderOptions): Promise<Run> {
  const { replay } = options;
  await replay.reset({ latencyMs: 0 });
  const port = await freePort();
  let failed: (error: Error) => void = () => {};
  let completed: (at: number) => void = () => {};
  const done = new Promise<number>((resolve, reject) => {
    completed = resolve;
    failed = reject;
  });
  let workStartedAt: number | undefined;

  const ponder = runMetered({
    name: 'Ponder',
    cwd: installed,
    args: [
      join(installed, 'node_modules/ponder/dist/esm/bin/ponder.js'),
      'start',
      '--schema=bench',
      '--log-format=json',
      `--port=${port}`,
      '--hostname=127.0.0.1',
    ],
    env: {
      DATABASE_URL: options.databaseUrl,
      PONDER_TELEMETRY_DISABLED: '1',
      BENCH_RPC_URL: replay.url,
      BENCH_RPC_URLS: String(options.urls),
      BENCH_END_BLOCK: String(replay.lastEventBlock),
      BENCH_VAULT: VAULT,
      BENCH_ORACLE: ORACLE,
    },
    onFailure: failed,
    onLine(line) {
      const entry = parseLine(line);
      if (entry === undefined) return;
      if (entry.msg === FETCHING || entry.msg === INDEXING) workStartedAt ??= entry.time;
      if (entry.msg === COMPLETED) completed(entry.time);
    },
  });
  try {
    const doneAt = await done;
    const usage = ponder.usage();
    const stats = await replay.stats();
    return {
      workMs: doneAt - (workStartedAt ?? ponder.startedAt),
      fromFirstRequestMs: doneAt - (stats.firstRequestAt ?? ponder.startedAt),
      totalMs: doneAt - ponder.startedAt,
      requests: stats.httpRequests,
      ...usage,
    };
  } finally {
    await ponder.stop();
  }
}

function parseLine(line: string): { msg: string; time: number } | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as { msg: string; time: number };
  } catch {
    return undefined;
  }
}

function versionIn(file: string, field: 'version' | 'dependencies'): string | undefined {
  if (!existsSync(file)) return undefined;
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as {
    version?: string;
    dependencies?: Record<string, string>;
  };
  return field === 'version' ? manifest.version : manifest.dependencies?.ponder;
}
