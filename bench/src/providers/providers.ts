import { parseArgs } from 'node:util';
import { type Progress, runAssay } from '../assayRun.ts';
import { ChildFailed } from '../meteredProcess.ts';
import { PeerTooSlow } from '../peerRun.ts';
import { installPonder, runPonder } from '../ponderRun.ts';
import { type Postgres, startPostgres } from '../postgres.ts';
import { type Replay, startReplay } from '../replay.ts';
import { checkTotals } from '../rows.ts';
import { installSubsquid, runSubsquid } from '../subsquidRun.ts';
import { type Figure, renderTable, seconds, times } from '../table.ts';
import { measureFollowing } from './following.ts';
import { type PlanCounts, splitCalls, startPlan } from './plan.ts';

/** Measures the cost of a backfill on common RPC plans, compared with other indexers behind the same proxy. */
const { values: flags } = parseArgs({
  options: {
    'no-peers': { type: 'boolean', default: false },
    only: { type: 'string' },
    seconds: { type: 'string', default: '120' },
    'peer-seconds': { type: 'string', default: '600' },
  },
});
/** With the rate in calls that Subsquid is given, because a rejected item of a batch ends it. */
const PLANS = [
  ['alchemy-free', 8],
  ['chainstack-free', 12],
  ['base-public', 20],
] as const;
/** One thousand of six thousand blocks have events. */
const SPARSE = { events: 8_000, every: 6, archive: true };
/** The same number of events on a chain that takes thousands of calls to read. */
const LONG = { events: 8_000, every: 150, archive: true };
const LONG_PLAN = 'chainstack-free';
const LONG_UNITS_PER_SECOND = 25;
const WINDOW_MS = 10_000;
const PEER_MS = Number(flags['peer-seconds']) * 1000;
const figures: Figure[] = [];
let databases = 0;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const postgres = await startPostgres();
try {
  if (flags.only === undefined || flags.only === 'plans') await benchPlans(postgres);
  if (flags.only === undefined || flags.only === 'long') await benchLong(postgres);
  if (flags.only === undefined || flags.only === 'following') {
    figures.push(...(await measureFollowing(postgres, Number(flags.seconds))));
  }
} finally {
  await postgres.stop();
}
process.stdout.write(`\n${renderTable(figures)}\n`);
if (figures.some(({ pass }) => pass === false)) process.exitCode = 1;

interface Outcome {
  readonly side: string;
  /** Null: not complete in time. */
  readonly ms: number | null;
  readonly counts: PlanCounts;
}

async function benchPlans(server: Postgres): Promise<void> {
  const replay = await startReplay(SPARSE);
  try {
    if (!flags['no-peers']) {
      installPonder(say);
      installSubsquid(say);
    }
    for (const [plan, callsPerSecond] of PLANS) {
      const outcomes = [await through(plan, 'Assay', replay, (seen) => assay(server, seen))];
      if (!flags['no-peers']) {
        outcomes.push(
          await through(plan, 'Ponder', replay, async (seen) => {
            const databaseUrl = await server.createDatabase(`plan_${databases++}`);
            const run = { replay: seen, databaseUrl, urls: 1, withinMs: PEER_MS };
            return (await runPonder(run)).fromFirstRequestMs;
          }),
          await through(plan, 'Subsquid', replay, async (seen) => {
            const databaseUrl = await server.createDatabase(`plan_${databases++}`);
            const run = { replay: seen, databaseUrl, withinMs: PEER_MS, callsPerSecond };
            return (await runSubsquid(run)).fromFirstRequestMs;
          }),
        );
      }
      addPlan(plan, outcomes);
    }
  } finally {
    await replay.stop();
  }
}

async function through(
  profile: string,
  side: string,
  replay: Replay,
  run: (seen: Replay) => Promise<number>,
): Promise<Outcome> {
  const plan = await startPlan(profile, replay);
  try {
    const ms = await run(plan.replay).catch((error: unknown) => {
      if (error instanceof PeerTooSlow) return null;
      if (side === 'Assay' || !(error instanceof ChildFailed)) throw error;
      say(`${profile}, ${side}: ended with an error: ${error.lastLines.at(-1)?.slice(0, 300)}`);
      return null;
    });
    const counts = await plan.counts();
    const { chain, state, limited } = splitCalls(counts);
    say(
      `${profile}, ${side}: ${ms === null ? 'not complete' : seconds(ms)}, ${chain} calls for logs and headers, ` +
        `${state} for state, ${limited} turned away, ${counts.units} units`,
    );
    return { side, ms, counts };
  } finally {
    await plan.stop();
  }
}

async function assay(server: Postgres, replay: Replay): Promise<number> {
  const databaseUrl = await server.createDatabase(`plan_${databases++}`);
  const options = { replay, postgres: server, databaseUrl, latencyMs: 0, watched: true };
  const run = await runAssay(options);
  await checkTotals(databaseUrl, replay);
  return run.fromFirstRequestMs;
}

function addPlan(plan: string, [ours, ...peers]: readonly Outcome[]): void {
  const perThousand = ({ counts }: Outcome) => splitCalls(counts).chain / (SPARSE.events / 1000);
  const describe = (outcome: Outcome) =>
    `${perThousand(outcome).toFixed(1)} in ${outcome.ms === null ? 'a run that did not complete' : seconds(outcome.ms)}`;
  /** Null where a peer that is not complete has sent fewer calls up to then: it may need more, or not. */
  const isFewest = (others: readonly Outcome[]): boolean | null => {
    const fewer = others.filter((peer) => perThousand(peer) <= perThousand(ours!));
    if (others.length === 0 || (fewer.length > 0 && fewer.every(({ ms }) => ms === null)))
      return null;
    return fewer.length === 0;
  };
  figures.push({
    figure: `${plan}: calls for logs and headers per 1,000 events`,
    asked: peers.length === 0 ? '' : 'fewest of all',
    measured: [ours!, ...peers].map((one) => `${one.side} ${describe(one)}`).join(', '),
    pass: isFewest(peers),
  });
}

async function benchLong(server: Postgres): Promise<void> {
  const replay = await startReplay(LONG);
  const plan = await startPlan(LONG_PLAN, replay);
  try {
    const databaseUrl = await server.createDatabase(`plan_${databases++}`);
    const options = { postgres: server, databaseUrl, latencyMs: 0, watched: true };
    const run = await runAssay({ ...options, replay: plan.replay });
    await checkTotals(databaseUrl, replay);
    const { units } = await plan.counts();
    const least = (units / LONG_UNITS_PER_SECOND) * 1000;
    figures.push({
      figure: `${LONG_PLAN}: time against units ÷ ${LONG_UNITS_PER_SECOND}`,
      asked: '≤ 1.3×',
      measured: `${times(run.workMs / least)} (${seconds(run.workMs)}, ${units} units)`,
      pass: run.workMs <= 1.3 * least,
    });
    const empty = emptyWindows(run.progress);
    figures.push({
      figure: `${LONG_PLAN}: windows of 10 s without progress`,
      asked: '0',
      measured: String(empty),
      pass: empty === 0,
    });
  } finally {
    await plan.stop();
    await replay.stop();
  }
}

function emptyWindows(progress: readonly Progress[]): number {
  const whole = Math.floor(progress.at(-1)!.ms / WINDOW_MS);
  const moved = new Set(progress.filter(({ block }) => block > 0).map(windowOf));
  return Array.from({ length: whole }, (_, window) => window).filter((one) => !moved.has(one))
    .length;
}

function windowOf({ ms }: Progress): number {
  return Math.floor(ms / WINDOW_MS);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
