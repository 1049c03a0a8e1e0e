import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { CHAIN_ID, MULTICALL, ORACLE, VAULT } from './contracts.ts';
import { repository } from './folders.ts';
import { type Metered, runMetered } from './meteredProcess.ts';
import { freePort, type Postgres } from './postgres.ts';
import type { Replay } from './replay.ts';
import type { Run } from './run.ts';

export interface AssayOptions {
  readonly replay: Replay;
  readonly postgres: Postgres;
  readonly databaseUrl: string;
  readonly latencyMs: number;
  /** Whether to look how far it is all the while, which takes processor time itself; else its own word counts. */
  readonly watched: boolean;
  /** Folder for V8 CPU profiles of the indexer; none when absent. */
  readonly profileFolder?: string | undefined;
}

export interface AssayRun extends Run {
  /** How far the index had come, and at what cost; from the first request on. Only the end where it is not watched. */
  readonly progress: readonly Progress[];
}

export interface Progress {
  readonly ms: number;
  /** CPU of the indexer and of PostgreSQL together. */
  readonly cpuMs: number;
  readonly block: number;
}

const POLL_MS = 20;
const DONE = '"the chain is up to date"';

/** One backfill by `assay index` into an empty database, until its chain row says that it is done. */
export async function runAssay(options: AssayOptions): Promise<AssayRun> {
  const { replay } = options;
  await replay.reset({ latencyMs: options.latencyMs });
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  const config = join(folder, 'assay.yaml');
  writeFileSync(config, configText());
  const profile = options.profileFolder
    ? ['--cpu-prof', '--cpu-prof-dir', options.profileFolder]
    : [];
  let failed: (error: Error) => void = () => {};
  const failure = new Promise<never>((_, reject) => {
    failed = reject;
  });

  let said: (at: number) => void = () => {};
  const word = new Promise<number>((resolve) => {
    said = resolve;
  });

  const assay = runMetered({
    name: 'assay index',
    cwd: folder,
    args: [...profile, join(repository, 'server/bin/assay.mjs'), 'index', '--config', config],
    env: {
      DATABASE_URL: options.databaseUrl,
      BENCH_RPC_URL: replay.url,
      PORT: String(await freePort()),
      ADMIN_PORT: String(await freePort()),
    },
    onFailure: failed,
    onLine(line) {
      if (line.includes(DONE)) said(Date.now());
    },
  });
  try {
    const wordAt = options.watched ? undefined : await Promise.race([word, failure]);
    const progress = await Promise.race([watchChain(options, assay), failure]);
    const doneAt = wordAt ?? progress.at(-1)!.ms;
    const usage = assay.usage();
    const stats = await replay.stats();
    const firstRequestAt = stats.firstRequestAt ?? assay.startedAt;
    return {
      workMs: doneAt - firstRequestAt,
      fromFirstRequestMs: doneAt - firstRequestAt,
      totalMs: doneAt - assay.startedAt,
      requests: stats.httpRequests,
      ...usage,
      progress: sinceRequest(progress, firstRequestAt),
    };
  } finally {
    await assay.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Looks at the chain's row until it is backfilled; the last entry is the moment it was seen so. */
async function watchChain(options: AssayOptions, assay: Metered): Promise<Progress[]> {
  const client = new pg.Client({ connectionString: options.databaseUrl });
  await client.connect();
  const progress: Progress[] = [];
  try {
    for (;;) {
      const row = await chainRow(client);
      const block = Number(row?.indexed_block ?? 0);
      // Before the first block every look counts: one of them is the one nearest to the first request.
      if (block === 0 || block !== progress.at(-1)?.block || row?.backfilled) {
        const cpuMs = (assay.usage().cpuMs ?? 0) + (options.postgres.cpuMs() ?? 0);
        progress.push({ ms: Date.now(), cpuMs, block });
      }
      if (row?.backfilled) return progress;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  } finally {
    await client.end();
  }
}

function sinceRequest(progress: readonly Progress[], firstRequestAt: number): Progress[] {
  const start = progress.findLast(({ ms }) => ms <= firstRequestAt) ?? progress[0]!;
  return progress
    .filter(({ ms }) => ms > firstRequestAt)
    .map(({ ms, cpuMs, block }) => ({
      ms: ms - firstRequestAt,
      cpuMs: cpuMs - start.cpuMs,
      block,
    }));
}

async function chainRow(
  client: pg.Client,
): Promise<{ backfilled: boolean; indexed_block: string | null } | undefined> {
  try {
    const { rows } = await client.query('select backfilled, indexed_block from chain');
    return rows[0];
  } catch (error) {
    // The tables are made by the process that is being watched.
    if ((error as { code?: string }).code === '42P01') return undefined;
    throw error;
  }
}

function configText(): string {
  return `chains:
  - { id: ${CHAIN_ID}, name: base, rpc: ["\${BENCH_RPC_URL}"], finality: finalized, multicall: "${MULTICALL}" }
families:
  - slug: bench
    name: Bench
    address: "${VAULT}"
    adapter: receiver-queue
    base: { marketDataId: usd-coin }
    share: { marketDataId: bench }
    chains:
      - { chain: ${CHAIN_ID}, role: settlement, startBlock: 0, oracle: "${ORACLE}" }
`;
}
