import { get, type IncomingMessage } from 'node:http';
import { type Figure, times } from '../table.ts';
import type { BareAnswer } from './bareHttp.ts';
import type { Served } from './demoWorld.ts';
import type { Load } from './load.ts';
import { median } from './summary.ts';
import { preciseCpuMs } from './threadCpu.ts';
import { startWorker, type Worker } from './worker.ts';

const MOST = 1.25;
const CONNECTIONS = 8;
const SECONDS = 1;
/** Warm-up rounds: a server has more code than the baseline, and code is compiled as it is used. */
const WARM_UP = 2;

export interface KeptOptions {
  readonly server: Served;
  readonly load: Load;
  readonly slug: string;
  readonly rounds: number;
}

/** Compares the CPU for cached responses with Node sending the same bytes. */
export async function measureKept({ server, load, slug, rounds }: KeptOptions): Promise<Figure[]> {
  const cases = [
    { name: 'snapshot', path: `/v1/vaults/${slug}` },
    { name: 'day series, 1 000 ticks', path: `/v1/vaults/${slug}/timeseries/tvl?limit=1000` },
    {
      name: 'raw series, 5 000 ticks',
      path: `/v1/vaults/${slug}/timeseries/tvl?interval=raw&limit=5000`,
    },
  ];
  const bare = startWorker('./bareHttp.js');
  try {
    const figures: Figure[] = [];
    for (const { name, path } of cases) {
      for (const encoding of [undefined, 'gzip']) {
        const answer = await fetchBytes(server.port, path, encoding);
        const { port } = await bare.ask<{ port: number }>(answer);
        const ours = () => cpuOf(load, server.port, server.pid, path, encoding);
        const theirs = () => cpuOf(load, port, bare.pid, path, encoding);
        const size = `${Math.round(Buffer.byteLength(answer.body, 'base64') / 1024)} kB`;
        const title = `${name}, ${encoding ?? 'plain'}, ${size}: CPU against node:http`;
        figures.push(await compare(title, rounds, ours, theirs));
      }
    }
    return figures;
  } finally {
    await bare.stop();
  }
}

/** Alternates between both sides, so that noise affects both. */
async function compare(
  figure: string,
  rounds: number,
  ours: () => Promise<number>,
  theirs: () => Promise<number>,
): Promise<Figure> {
  for (let pass = 0; pass < WARM_UP; pass++) {
    await ours();
    await theirs();
  }
  const pairs: { ours: number; theirs: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    pairs.push({ ours: await ours(), theirs: await theirs() });
  }
  const ratio = median(pairs.map((pair) => pair.ours / pair.theirs));
  const us = (values: number[]) => (median(values) * 1000).toFixed(0);
  const parts = `${us(pairs.map((pair) => pair.ours))} / ${us(pairs.map((pair) => pair.theirs))} µs`;
  return {
    figure,
    asked: `≤ ${MOST}×`,
    measured: `${times(ratio)} (${parts})`,
    pass: ratio <= MOST,
  };
}

/** Returns the CPU per request, in milliseconds. */
async function cpuOf(
  load: Load,
  port: number,
  pid: Worker['pid'],
  path: string,
  encoding: string | undefined,
): Promise<number> {
  const before = preciseCpuMs(pid);
  const { count } = await load.runWell({
    port,
    paths: [path],
    encoding,
    connections: CONNECTIONS,
    seconds: SECONDS,
  });
  return (preciseCpuMs(pid) - before) / count;
}

/** Returns the response as sent, without the headers that node:http adds. */
async function fetchBytes(
  port: number,
  path: string,
  encoding: string | undefined,
): Promise<BareAnswer> {
  const headers = encoding === undefined ? {} : { 'accept-encoding': encoding };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ port, host: '127.0.0.1', path, headers, agent: false }, resolve).on('error', reject);
  });
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const kept: string[] = [];
  const { rawHeaders } = response;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (/^(date|connection|keep-alive)$/i.test(rawHeaders[i]!)) continue;
    kept.push(rawHeaders[i]!, rawHeaders[i + 1]!);
  }
  return { headers: kept, body: Buffer.concat(chunks).toString('base64') };
}
