import { join } from 'node:path';
import { ORACLE, VAULT } from './contracts.ts';
import { installedFolder, installPeer, type Peer } from './installPeer.ts';
import { runPeer } from './peerRun.ts';
import type { Replay } from './replay.ts';
import type { Run } from './run.ts';

const SUBSQUID: Peer = { name: 'Subsquid', folder: 'subsquid' };
const installed = installedFolder(SUBSQUID);

export function installSubsquid(say: (line: string) => void): void {
  installPeer(SUBSQUID, say);
}

/** Runs one backfill by Subsquid into the schema `bench`, from its first request to its last commit. */
export function runSubsquid(options: {
  readonly replay: Replay;
  readonly databaseUrl: string;
  readonly withinMs?: number;
  /** Default: no limit. */
  readonly callsPerSecond?: number;
}): Promise<Run> {
  const { replay, databaseUrl, withinMs, callsPerSecond } = options;
  return runPeer({
    replay,
    name: 'Subsquid',
    withinMs,
    cwd: installed,
    args: [join(installed, 'lib/main.mjs')],
    env: {
      DB_URL: databaseUrl,
      BENCH_RPC_URL: replay.url,
      BENCH_END_BLOCK: String(replay.lastEventBlock),
      BENCH_VAULT: VAULT,
      BENCH_ORACLE: ORACLE,
      ...(callsPerSecond !== undefined && { BENCH_RATE_LIMIT: String(callsPerSecond) }),
    },
    doneAt(line) {
      const at = /^\{"msg":"committed","time":(\d+)\}$/.exec(line)?.[1];
      return at === undefined ? undefined : Number(at);
    },
  });
}
