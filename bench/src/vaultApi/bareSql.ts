import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { summarise } from './summary.ts';
import { answerMessages } from './worker.ts';

/** Runs pages of one statement through `pg` only, or one page per request of a baseline HTTP server. */
export interface SqlPages {
  readonly text: string;
  readonly pages: readonly (readonly string[])[];
}

/** The range of the given pages to run. */
export interface SqlJob {
  readonly connections: number;
  readonly from: number;
  readonly to: number;
}

const [url, options] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, options, idleTimeoutMillis: 0 });
const names = new Map<string, string>();
let sqlPages: SqlPages;
let turn = 0;

const server = createServer(async (_request, response) => {
  const rows = await page(sqlPages.pages[turn++ % sqlPages.pages.length]!);
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
  const { text } = sqlPages;
  const name = names.get(text) ?? `page${names.size}`;
  names.set(text, name);
  const { rows } = await pool.query({ name, text, values: [...values] });
  return rows;
}

answerMessages<SqlPages | SqlJob>(async (given) => {
  if ('pages' in given) {
    sqlPages = given;
    turn = 0;
    return { port: await listening };
  }
  const { connections, from, to } = given;
  const latencies: number[] = [];
  let next = from;
  async function drive(): Promise<void> {
    while (next < to) {
      const values = sqlPages.pages[next++]!;
      const sent = performance.now();
      await page(values);
      latencies.push(performance.now() - sent);
    }
  }
  await Promise.all(Array.from({ length: connections }, drive));
  return summarise(latencies);
});
