import pg from 'pg';
import { type Figure, times } from '../table.ts';
import type { Served } from './demoWorld.ts';
import { HEAVIEST, walletAddresses } from './fill.ts';
import { firstPages, type Pages, pagesFrom } from './historyPages.ts';
import type { Load } from './load.ts';
import { median, type Summary } from './summary.ts';
import { cpuMsOfChildren, cpuMsSpent, preciseCpuMs } from './threadCpu.ts';
import { startWorker } from './worker.ts';

const MOST = 1.5;
const FLAT = 1.2;
const FLAT_P99 = 1.3;
const PAGES = 2_000;
const AT_ONCE = 8;
/** Warm-up passes: a server has more code than a loop, and code is compiled as it is used. */
const WARM_UP = 2;
/** Measurements per requested round: a page takes a tenth of a millisecond, as does other work on the machine. */
const TURNS = 3;
/** Pages before each CPU measurement, because an idle process starts slowly. */
const AWAKE = 200;
const PAGE_1000 = 20 * 999;

/** A database with a number of events, and a server on it. */
export interface Side {
  readonly events: number;
  readonly url: string;
  readonly server: Served;
}

export interface HistoryOptions {
  readonly small: Side;
  readonly large: Side;
  readonly load: Load;
  readonly rounds: number;
  /** The server's connection settings, for the baseline connections. */
  readonly settings: string;
  readonly postgresPid: number;
}

/** Milliseconds per page. */
interface Cost {
  /** CPU of the process that fetches it. */
  readonly cpu: number;
  /** CPU including PostgreSQL. */
  readonly whole: number;
  readonly latency: number;
  /** One page in a hundred takes longer. */
  readonly p99: number;
}

/** Ways to fetch a page: Assay, `pg` alone, and `pg` behind node:http. */
interface Costs {
  readonly ours: Cost[];
  readonly sql: Cost[];
  readonly http: Cost[];
}

/** Compares pages of history by user and by family, first and 1,000th, on both databases, with their SQL alone. */
export async function measureHistory(options: HistoryOptions): Promise<Figure[]> {
  const [small, large] = [
    await openSide(options, options.small),
    await openSide(options, options.large),
  ];
  try {
    const names = [...small.kinds.keys()];
    const costs = new Map(names.map((name) => [name, { small: empty(), large: empty() }]));
    for (let round = -WARM_UP; round < TURNS * options.rounds; round++) {
      for (const name of names) {
        const [few, many] = [await small.measure(name), await large.measure(name)];
        if (round < 0) continue;
        add(costs.get(name)!.small, few);
        add(costs.get(name)!.large, many);
      }
    }
    return names.flatMap((name) => {
      const of = costs.get(name)!;
      return [...against(name, of.large), ...flatness(name, of.small, of.large)];
    });
  } finally {
    await small.close();
    await large.close();
  }
}

async function openSide(options: HistoryOptions, { url, server }: Side) {
  const { load, settings, postgresPid } = options;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const sql = startWorker('./bareSql.js', [url, settings]);
  const kinds = await pageKinds(client, url, server.port);

  /** Alternates the order, because a later side finds its data in the caches. No response is cached. */
  async function measure(name: string): Promise<Record<keyof Costs, Cost>> {
    const { paths, text, values } = kinds.get(name)!;
    const { port } = await sql.ask<{ port: number }>({ text, pages: values });
    const http = (at: number): Pass => {
      return (connections, from, to) =>
        load.runWell({ port: at, paths: paths.slice(from, to), connections });
    };
    const bare: Pass = (connections, from, to) => sql.ask({ connections, from, to });
    const cost = (pid: number, pass: Pass, half: Half) => costOf([pid, postgresPid], pass, half);
    const ways = {
      ours: (half: Half) => cost(server.pid, http(server.port), half),
      sql: (half: Half) => cost(sql.pid, bare, half),
      http: (half: Half) => cost(sql.pid, http(port), half),
    };
    const there = { ours: await ways.ours(0), sql: await ways.sql(0), http: await ways.http(0) };
    const back = { http: await ways.http(1), sql: await ways.sql(1), ours: await ways.ours(1) };
    return {
      ours: mean(there.ours, back.ours),
      sql: mean(there.sql, back.sql),
      http: mean(there.http, back.http),
    };
  }

  async function close(): Promise<void> {
    await sql.stop();
    await client.end();
  }

  return { kinds, measure, close };
}

async function pageKinds(
  client: pg.Client,
  url: string,
  port: number,
): Promise<Map<string, Pages>> {
  const [heaviest, ...others] = await walletAddresses(url, HEAVIEST, PAGES + 1);
  const { rows } = await client.query(
    `select f.family_id as id, f.slug from family f join history h using (family_id)
     group by 1, 2 order by count(*) desc limit 1`,
  );
  const user = { path: `/v1/history?user=${heaviest}`, wallet: heaviest! };
  const family = { path: `/v1/history?family=${rows[0].slug}`, familyId: rows[0].id as number };
  return new Map([
    ['by user, first page', await firstPages(client, others)],
    ['by user, page 1 000', await pagesFrom(client, port, user, PAGE_1000, PAGES)],
    ['by family, first page', await pagesFrom(client, port, family, 0, PAGES)],
    ['by family, page 1 000', await pagesFrom(client, port, family, PAGE_1000, PAGES)],
  ]);
}

/** Fetches the pages [from, to). */
type Pass = (connections: number, from: number, to: number) => Promise<Summary>;

/** Half of the pages of a measurement. */
type Half = 0 | 1;

/**
 * Measures CPU with concurrent requests, as on a server, and latency one request at a time, so that none waits for
 * another. The first pages measure CPU, the last latency.
 */
async function costOf(
  [pid, postgres]: readonly [number, number],
  pass: Pass,
  half: Half,
): Promise<Cost> {
  const [first, middle, share] = [half * (PAGES / 4), PAGES / 2, PAGES / 4];
  await pass(AT_ONCE, middle, middle + AWAKE);
  const before = preciseCpuMs(pid);
  const backends = cpuMsOfChildren(postgres);
  const { count } = await pass(AT_ONCE, first, first + share);
  const cpu = (preciseCpuMs(pid) - before) / count;
  const whole = cpu + cpuMsSpent(backends, cpuMsOfChildren(postgres)) / count;
  const { p50, p99 } = await pass(1, middle + first, middle + first + share);
  return { cpu, whole, latency: p50, p99 };
}

function mean(one: Cost, other: Cost): Cost {
  return {
    cpu: (one.cpu + other.cpu) / 2,
    whole: (one.whole + other.whole) / 2,
    latency: (one.latency + other.latency) / 2,
    p99: (one.p99 + other.p99) / 2,
  };
}

function empty(): Costs {
  return { ours: [], sql: [], http: [] };
}

function add(costs: Costs, round: Record<keyof Costs, Cost>): void {
  costs.ours.push(round.ours);
  costs.sql.push(round.sql);
  costs.http.push(round.http);
}

const NAMES: Readonly<Record<keyof Cost, string>> = {
  cpu: 'CPU of the process alone',
  whole: 'CPU with PostgreSQL',
  latency: 'latency',
  p99: 'p99',
};
const KINDS = ['whole', 'cpu', 'latency'] as const;

/** Returns the target and, for information, the same including the HTTP that any server needs. */
function against(name: string, costs: Costs): Figure[] {
  return KINDS.flatMap((what) => {
    const title = `history ${name}: ${NAMES[what]}`;
    const bare = compare(costs.ours, costs.sql, what);
    const http = compare(costs.ours, costs.http, what);
    const least = compare(costs.http, costs.sql, what);
    return [
      {
        figure: `${title} against bare SQL`,
        asked: `≤ ${MOST}×`,
        measured: bare.text,
        pass: bare.ratio <= MOST,
      },
      {
        figure: `${title} against bare SQL behind node:http`,
        asked: '',
        measured: `${http.text}; that against SQL alone: ${times(least.ratio)}`,
        pass: null,
      },
    ];
  });
}

function flatness(name: string, small: Costs, large: Costs): Figure[] {
  return [...KINDS, 'p99' as const].map((what) => {
    const { ratio, text } = compare(large.ours, small.ours, what);
    const most = what === 'p99' ? FLAT_P99 : FLAT;
    return {
      figure: `history ${name}: ${NAMES[what]}, many events against few`,
      asked: `≤ ${most}×`,
      measured: text,
      pass: ratio <= most,
    };
  });
}

/** Returns the median of the rounds' ratios, because both values of a round are from the same conditions. */
function compare(ours: readonly Cost[], theirs: readonly Cost[], what: keyof Cost) {
  const ratio = median(ours.map((cost, round) => cost[what] / theirs[round]![what]));
  const us = (costs: readonly Cost[]) =>
    (median(costs.map((cost) => cost[what])) * 1000).toFixed(0);
  return { ratio, text: `${times(ratio)} (${us(ours)} / ${us(theirs)} µs)` };
}
