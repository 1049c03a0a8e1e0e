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

/** One backfill by Subsquid into the schema `bench`, from its first request until its last block is committed. */
export function runSubsquid(replay: Replay, databaseUrl: string): Promise<Run> {
  return runPeer({
    replay,
    name: 'Subsquid',
    cwd: installed,
    args: [join(installed, 'lib/main.mjs')],
    env: {
      DB_URL: databaseUrl,
      BENCH_RPC_URL: replay.url,
      BENCH_END_BLOCK: String(replay.lastEventBlock),
      BENCH_VAULT: VAULT,
      BENCH_ORACLE: ORACLE,
    },
    doneAt(line) {
      const at = /^\{"msg":"committed","time":(\d+)\}$/.exec(line)?.[1];
      return at === undefined ? undefined : Number(at);
    },
  });
}
