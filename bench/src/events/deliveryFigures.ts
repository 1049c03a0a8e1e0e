import type { Figure } from '../table.ts';
import { times } from '../table.ts';
import { median } from '../vaultApi/summary.ts';
import { startWorker } from '../vaultApi/worker.ts';
import type { BareMessage } from './bareProcess.ts';
import { type Commits, writeFor } from './commits.ts';
import { type EventServer, startEventServer } from './eventServer.ts';
import { percentile } from './latencies.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import type { StreamsMessage, StreamsReport } from './streamsProcess.ts';

const MAX_P95_MS = 250;
const MAX_RATIO = 1.2;
const MAX_MORE_MB = 128;
const PER_SECOND = 1_000;
/** A block every tenth of a second. */
const PER_COMMIT = 100;
const WARM_UP_SECONDS = 3;
/** CPU per second of a server that has nothing to send. */
const REST_CPU_MS = 50;
const CLIENTS = 1_000;
/** Of the clients, those that never read. */
const IDLE = 50;
/** With so many clients, the clients themselves would otherwise take a core of the machine. */
const CLIENTS_PER_SECOND = 100;
const CLIENTS_PER_COMMIT = 10;
/** Events that idle clients ask for at first, so that the buffers between are full. */
const BACKLOG = 10_000;

export interface DeliveryOptions {
  readonly databaseUrl: string;
  readonly commits: Commits;
  readonly seconds: number;
  readonly rounds: number;
  readonly profileFolder?: string | undefined;
  readonly say: (line: string) => void;
}

interface Delivered {
  readonly webhook: { readonly p95: number; readonly p99: number; readonly count: number };
  readonly streams: StreamsReport;
  /** The same of a bare program that only listens and selects the newest row. */
  readonly bareP95: number;
  readonly perSecond: number;
  readonly cpuMs: number;
  readonly peakMb: number;
}

interface Audience {
  /** Clients that read the events of one wallet each. */
  readonly readers: number;
  /** Clients that ask for all events and read none. */
  readonly idle: number;
  /** Whether a second webhook endpoint takes requests and never responds. */
  readonly hangs: boolean;
  readonly rate: { readonly perSecond: number; readonly perCommit: number };
}

/** Latency from the start of the committing transaction to the receiver. */
export async function measureLatency(options: DeliveryOptions): Promise<Figure[]> {
  const rounds: Delivered[] = [];
  const rate = { perSecond: PER_SECOND, perCommit: PER_COMMIT };
  for (let round = 0; round < options.rounds; round++) {
    rounds.push(await deliver(options, { readers: 20, idle: 0, hangs: false, rate }));
  }
  const written = median(rounds.map(({ perSecond }) => perSecond));
  const of = (name: string, values: readonly number[]): Figure => ({
    figure: `commit to ${name}, p95 at ${written.toFixed(0)} events a second`,
    asked: `≤ ${MAX_P95_MS} ms`,
    measured: `${best(values).toFixed(0)} ms (rounds ${values.map((ms) => ms.toFixed(0)).join(', ')})`,
    pass: best(values) <= MAX_P95_MS && written > 0.98 * PER_SECOND,
  });
  return [
    of(
      'webhook',
      rounds.map(({ webhook }) => webhook.p95),
    ),
    of(
      'SSE client',
      rounds.map(({ streams }) => streams.p95),
    ),
    {
      ...of(
        'a bare LISTEN and SELECT',
        rounds.map(({ bareP95 }) => bareP95),
      ),
      ...{ asked: '', pass: null },
    },
  ];
}

/** What clients that do not read, and an endpoint that hangs, cost the others: in turns with and without them. */
export async function measureClients(options: DeliveryOptions): Promise<Figure[]> {
  const readers = CLIENTS - IDLE;
  const rate = { perSecond: CLIENTS_PER_SECOND, perCommit: CLIENTS_PER_COMMIT };
  for (let written = 0; written < BACKLOG; written += PER_COMMIT) {
    await options.commits.write(PER_COMMIT);
  }
  const without: Delivered[] = [];
  const beside: Delivered[] = [];
  for (let round = 0; round < options.rounds; round++) {
    without.push(await deliver(options, { readers, idle: 0, hangs: false, rate }));
    beside.push(await deliver(options, { readers, idle: IDLE, hangs: true, rate }));
  }
  const ratio = (name: string, p99: (one: Delivered) => number): Figure => {
    const [a, b] = [best(beside.map(p99)), best(without.map(p99))];
    return {
      figure: `p99 of ${name} beside ${IDLE} SSE clients that do not read and a webhook that hangs`,
      asked: `≤ ${MAX_RATIO}×`,
      measured: `${times(a / b)} (${a.toFixed(0)} / ${b.toFixed(0)} ms)`,
      pass: a / b <= MAX_RATIO,
    };
  };
  const cpu = (rounds: readonly Delivered[]) => median(rounds.map(({ cpuMs }) => cpuMs));
  const peak = (rounds: readonly Delivered[]) => Math.max(...rounds.map(({ peakMb }) => peakMb));
  const lost = beside.reduce((sum, { streams }) => sum + streams.lost, 0);
  return [
    ratio(`${readers} SSE clients`, ({ streams }) => streams.p99),
    ratio('the other webhook', ({ webhook }) => webhook.p99),
    {
      figure: 'CPU of the server with them, against without',
      asked: `≤ ${MAX_RATIO}×`,
      measured: `${times(cpu(beside) / cpu(without))} (${cpu(beside)} / ${cpu(without)} ms)`,
      pass: cpu(beside) / cpu(without) <= MAX_RATIO,
    },
    {
      figure: 'more peak memory of the server with them',
      asked: `≤ ${MAX_MORE_MB} MB`,
      measured: `${(peak(beside) - peak(without)).toFixed(0)} MB (${peak(beside).toFixed(0)} / ${peak(without).toFixed(0)} MB)`,
      pass: peak(beside) - peak(without) <= MAX_MORE_MB,
    },
    { figure: 'clients cut off', asked: '0', measured: String(lost), pass: lost === 0 },
  ];
}

/** Noise of the machine only adds time, and each side has the same number of rounds. */
function best(values: readonly number[]): number {
  return Math.min(...values);
}

async function deliver(
  { databaseUrl, commits, seconds, profileFolder, say }: DeliveryOptions,
  { readers, idle, hangs, rate }: Audience,
): Promise<Delivered> {
  const good = await startReceiver({ hangs: false });
  const bad = hangs ? await startReceiver({ hangs: true }) : undefined;
  const endpoints = { good: good.url, ...(bad && { hanging: bad.url }) };
  const server = await startEventServer({ databaseUrl, endpoints, profileFolder });
  const streams = startWorker('../events/streamsProcess.js');
  const ask = <Answer>(message: StreamsMessage) => streams.ask<Answer>(message);
  const bare = startWorker('../events/bareProcess.js');
  const askBare = <Answer>(message: BareMessage) => bare.ask<Answer>(message);
  try {
    await askBare({ listen: databaseUrl });
    await ask({ open: { port: server.port, readers, idle } });
    await untilDelivered(commits, good);
    await untilAtRest(server);
    await writeFor(commits, { ...rate, seconds: WARM_UP_SECONDS });
    good.latencies.restart();
    await ask({ restart: true });
    await askBare({ restart: true });
    const cpuBefore = server.cpuMs();
    const perSecond = await writeFor(commits, { ...rate, seconds });
    const cpuMs = server.cpuMs() - cpuBefore;
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    const { values } = good.latencies;
    const at = (share: number) => percentile(values, share);
    const found: Delivered = {
      webhook: { p95: at(0.95), p99: at(0.99), count: values.length },
      streams: await ask({ report: true }),
      bareP95: (await askBare<{ p95: number }>({ report: true })).p95,
      ...{ perSecond, cpuMs, peakMb: server.peakMb() },
    };
    say(
      `${readers} readers, ${idle} idle, ${hangs ? 'one endpoint hangs' : 'no endpoint hangs'}: ${JSON.stringify(found)}`,
    );
    return found;
  } finally {
    await streams.stop();
    await bare.stop();
    await server.stop();
    await good.close();
    await bad?.close();
  }
}

/** What idle clients asked for fills the buffers first. */
async function untilAtRest({ cpuMs }: EventServer): Promise<void> {
  for (let before = Number.NEGATIVE_INFINITY; cpuMs() - before > REST_CPU_MS; ) {
    before = cpuMs();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

/** The server that served before can have the lead of the deliveries for a moment. */
async function untilDelivered(commits: Commits, { latencies }: Receiver): Promise<void> {
  latencies.restart();
  while (latencies.values.length === 0) {
    await commits.write(1);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
