import { join } from 'node:path';
import { ORACLE, VAULT } from './contracts.ts';
import { installedFolder, installPeer, type Peer } from './installPeer.ts';
import { runPeer } from './peerRun.ts';
import { freePort } from './postgres.ts';
import type { Replay } from './replay.ts';
import type { Run } from './run.ts';

const PONDER: Peer = { name: 'Ponder', folder: 'ponder' };
const installed = installedFolder(PONDER);

const FETCHING = 'Started fetching backfill JSON-RPC data';
const INDEXING = 'Started backfill indexing';
const COMPLETED = 'Completed backfill indexing across all chains';

export function installPonder(say: (line: string) => void): void {
  installPeer(PONDER, say);
}

export interface PonderOptions {
  readonly replay: Replay;
  readonly databaseUrl: string;
  /** Number of times the URL is listed: Ponder's limiter gives each its own allowance. */
  readonly urls: number;
  readonly withinMs?: number;
}

/** Runs one backfill by Ponder into the schema `bench`, from its start until it reports completion. */
export async function runPonder(options: PonderOptions): Promise<Run> {
  const { replay } = options;
  const port = await freePort();
  return runPeer({
    replay,
    name: 'Ponder',
    withinMs: options.withinMs,
    // It needs a newer Node than Assay.
    node: join(installed, `node_modules/node-linux-${process.arch}/bin/node`),
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
    begunAt: (line) => timeOf(line, [FETCHING, INDEXING]),
    doneAt: (line) => timeOf(line, [COMPLETED]),
  });
}

/** Returns the time of a log line if it has one of these messages. */
function timeOf(line: string, messages: readonly string[]): number | undefined {
  const entry = parseLine(line);
  return entry !== undefined && messages.includes(entry.msg) ? entry.time : undefined;
}

function parseLine(line: string): { msg: string; time: number } | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as { msg: string; time: number };
  } catch {
    return undefined;
  }
}
