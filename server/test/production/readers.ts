import http from 'node:http';
import { pause } from '../../src/runtime/pause.ts';
import type { Member } from './cluster.ts';

/** A server's response, or undefined if the connection ended before it. */
export interface Reply {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: string;
}

export interface Readings {
  /** Number of responses by status. */
  readonly counts: ReadonlyMap<number, number>;
  /** Unexpected responses with their time. */
  readonly faults: readonly string[];
  /** Returns the longest time in which a server returned only 503, in milliseconds. */
  longestOutage(): number;
}

const AGENT = new http.Agent({ keepAlive: true });
const TIMEOUT_MS = 30_000;

export function ask(
  url: string,
  headers: http.OutgoingHttpHeaders = {},
): Promise<Reply | undefined> {
  return new Promise((resolve) => {
    const request = http.get(url, { headers, agent: AGENT, timeout: TIMEOUT_MS }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', () => resolve(undefined));
      response.on('end', () => {
        const { statusCode = 0, headers: said } = response;
        const body = Buffer.concat(chunks).toString();
        resolve({ status: statusCode, retryAfter: said['retry-after'], body });
      });
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(undefined));
  });
}

/** Reads immutable responses from every server in turn until stopped; each must equal the reference. */
export function startReading(
  servers: readonly Member[],
  expected: ReadonlyMap<string, string>,
  readers: number,
): Readings & { stop(): Promise<void> } {
  const counts = new Map<number, number>();
  const faults: string[] = [];
  const outages = new Map<Member, number>();
  let longest = 0;
  let stopped = false;
  const paths = [...expected.keys()];
  const began = performance.now();
  const running = Array.from({ length: readers }, async (_, reader) => {
    for (let turn = reader; !stopped; turn++) {
      const server = servers[turn % servers.length]!;
      const path = paths[(turn * 7) % paths.length]!;
      const reply = await ask(server.url + path);
      // A killed process drops its connections, and accepts none before it is back.
      if (reply === undefined) await pause(50);
      else judge(server, path, reply);
    }
  });
  return {
    counts,
    faults,
    longestOutage: () => longest,
    async stop() {
      stopped = true;
      await Promise.all(running);
    },
  };

  function judge(server: Member, path: string, { status, retryAfter, body }: Reply): void {
    counts.set(status, (counts.get(status) ?? 0) + 1);
    const now = performance.now();
    const say = (what: string) => faults.push(`${Math.round(now - began)} ms: ${path}: ${what}`);
    if (status === 503) {
      if (retryAfter === undefined) say('503 without Retry-After');
      const since = outages.get(server) ?? now;
      outages.set(server, since);
      longest = Math.max(longest, now - since);
      return;
    }
    outages.delete(server);
    if (status !== 200) say(`${status} ${body.slice(0, 200)}`);
    else if (body !== expected.get(path)) say(`another answer: ${body.slice(0, 300)}`);
  }
}
