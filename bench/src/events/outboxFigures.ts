import { fileURLToPath } from 'node:url';
import { type AssayRun, runAssay } from '../assayRun.ts';
import { repository } from '../folders.ts';
import { type Postgres, withClient } from '../postgres.ts';
import { startReplay } from '../replay.ts';
import { type Figure, seconds, times } from '../table.ts';
import { median } from '../vaultApi/summary.ts';

const MAX_TIME = 1.05;
const MAX_DISK = 0.15;
const TABLES = ['event_batch', 'event_retracted', 'event_note', 'event_head', 'event_chain'];

export interface OutboxOptions {
  readonly postgres: Postgres;
  readonly events: number;
  readonly rounds: number;
  readonly say: (line: string) => void;
}

/** Backfills with and without the outbox, in turns. */
export async function measureOutbox(options: OutboxOptions): Promise<Figure[]> {
  const { postgres, events, rounds, say } = options;
  // Both sides run the same modules: the shipped bundle has no part that could be replaced.
  const main = `${repository}server/dist/main.js`;
  const preload = fileURLToPath(new URL('./withoutOutbox.js', import.meta.url));
  const ways = { with: [main], without: ['--import', preload, main] };
  const runs: Record<keyof typeof ways, AssayRun[]> = { with: [], without: [] };
  const shares: number[] = [];
  const replay = await startReplay({ events });
  try {
    for (let round = 0; round < rounds; round++) {
      // The first of a pair meets a colder machine, so they take turns.
      const names =
        round % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const);
      for (const name of names) {
        const databaseUrl = await postgres.createDatabase(`outbox_${name}_${round}`);
        const program = ways[name];
        const run = await runAssay({
          replay,
          postgres,
          databaseUrl,
          latencyMs: 0,
          watched: true,
          program,
        });
        runs[name].push(run);
        const { outbox, rest } = await readSizes(databaseUrl);
        if (outbox.rows > 0 !== (name === 'with'))
          throw new Error(`${name}: ${outbox.rows} batches`);
        if (name === 'with') shares.push(outbox.bytes / rest);
        const cpu = seconds(run.progress.at(-1)!.cpuMs);
        say(
          `${name} outbox: ${seconds(run.workMs)}, CPU with PostgreSQL ${cpu}, ${outbox.rows} batches`,
        );
      }
    }
  } finally {
    await replay.stop();
  }
  const best = (name: keyof typeof ways) => Math.min(...runs[name].map(({ workMs }) => workMs));
  const cpu = (name: keyof typeof ways) =>
    Math.min(...runs[name].map(({ progress }) => progress.at(-1)!.cpuMs));
  const share = median(shares);
  const beside = (value: (name: keyof typeof ways) => number) =>
    `${times(value('with') / value('without'))} (${seconds(value('with'))} / ${seconds(value('without'))})`;
  return [
    {
      figure: `backfill of ${events} events with the outbox, against none`,
      asked: `≤ ${MAX_TIME}×`,
      measured: beside(best),
      pass: best('with') / best('without') <= MAX_TIME,
    },
    { figure: '  its CPU with PostgreSQL', asked: '', measured: beside(cpu), pass: null },
    {
      figure: 'disk of the outbox after a backfill, against all else',
      asked: `≤ ${MAX_DISK * 100}%`,
      measured: `${(share * 100).toFixed(1)}%`,
      pass: share <= MAX_DISK,
    },
  ];
}

async function readSizes(url: string) {
  return withClient(url, async (client) => {
    const list = TABLES.map((table) => `'${table}'`).join(', ');
    const { rows } = await client.query(
      `select sum(pg_total_relation_size(oid)) filter (where relname in (${list}))::float8 as outbox,
         sum(pg_total_relation_size(oid)) filter (where relname not in (${list}))::float8 as rest,
         (select count(*)::int from event_batch where from_block <= to_block) as batches
       from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    );
    const { outbox, rest, batches } = rows[0]!;
    return { outbox: { bytes: outbox as number, rows: batches as number }, rest: rest as number };
  });
}
