import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { repository } from './folders.ts';
import { startPostgres } from './postgres.ts';
import { type Figure, renderTable, times } from './table.ts';
import { type DemoWorld, startDemoWorld } from './vaultApi/demoWorld.ts';
import { median } from './vaultApi/summary.ts';

// Measures `assay vaults` from process start to exit, compared with the minimum that Node can do, in turns.
const MAX_MS = 300;
const WARM_UP = 3;
const { values: flags } = parseArgs({ options: { rounds: { type: 'string', default: '30' } } });
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const postgres = await startPostgres();
let world: DemoWorld | undefined;
let figures: Figure[];
try {
  process.stdout.write(`Node ${process.version}; building the demo's chains\n`);
  world = await startDemoWorld();
  const database = await postgres.createDatabase('command_line');
  await world.index(database);
  const server = await world.serve(database);
  figures = measure(`http://127.0.0.1:${server.port}`, Number(flags.rounds));
} finally {
  await world?.stop();
  await postgres.stop();
}
process.stdout.write(`\n${renderTable(figures)}\n`);
if (figures.some(({ pass }) => pass === false)) process.exitCode = 1;

function measure(url: string, rounds: number): Figure[] {
  const program = join(repository, 'server/bin/assay.mjs');
  const fetching = `fetch('${url}/v1/vaults').then((r) => r.text()).then((t) => process.stdout.write(t))`;
  const ways = {
    assay: [program, 'vaults', '--url', url],
    nothing: ['-e', '0'],
    fetch: ['-e', fetching],
  };
  const took: Record<keyof typeof ways, number[]> = { assay: [], nothing: [], fetch: [] };
  for (let round = -WARM_UP; round < rounds; round++) {
    for (const [name, args] of Object.entries(ways) as [keyof typeof ways, string[]][]) {
      const began = performance.now();
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
      const ms = performance.now() - began;
      if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
      if (name !== 'nothing' && !stdout.includes('svcusd')) throw new Error(`${name} read nothing`);
      if (round >= 0) took[name].push(ms);
    }
  }
  const of = (name: keyof typeof ways) => median(took[name]);
  const beside = (name: keyof typeof ways) =>
    `${times(median(took.assay.map((ms, i) => ms / took[name][i]!)))} (${of('assay').toFixed(0)} / ${of(name).toFixed(0)} ms)`;
  return [
    {
      figure: 'assay vaults from a cold start',
      asked: `< ${MAX_MS} ms`,
      measured: `${of('assay').toFixed(0)} ms`,
      pass: of('assay') < MAX_MS,
    },
    { figure: '  against node -e 0', asked: '', measured: beside('nothing'), pass: null },
    {
      figure: '  against node with a plain fetch',
      asked: '',
      measured: beside('fetch'),
      pass: null,
    },
  ];
}
