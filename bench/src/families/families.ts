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

/** Measures thousands of families in one process: time until all are followed, memory, and the cost of following. */
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

const figures: Figure[] = [];
const folder = mkdtempSync(join(tmpdir(), 'assay-families-'));
const postgres = flags.postgres ? await startPostgres() : undefined;
const perChain = Math.ceil(FAMILIES / CHAINS);
const node = startChains();
let failed: Error | undefined;
try {
  const url = await firstLine(node);
  writeConfig(url);
  const databaseUrl = await postgres?.createDatabase('families');
  for (const turn of ['the first start', 'a restart']) {
    const server = await start(databaseUrl);
    await measure(server, turn);
    await server.process.stop();
  }
} finally {
  node.kill();
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
}
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

async function measure({ process: own, url, adminUrl }: Server, turn: string): Promise<void> {
  let said = 0;
  for (;;) {
    if (failed !== undefined) throw failed;
    const current = await countCurrent(url).catch((error: unknown) => {
      if (error instanceof FamilyHalted) throw error;
      return 0;
    });
    if (Date.now() - said > 10_000) {
      said = Date.now();
      say(`${turn}: ${current} families are followed; ${usageText(own)}`);
    }
    if (current >= FAMILIES) break;
    await pause(1_000);
  }
  const until = Date.now() - own.startedAt;
  figures.push({
    figure: `${turn}: until ${FAMILIES} families on ${CHAINS} chains are followed`,
    asked: '',
    measured: `${seconds(until)}, ${((own.usage().cpuMs ?? 0) / 1000).toFixed(0)} s of CPU`,
    pass: null,
  });
  const before = own.usage().cpuMs ?? 0;
  const stepsBefore = await countSteps(adminUrl);
  const began = Date.now();
  await pause(Number(flags.seconds) * 1000);
  if (failed !== undefined) throw failed;
  const { cpuMs, peakMb } = own.usage();
  const steps = (await countSteps(adminUrl)) - stepsBefore;
  figures.push({
    figure: `${turn}: share of a core while following`,
    asked: '',
    measured: `${(((cpuMs ?? 0) - before) / ((Date.now() - began) / 100)).toFixed(1)} %`,
    pass: null,
  });
  figures.push({
    figure: `${turn}: CPU per new head of a chain with ${perChain} families`,
    asked: '',
    measured: `${(((cpuMs ?? 0) - before) / steps).toFixed(1)} ms (${steps} heads)`,
    pass: null,
  });
  figures.push({
    figure: `${turn}: peak memory`,
    asked: `≤ ${MAX_MB} MB`,
    measured: `${peakMb?.toFixed(0)} MB`,
    pass: peakMb === null ? null : peakMb <= MAX_MB,
  });
}

/** Returns how many ranges of blocks were committed, of all chains. */
async function countSteps(adminUrl: string): Promise<number> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text();
  const counts = [...text.matchAll(/^assay_ingest_steps_total\{.*\} (\d+)$/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

interface Status {
  readonly chains: readonly {
    readonly families: readonly { readonly state: string; readonly reason: string | null }[];
  }[];
}

/** Walks through all pages of the status. */
async function countCurrent(url: string): Promise<number> {
  let current = 0;
  let next: string | undefined = '/v1/status';
  while (next !== undefined) {
    const response: Response = await fetch(url + next);
    if (response.status === 429) {
      await pause(1_000);
      continue;
    }
    const { chains } = (await response.json()) as Status;
    const families = chains.flatMap((chain) => chain.families);
    const halted = families.find(({ state }) => state === 'halted');
    if (halted !== undefined) throw new FamilyHalted(`A family is halted: ${halted.reason}`);
    current += families.filter(({ state }) => state === 'current').length;
    // Most families catch up together, so an empty first page is enough.
    if (current === 0) return 0;
    next = response.headers.get('link')?.match(/<([^>]+)>/)?.[1];
  }
  return current;
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
