import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../postgres.ts';
import { type Figure, renderTable } from '../table.ts';
import { startWorker } from '../vaultApi/worker.ts';
import { measurePaid } from './paidFigures.ts';
import type { PaymentWorld } from './paymentWorld.ts';
import { measureSettling } from './settleFigures.ts';
import { type Client, type Side, startClient, startSide } from './sides.ts';
import { measureUnpaid } from './unpaidFigures.ts';

const PARTS = ['paid', 'settling', 'unpaid'];
const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    requests: { type: 'string', default: '100' },
    only: { type: 'string', multiple: true, default: PARTS },
    'cpu-prof': { type: 'string' },
  },
});
const rounds = Number(flags.rounds);
const requests = Number(flags.requests);
const folder = mkdtempSync(join(tmpdir(), 'assay-bench-payments-'));

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

const postgres = await startPostgres();
const chain = startWorker('../payments/chainProcess.js');
const sides: Side[] = [];
let client: Client | undefined;
try {
  process.stdout.write(`PostgreSQL ${postgres.version}, Node ${process.version}\n`);
  const world = await chain.ask<PaymentWorld>({});
  client = await startClient(world);
  const figures = await measure(world, client);
  process.stdout.write(`\n${renderTable(figures)}\n`);
  if (figures.some(({ pass }) => pass === false)) process.exitCode = 1;
} finally {
  for (const { worker } of sides) await worker.stop();
  await client?.stop();
  await chain.stop();
  await postgres.stop();
}

async function measure(world: PaymentWorld, by: Client): Promise<Figure[]> {
  const [first, second, third, fourth, fifth] = world.keys;
  const databaseUrl = await postgres.createDatabase('payments');
  const embedded = { world, key: first!, folder: join(folder, 'embedded') };
  const shared = { world, key: second!, databaseUrl };
  const stock = await start('@x402/express', 'stockProcess', { world, key: third! });
  const pglite = await start('Assay on PGlite', 'assayProcess', embedded);
  const ours = [pglite, await start('Assay on PostgreSQL', 'assayProcess', shared)];
  const figures: Figure[] = [];
  if (flags.only.includes('paid')) {
    const warmUp = 4 * requests;
    figures.push(
      ...(await profiled(ours, () =>
        measurePaid({ stock, ours, client: by, rounds, requests, warmUp }),
      )),
    );
  }
  if (flags.only.includes('settling')) {
    const keys = { chainKey: fourth!, settlerKey: fifth! };
    const options = { stock, ours, client: by, world, ...keys, rounds, requests: 4 * requests };
    figures.push(...(await measureSettling(options)));
  }
  if (flags.only.includes('unpaid')) {
    figures.push(...(await measureUnpaid({ stock, ours: pglite, client: by, rounds })));
  }
  return figures;
}

async function start(name: string, file: string, settings: Parameters<typeof startSide>[2]) {
  const side = await startSide(name, file, settings);
  sides.push(side);
  return side;
}

/** Profiles Assay's processes during the work, if a folder is given. */
async function profiled<T>(ours: readonly Side[], work: () => Promise<T>): Promise<T> {
  const target = flags['cpu-prof'];
  if (target === undefined) return work();
  for (const { worker } of ours) await worker.ask({ kind: 'profile' });
  const result = await work();
  for (const { worker, name } of ours) {
    const file = join(target, `${name.replaceAll(' ', '-')}.cpuprofile`);
    await worker.ask({ kind: 'profile', file });
  }
  return result;
}
