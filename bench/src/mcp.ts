import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { repository } from './folders.ts';
import { startPostgres } from './postgres.ts';
import { type Figure, renderTable } from './table.ts';
import { type DemoWorld, startDemoWorld } from './vaultApi/demoWorld.ts';
import { median } from './vaultApi/summary.ts';

// Compares tool calls over stdio with the same requests over HTTP, in turns.
const MAX_MS = 2;
const WARM_UP = 200;
const { values: flags } = parseArgs({ options: { calls: { type: 'string', default: '1000' } } });
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const CALLS = [
  { tool: 'assay_vault', args: { slug: 'svcusd' }, path: '/v1/vaults/svcusd' },
  {
    tool: 'assay_history',
    args: { family: 'svcusd', limit: 100 },
    path: '/v1/history?family=svcusd&limit=100',
  },
  {
    tool: 'assay_series',
    args: { slug: 'svcusd', figure: 'tvl' },
    path: '/v1/vaults/svcusd/timeseries/tvl',
  },
] as const;
const PROTOCOLS = ['2025-11-25', '2026-07-28'] as const;

/** Part of each request since 2026. */
const ENVELOPE = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  },
};

const postgres = await startPostgres();
let world: DemoWorld | undefined;
const figures: Figure[] = [];
try {
  process.stdout.write(`Node ${process.version}; building the demo's chains\n`);
  world = await startDemoWorld();
  const database = await postgres.createDatabase('mcp');
  await world.index(database);
  const server = await world.serve(database);
  for (const protocol of PROTOCOLS) {
    figures.push(...(await measure(`http://127.0.0.1:${server.port}`, protocol)));
  }
} finally {
  await world?.stop();
  await postgres.stop();
}
process.stdout.write(`\n${renderTable(figures)}\n`);
if (figures.some(({ pass }) => pass === false)) process.exitCode = 1;

async function measure(url: string, protocol: (typeof PROTOCOLS)[number]): Promise<Figure[]> {
  const tools = await startTools(url, protocol);
  try {
    const found: Figure[] = [];
    for (const { tool, args, path } of CALLS) {
      const [stdio, http]: [number[], number[]] = [[], []];
      for (let i = -WARM_UP; i < Number(flags.calls); i++) {
        const byTool = await timed(() => tools.call(tool, args));
        const byHttp = await timed(async () => (await fetch(url + path)).json());
        if (i < 0) continue;
        stdio.push(byTool);
        http.push(byHttp);
      }
      const above = median(stdio.map((ms, i) => ms - http[i]!));
      found.push({
        figure: `${tool} over stdio (${protocol}), above the HTTP call`,
        asked: `≤ ${MAX_MS} ms`,
        measured: `${above.toFixed(2)} ms (${median(stdio).toFixed(2)} / ${median(http).toFixed(2)} ms)`,
        pass: above <= MAX_MS,
      });
    }
    return found;
  } finally {
    tools.end();
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Starts `assay mcp` and sends plain lines, so that no client library is measured. */
async function startTools(url: string, protocol: string) {
  const program = join(repository, 'server/bin/assay.mjs');
  const child: ChildProcess = spawn(process.execPath, [program, 'mcp', '--url', url], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting = new Map<number, (answer: Answer) => void>();
  createInterface({ input: child.stdout! }).on('line', (line) => {
    const answer = JSON.parse(line) as Answer;
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  const isModern = protocol === '2026-07-28';
  let last = 0;
  if (!isModern) {
    await ask('initialize', {
      protocolVersion: protocol,
      capabilities: {},
      clientInfo: { name: 'bench', version: '1.0.0' },
    });
    send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }
  return { call, end: () => child.kill() };

  async function call(name: string, args: object): Promise<void> {
    const { result } = await ask('tools/call', { name, arguments: args });
    if (result?.structuredContent === undefined || result.isError) {
      throw new Error(`${name} returned no result: ${JSON.stringify(result)}`);
    }
  }

  function ask(method: string, params: object): Promise<Answer> {
    const id = ++last;
    const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve));
    send({ jsonrpc: '2.0', id, method, params: { ...params, ...(isModern && ENVELOPE) } });
    return answered;
  }

  function send(message: object): void {
    child.stdin!.write(`${JSON.stringify(message)}\n`);
  }
}

interface Answer {
  readonly id: number;
  readonly result?: { readonly structuredContent?: object; readonly isError?: boolean };
}
