import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { replayChain } from './replayedChain.ts';
import { type Answer, createRpcMethods, type RpcCall } from './rpcMethods.ts';
import { createStaticReads } from './staticReads.ts';

/** Response of GET /stats. POST /control?latency=MS resets the counts; POST /grow?every=MS adds blocks. */
export interface ReplayStats {
  readonly httpRequests: number;
  readonly calls: Readonly<Record<string, number>>;
  /** Unix time in milliseconds; null before the first request. */
  readonly firstRequestAt: number | null;
  readonly lastRequestAt: number | null;
  readonly answeredBytes: number;
  /** CPU of this process since the last reset. */
  readonly cpuMs: number;
}

/** The line this process prints once it listens. */
export interface ReplayReady {
  readonly url: string;
  readonly head: number;
  readonly lastEventBlock: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly supply: string;
}

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    latency: { type: 'string', default: '0' },
    'head-time': { type: 'string' },
    'no-log-times': { type: 'boolean', default: false },
    every: { type: 'string', default: '1' },
    archive: { type: 'boolean', default: false },
  },
});

const headTime = Number(values['head-time'] ?? Math.floor(Date.now() / 1000));
const chain = replayChain({
  events: Number(values.events),
  seed: Number(values.seed),
  headTime,
  logTimes: !values['no-log-times'],
  every: Number(values.every),
});
const stateDepth = values.archive ? Number.POSITIVE_INFINITY : undefined;
const methods = createRpcMethods(chain, createStaticReads(chain, headTime), stateDepth);
let latency = Number(values.latency);
let stats = freshStats();

const server = createServer((request, response) => {
  if (request.url === '/stats') return sendJson(response, { ...stats, cpuMs: cpuSince() });
  if (request.url?.startsWith('/control')) {
    latency = Number(new URL(request.url, 'http://replay').searchParams.get('latency') ?? 0);
    stats = freshStats();
    return sendJson(response, {});
  }
  if (request.url?.startsWith('/grow')) {
    const every = Number(new URL(request.url, 'http://replay').searchParams.get('every'));
    setInterval(() => chain.grow(), every);
    return sendJson(response, {});
  }
  readBody(request, (body) => {
    const at = Date.now();
    stats.firstRequestAt ??= at;
    stats.lastRequestAt = at;
    stats.httpRequests += 1;
    const asked = JSON.parse(body) as RpcCall | RpcCall[];
    const answer = () => send(response, answerAll(asked));
    if (latency === 0) answer();
    else setTimeout(answer, latency);
  });
});

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  const ready: ReplayReady = {
    url: `http://127.0.0.1:${port}`,
    head: chain.head,
    lastEventBlock: chain.lastEventBlock,
    counts: chain.counts,
    supply: chain.state.supply.toString(),
  };
  process.stdout.write(`${JSON.stringify(ready)}\n`);
});

// The parent keeps standard input open; when the parent exits, this process does too.
process.stdin.resume().on('end', () => process.exit());

function answerAll(asked: RpcCall | RpcCall[]): Answer {
  if (!Array.isArray(asked)) return answerOne(asked);
  const pieces: Answer = [];
  for (const call of asked) pieces.push(pieces.length === 0 ? '[' : ',', ...answerOne(call));
  return [...pieces, ']'];
}

function answerOne(call: RpcCall): Answer {
  stats.calls[call.method] = (stats.calls[call.method] ?? 0) + 1;
  return methods.answer({ ...call, params: call.params ?? [] });
}

function send(response: ServerResponse, pieces: Answer): void {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  stats.answeredBytes += length;
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': length });
  response.cork();
  for (const piece of pieces) response.write(piece, 'latin1');
  response.end();
}

function sendJson(response: ServerResponse, value: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function readBody(request: IncomingMessage, done: (body: string) => void): void {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (part: string) => {
    body += part;
  });
  request.on('end', () => done(body));
}

function freshStats() {
  return {
    httpRequests: 0,
    calls: {} as Record<string, number>,
    firstRequestAt: null as number | null,
    lastRequestAt: null as number | null,
    answeredBytes: 0,
    cpuAtReset: process.cpuUsage(),
  };
}

function cpuSince(): number {
  const { user, system } = process.cpuUsage(stats.cpuAtReset);
  return Math.round((user + system) / 1000);
}
