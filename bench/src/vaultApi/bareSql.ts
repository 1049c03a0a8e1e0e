import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { summarise } from './summary.ts';
import { answerMessages } from './worker.ts';

/** Runs pages of one statement through `pg`, and nothing else; or one page for each request of a bare HTTP server. */
export interface SqlJob {
  readonly text: string;
  readonly pages: readonly (readonly string[])[];
  readonly connections: number;
  readonly listen: boolean;
}

const [url, options] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, options, idleTimeoutMillis: 0 });
const names = new Map<string, string>();
let job: SqlJob;
let turn = 0;

const server = createServer(async (_request, response) => {
  const rows = await page(job.pages[turn++ % job.pages.length]!);
  const body = Buffer.from(JSON.stringify(rows));
  response.writeHead(200, [
    'content-type',
    'application/json',
    'content-length',
    String(body.length),
  ]);
  response.end(body);
});
const listening = new Promise<number>((resolve) => {
  server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
});

async function page(values: readonly string[]): Promise<unknown[]> {
  const { text } = job;
  const name = names.get(text) ?? `page${names.size}`;
  names.set(text, name);
  const { rows } = await pool.query({ name, text, values: [...values] });
  return rows;
}

answerMessages<SqlJob>(async (given) => {
  job = given;
  turn = 0;
  if (job.listen) return { port: await listening };
  const latencies: number[] = [];
  let next = 0;
  async function drive(): Promise<void> {
    while (next < job.pages.length) {
      const values = job.pages[next++]!;
      const sent = performance.now();
      await page(values);
      latencies.push(performance.now() - sent);
    }
  }
  await Promise.all(Array.from({ length: job.connections }, drive));
  return summarise(latencies);
});
