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
  /** Whether to poll its progress, which itself uses CPU. Otherwise the time that it reports counts. */
  readonly watched: boolean;
  /** Folder for V8 CPU profiles of the indexer; absent: none. */
  readonly profileFolder?: string | undefined;
  /** Arguments of Node in place of the program. Default: the shipped one. */
  readonly program?: readonly string[];
  /** Runs after the backfill, before the process ends. */
  readonly follow?: () => Promise<void>;
}

export interface AssayRun extends Run {
  /** Progress and cost of the index from the first request on. Only the end if it is not watched. */
  readonly progress: readonly Progress[];
}

export interface Progress {
  readonly ms: number;
  /** CPU of the indexer and PostgreSQL together. */
  readonly cpuMs: number;
  readonly block: number;
}

const POLL_MS = 20;
const DONE = '"the chain is up to date"';

/** Runs one backfill by `assay index` into an empty database, until its chain row is marked as backfilled. */
export async function runAssay(options: AssayOptions): Promise<AssayRun> {
  const { replay } = options;
  await replay.reset({ latencyMs: options.latencyMs });
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  const config = join(folder, 'assay.yaml');
  writeFileSync(config, assayConfig());
  const profile = options.profileFolder
    ? ['--cpu-prof', '--cpu-prof-dir', options.profileFolder]
    : [];
  const { program = [join(repository, 'server/bin/assay.mjs')] } = options;
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
    args: [...profile, ...program, 'index', '--config', config],
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
    await Promise.race([options.follow?.(), failure]);
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

/** Polls the chain's row until it is backfilled; the last entry is the time when this was seen. */
async function watchChain(options: AssayOptions, assay: Metered): Promise<Progress[]> {
  const client = new pg.Client({ connectionString: options.databaseUrl });
  await client.connect();
  const progress: Progress[] = [];
  try {
    for (;;) {
      const row = await chainRow(client);
      const block = Number(row?.indexed_block ?? 0);
      // Before the first block, record every read: one of them is the closest to the first request.
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
    // The watched process creates the tables.
    if ((error as { code?: string }).code === '42P01') return undefined;
    throw error;
  }
}

/** The vault of the replayed chain, whose URL is in BENCH_RPC_URL. */
export function assayConfig(): string {
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
