import { parseArgs } from 'node:util';
import { type AssayRun, type Progress, runAssay } from './assayRun.ts';
import { runBareLoop } from './bareRun.ts';
import { installPonder, runPonder } from './ponderRun.ts';
import { type Postgres, startPostgres, withClient } from './postgres.ts';
import { type Replay, startReplay } from './replay.ts';
import { checkTotals, compareRows } from './rows.ts';
import type { Run } from './run.ts';
import { installSubsquid, runSubsquid } from './subsquidRun.ts';
import { type Figure, renderTable, seconds, times } from './table.ts';

const { values: flags } = parseArgs({
  options: {
    large: { type: 'string', default: '1000000' },
    runs: { type: 'string', default: '3' },
    'no-peers': { type: 'boolean', default: false },
    only: { type: 'string' },
    'cpu-prof': { type: 'string' },
  },
});

const SMALL = 20_000;
const MIDDLE = 200_000;
const LARGE = Number(flags.large);
const LATENCY_MS = 20;
const rounds = Number(flags.runs);
const figures: Figure[] = [];
let databases = 0;

// Exit handlers end the child processes.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const postgres = await startPostgres();
try {
  say(`PostgreSQL ${postgres.version}, Node ${process.version}, ${SMALL} events per run`);
  if (flags.only !== 'bare') await benchLarge(postgres, await benchSmall(postgres));
  await benchBare(postgres);
} finally {
  await postgres.stop();
}
process.stdout.write(`\n${renderTable(figures)}\n`);
if (figures.some(({ pass }) => pass === false)) process.exitCode = 1;

/**
 * Each round runs every short contender once, so that noise affects all alike. The best run of each counts, because noise
 * only adds time, and all have the same number of runs.
 */
async function benchSmall(server: Postgres): Promise<AssayRun[]> {
  const replay = await startReplay({ events: SMALL });
  try {
    const withPonder = !flags['no-peers'];
    if (withPonder) installPonder(say);
    const many: Run[] = [];
    const cached: Run[] = [];
    const atOnce: AssayRun[] = [];
    const delayed: AssayRun[] = [];
    for (let round = 0; round < rounds; round++) {
      const ponderUrl = withPonder ? await server.createDatabase(`ponder_${round}`) : undefined;
      if (ponderUrl !== undefined) {
        many.push(await onePonder('the URL 25 times', replay, ponderUrl, 25));
        await forgetIndex(ponderUrl);
        cached.push(await onePonder('cached', replay, ponderUrl, 25));
      }
      atOnce.push(await oneAssay(server, replay, 0, { rowsOf: ponderUrl }));
      delayed.push(await oneAssay(server, replay, LATENCY_MS, { rowsOf: ponderUrl }));
    }
    const ours = bestWork(atOnce);
    if (withPonder) {
      const url = await server.createDatabase('ponder_one_url');
      const one = await onePonder('one URL', replay, url, 1);
      // Ponder's rate limiter determines the time, so it runs once, compared with Assay's slowest run.
      addRatio('Ponder, one URL', 20, one.workMs, Math.max(...atOnce.map((run) => run.workMs)));
      addRatio('Ponder, the URL 25 times', 6, bestWork(many), ours);
      addRatio('Ponder, cached', 1.2, bestWork(cached), ours);
    }
    addLatency(bestWork(delayed), ours);
    addMemory('peak memory', [...atOnce, ...delayed]);
    return atOnce;
  } finally {
    await replay.stop();
  }
}

/** Compares a complete index, ready to serve, with a loop that only writes the same logs, and with Subsquid. */
async function benchBare(server: Postgres): Promise<void> {
  if (!flags['no-peers']) installSubsquid(say);
  for (const events of [SMALL, MIDDLE]) {
    const replay = await startReplay({ events });
    try {
      const bare: Run[] = [];
      const peer: Run[] = [];
      const ours: AssayRun[] = [];
      // Short runs with a ratio near its bound: more rounds are needed for both to meet a quiet moment.
      for (let round = 0; round < rounds * 4; round++) {
        const bareUrl = await server.createDatabase(`bare_${databases++}`);
        bare.push(report(`bare loop, ${events} events`, await runBareLoop(replay, bareUrl)));
        let peerUrl: string | undefined;
        if (!flags['no-peers'] && round < rounds) {
          peerUrl = await server.createDatabase(`subsquid_${databases++}`);
          peer.push(
            report(
              `Subsquid, ${events} events`,
              await runSubsquid({ replay, databaseUrl: peerUrl }),
            ),
          );
        }
        ours.push(await oneAssay(server, replay, 0, { rowsOf: peerUrl, watched: false }));
      }
      addBare(events, bestWork(ours), bestWork(bare));
      if (peer.length > 0)
        addRatio(`Subsquid, ${events} events`, 1, bestWork(peer), bestWork(ours));
    } finally {
      await replay.stop();
    }
  }
}

async function benchLarge(server: Postgres, small: readonly AssayRun[]): Promise<void> {
  say(`preparing ${LARGE} events`);
  const replay = await startReplay({ events: LARGE });
  try {
    const large = await oneAssay(server, replay, 0);
    addFlatness('time', bestWork(small), large.workMs);
    const cost = (run: AssayRun) => run.progress.at(-1)!.cpuMs;
    addFlatness('CPU with PostgreSQL', Math.min(...small.map(cost)), cost(large));
    addDrift('time', large, ({ ms }) => ms);
    addDrift('CPU with PostgreSQL', large, ({ cpuMs }) => cpuMs);
    addMemory(`peak memory, ${LARGE} events`, [large]);
  } finally {
    await replay.stop();
  }
}

async function onePonder(
  name: string,
  replay: Replay,
  databaseUrl: string,
  urls: number,
): Promise<Run> {
  return report(`Ponder, ${name}`, await runPonder({ replay, databaseUrl, urls }));
}

async function oneAssay(
  server: Postgres,
  replay: Replay,
  latencyMs: number,
  { rowsOf, watched = true }: { rowsOf?: string | undefined; watched?: boolean } = {},
): Promise<AssayRun> {
  const databaseUrl = await server.createDatabase(`assay_${databases++}`);
  const profileFolder = flags['cpu-prof'];
  const run = await runAssay({
    replay,
    postgres: server,
    databaseUrl,
    latencyMs,
    watched,
    profileFolder,
  });
  if (rowsOf === undefined) await checkTotals(databaseUrl, replay);
  else await compareRows(databaseUrl, rowsOf);
  return report(`Assay, ${replay.events} events at ${latencyMs} ms, rows checked`, run);
}

/** Drops Ponder's index and keeps its cache of fetched data. */
async function forgetIndex(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, (client) => client.query('drop schema bench cascade'));
}

function addRatio(name: string, asked: number, theirs: number, ours: number): void {
  figures.push({
    figure: `backfill against ${name}`,
    asked: `≥ ${asked}×`,
    measured: `${times(theirs / ours)} (${seconds(theirs)} / ${seconds(ours)})`,
    pass: theirs / ours >= asked,
  });
}

function addBare(events: number, ours: number, bare: number): void {
  figures.push({
    figure: `backfill of ${events} events against a bare loop`,
    asked: '≤ 1.5×',
    measured: `${times(ours / bare)} (${seconds(ours)} / ${seconds(bare)})`,
    pass: ours / bare <= 1.5,
  });
}

function addLatency(delayed: number, atOnce: number): void {
  figures.push({
    figure: `RPC latency ${LATENCY_MS} ms against 0 ms`,
    asked: '≤ 1.5×',
    measured: `${times(delayed / atOnce)} (${seconds(delayed)} / ${seconds(atOnce)})`,
    pass: delayed / atOnce <= 1.5,
  });
}

function addMemory(figure: string, runs: readonly Run[]): void {
  const peaks = runs.flatMap(({ peakMb }) => (peakMb === null ? [] : [peakMb]));
  if (peaks.length === 0) return;
  const peak = Math.max(...peaks);
  figures.push({
    figure,
    asked: '≤ 250 MB',
    measured: `${peak.toFixed(0)} MB`,
    pass: peak <= 250,
  });
}

function addFlatness(what: string, smallMs: number, largeMs: number): void {
  const small = smallMs / SMALL;
  const large = largeMs / LARGE;
  figures.push({
    figure: `${what} per event, ${LARGE} against ${SMALL}`,
    asked: '≤ 1.2×',
    measured: `${times(large / small)} (${(large * 1000).toFixed(0)} / ${(small * 1000).toFixed(0)} µs)`,
    pass: large / small <= 1.2,
  });
}

/** Compares quarters of one run, because the fixed cost of a start would hide a growing cost. */
function addDrift(what: string, run: AssayRun, value: (progress: Progress) => number): void {
  const end = run.progress.at(-1)!;
  const reached = (share: number) =>
    value(run.progress.find(({ block }) => block >= end.block * share) ?? end);
  const second = reached(0.5) - reached(0.25);
  const last = value(end) - reached(0.75);
  figures.push({
    figure: `${what}, last quarter of ${LARGE} against the second`,
    asked: '≤ 1.2×',
    measured: `${times(last / second)} (${seconds(last)} / ${seconds(second)})`,
    pass: last / second <= 1.2,
  });
}

function bestWork(runs: readonly Run[]): number {
  return Math.min(...runs.map((run) => run.workMs));
}

function report<T extends Run>(name: string, run: T): T {
  const cpu = run.cpuMs === null ? '' : `, CPU ${seconds(run.cpuMs)}`;
  const memory = run.peakMb === null ? '' : `, peak ${run.peakMb.toFixed(0)} MB`;
  say(
    `${name}: ${seconds(run.workMs)} of work, ${seconds(run.fromFirstRequestMs)} from the first request, ` +
      `${seconds(run.totalMs)} with its start${cpu}${memory}, ${run.requests} requests`,
  );
  return run;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
