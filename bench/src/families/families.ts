import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { MULTICALL } from '../contracts.ts';
import { repository } from '../folders.ts';
import { type Metered, runMetered } from '../meteredProcess.ts';
import { freePort, startPostgres } from '../postgres.ts';
import { type Figure, renderTable, seconds } from '../table.ts';

/**
 * Measures thousands of families in one process, at its first start and at a restart: time until a new block was
 * processed for each, memory, and the cost of following.
 */
const { values: flags } = parseArgs({
  options: {
    families: { type: 'string', default: '10000' },
    chains: { type: 'string', default: '30' },
    seconds: { type: 'string', default: '60' },
    postgres: { type: 'boolean', default: false },
    'cpu-prof': { type: 'string' },
  },
});
const FAMILIES = Number(flags.families);
const CHAINS = Number(flags.chains);
const MAX_MB = 1_500;
const FIRST_CHAIN = 1_001;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

/** A family that is never followed would make the measurement wait for ever. */
class FamilyHalted extends Error {}

const turns: Turn[] = [];
const folder = mkdtempSync(join(tmpdir(), 'assay-families-'));
const postgres = flags.postgres ? await startPostgres() : undefined;
const perChain = Math.ceil(FAMILIES / CHAINS);
const node = startChains();
let failed: Error | undefined;
try {
  const url = await firstLine(node);
  writeConfig(url);
  const databaseUrl = await postgres?.createDatabase('families');
  for (const name of ['first start', 'restart']) {
    // The store has every block up to the head of the time when the last server stopped.
    const newBlock = (await readHead(url)) + 1;
    const server = await start(databaseUrl);
    turns.push(await measure(server, name, newBlock));
    await server.process.stop();
  }
} finally {
  node.kill();
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
}
const figures = figuresOf(turns);
process.stdout.write(`\n${renderTable(figures)}\n`);
if (figures.some(({ pass }) => pass === false)) process.exitCode = 1;

interface Server {
  readonly process: Metered;
  readonly url: string;
  readonly adminUrl: string;
}

async function start(databaseUrl: string | undefined): Promise<Server> {
  const port = await freePort();
  const adminPort = await freePort();
  const profile = flags['cpu-prof'] ? ['--cpu-prof', '--cpu-prof-dir', flags['cpu-prof']] : [];
  const process = runMetered({
    name: 'assay start',
    cwd: folder,
    args: [...profile, join(repository, 'server/bin/assay.mjs'), 'start', '--config', 'assay.d'],
    env: {
      PORT: String(port),
      ADMIN_PORT: String(adminPort),
      ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    },
    onFailure: (error) => {
      failed = error;
    },
  });
  const url = `http://127.0.0.1:${port}`;
  return { process, url, adminUrl: `http://127.0.0.1:${adminPort}` };
}

interface Turn {
  readonly name: string;
  /** From the start of the process until every family was followed. */
  readonly followedMs: number;
  readonly startCpuMs: number;
  /** Of the time after that. */
  readonly cpuMs: number;
  readonly ms: number;
  readonly heads: number;
  readonly peakMb: number | null;
}

async function measure(
  { process: own, url, adminUrl }: Server,
  name: string,
  newBlock: number,
): Promise<Turn> {
  await waitUntilFollowed(url, newBlock, (followed) =>
    say(`${name}: ${followed} families are followed; ${usageText(own)}`),
  );
  const followedMs = Date.now() - own.startedAt;
  const startCpuMs = own.usage().cpuMs ?? 0;
  const headsBefore = await countSteps(adminUrl);
  const began = Date.now();
  await pause(Number(flags.seconds) * 1000);
  if (failed !== undefined) throw failed;
  const { cpuMs, peakMb } = own.usage();
  const heads = (await countSteps(adminUrl)) - headsBefore;
  const following = { cpuMs: (cpuMs ?? 0) - startCpuMs, ms: Date.now() - began, heads };
  return { name, followedMs, startCpuMs, ...following, peakMb };
}

async function waitUntilFollowed(
  url: string,
  newBlock: number,
  report: (followed: number) => void,
): Promise<void> {
  let reportedAt = 0;
  for (;;) {
    if (failed !== undefined) throw failed;
    const followed = await countFollowed(url, newBlock).catch((error: unknown) => {
      if (error instanceof FamilyHalted) throw error;
      return 0;
    });
    if (Date.now() - reportedAt > 10_000) {
      reportedAt = Date.now();
      report(followed);
    }
    if (followed >= FAMILIES) return;
    await pause(1_000);
  }
}

/** Lists each figure of all starts together. */
function figuresOf(measured: readonly Turn[]): Figure[] {
  const each = (figure: string, show: (turn: Turn) => string): Figure[] =>
    measured.map((turn) => ({
      figure: `${figure}: ${turn.name}`,
      asked: '',
      measured: show(turn),
      pass: null,
    }));
  return [
    ...each(
      `until a new block of ${FAMILIES} families on ${CHAINS} chains is processed`,
      ({ followedMs, startCpuMs }) => `${seconds(followedMs)}, ${seconds(startCpuMs)} of CPU`,
    ),
    ...measured.map(({ name, peakMb }) => ({
      figure: `peak memory: ${name}`,
      asked: `≤ ${MAX_MB} MB`,
      measured: peakMb === null ? 'unknown' : `${peakMb.toFixed(0)} MB`,
      pass: peakMb === null ? null : peakMb <= MAX_MB,
    })),
    ...each(
      'share of a core while following',
      ({ cpuMs, ms }) => `${((cpuMs / ms) * 100).toFixed(1)} %`,
    ),
    ...each(
      `CPU per new head of a chain with ${perChain} families`,
      ({ cpuMs, heads }) => `${(cpuMs / heads).toFixed(1)} ms (${heads} heads)`,
    ),
  ];
}

/** All chains have the same head. */
async function readHead(url: string): Promise<number> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] });
  const response = await fetch(`${url}/${FIRST_CHAIN}`, { method: 'POST', body });
  const { result } = (await response.json()) as { result: string };
  return Number(result);
}

/** Returns how many ranges of blocks were committed, of all chains. */
async function countSteps(adminUrl: string): Promise<number> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text();
  const counts = [...text.matchAll(/^assay_ingest_steps_total\{.*\} (\d+)$/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

interface Status {
  readonly chains: readonly {
    readonly indexedBlock: string | null;
    readonly families: readonly { readonly state: string; readonly reason: string | null }[];
  }[];
}

/** Counts the families whose chain has reached the block, and that are not behind it, on all pages of the status. */
async function countFollowed(url: string, newBlock: number): Promise<number> {
  let followed = 0;
  let next: string | undefined = '/v1/status';
  while (next !== undefined) {
    const response: Response = await fetch(url + next);
    if (response.status === 429) {
      await pause(1_000);
      continue;
    }
    const { chains } = (await response.json()) as Status;
    const halted = chains.flatMap(({ families }) => families.find(isHalted) ?? [])[0];
    if (halted !== undefined) throw new FamilyHalted(`A family is halted: ${halted.reason}`);
    const reached = chains.filter(({ indexedBlock }) => Number(indexedBlock ?? 0) >= newBlock);
    for (const { families } of reached) {
      followed += families.filter(({ state }) => state === 'current').length;
    }
    // Most families catch up together, so an empty first page is enough.
    if (followed === 0) return 0;
    next = response.headers.get('link')?.match(/<([^>]+)>/)?.[1];
  }
  return followed;
}

function isHalted({ state }: { readonly state: string }): boolean {
  return state === 'halted';
}

/** Writes a file for the chains, and one per thousand families. */
function writeConfig(url: string): void {
  const config = join(folder, 'assay.d');
  mkdirSync(config);
  const ids = Array.from({ length: CHAINS }, (_, i) => FIRST_CHAIN + i);
  const chains = ids.map(
    (id) =>
      `  - { id: ${id}, name: chain-${id}, rpc: ["${url}/${id}"], multicall: "${MULTICALL}" }`,
  );
  writeFileSync(
    join(config, '00-chains.yaml'),
    `http: { rateLimit: { perSecond: 0 } }\nstore: { folder: ${join(folder, 'store')} }\nchains:\n${chains.join('\n')}\n`,
  );
  for (let first = 0; first < FAMILIES; first += 1_000) {
    const some = Array.from({ length: Math.min(1_000, FAMILIES - first) }, (_, i) =>
      familyText(first + i),
    );
    const name = `families-${String(first).padStart(6, '0')}.yaml`;
    writeFileSync(join(config, name), `families:\n${some.join('')}`);
  }
}

function familyText(number: number): string {
  const chainId = FIRST_CHAIN + Math.floor(number / perChain);
  const address = `0x${(chainId * 1_000_000 + (number % perChain) + 1).toString(16).padStart(40, 'e')}`;
  return `  - slug: family-${number}
    name: Family ${number}
    address: "${address}"
    adapter: erc4626
    base: { symbol: USDC, marketDataId: usd-coin }
    share: { symbol: F${number}, marketDataId: family-${number} }
    chains: [{ chain: ${chainId}, role: settlement, startBlock: 900 }]
`;
}

function startChains(): ChildProcess {
  const program = fileURLToPath(new URL('chainsProcess.js', import.meta.url));
  return spawn(process.execPath, [program, String(perChain)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

async function firstLine(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) return line;
  throw new Error('The chains did not start.');
}

function usageText(own: Metered): string {
  const { cpuMs, peakMb } = own.usage();
  return `${((cpuMs ?? 0) / 1000).toFixed(0)} s of CPU, ${peakMb?.toFixed(0)} MB at most`;
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
