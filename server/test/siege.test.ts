import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pause } from '../src/runtime/pause.ts';
import { type AssayProcess, startAssay } from './assayProcess.ts';
import { createDatabase, type TestDatabase } from './database.ts';
import { ask } from './production/readers.ts';
import { statusLiveAt } from './runningApp.ts';
import { type ServedWorld, serveWorld, type WorldFile } from './world.ts';

const LONG = process.env.ASSAY_LONG === '1';
/** Connections that do nothing; some systems allow a process no more than 1 024 in all. */
const IDLE = LONG ? 10_000 : 400;
const SLOW = 100;
/** Two thousand are over in two seconds, and one burst of the machine among them decides. */
const MEASURED = LONG ? 10_000 : 200;
const PATHS = [
  '/v1/vaults',
  '/v1/vaults/svcusd',
  '/v1/history?family=svcusd&limit=20',
  '/v1/status',
];
/** The most that one request can ask for, without anything kept. */
const HEAVY = '/v1/vaults/svcusd/timeseries/allocation?interval=raw&limit=1000';

let served: ServedWorld;
let folder: string;
let database: TestDatabase;
let assay: AssayProcess;
let port: number;
beforeAll(async () => {
  served = await serveWorld({ seed: 'siege' });
  folder = await mkdtemp(join(tmpdir(), 'assay-siege-'));
  const config = join(folder, 'assay.yaml');
  await writeFile(config, served.yaml({ edit: behindProxy }));
  database = await createDatabase('postgres');
  const env = { DATABASE_URL: database.config.databaseUrl! };
  assay = startAssay('start', config, { ...env, PORT: '0', ADMIN_PORT: '0' });
  port = await assay.port;
  const end = performance.now() + 100_000;
  for (;;) {
    const reply = await ask(`http://127.0.0.1:${port}/v1/status`);
    if (statusLiveAt(served.heads())(JSON.parse(reply?.body ?? '{"chains":[]}').chains)) break;
    if (performance.now() > end) throw new Error(`still not there: ${reply?.body}`);
    await pause(200);
  }
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await assay?.kill();
  await database?.drop();
  await served?.close();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

/** Clients are told apart by what the proxy says of them, as where it is in use. */
function behindProxy({ http }: WorldFile): void {
  Object.assign(http, { rateLimit: { loopback: true, trustedProxies: ['127.0.0.1'] } });
}

const sockets = new Set<net.Socket>();

/** Resolves when it is connected; whatever becomes of it later is the server's affair. */
async function open(): Promise<net.Socket> {
  const socket = net.connect({ host: '127.0.0.1', port });
  socket.on('error', () => {});
  // Only who reads learns that the other side has ended it.
  socket.resume();
  socket.on('close', () => sockets.delete(socket));
  sockets.add(socket);
  await once(socket, 'connect');
  return socket;
}

async function openMany(count: number, each: (socket: net.Socket, i: number) => void) {
  for (let i = 0; i < count; i += 100) {
    const some = await Promise.all(Array.from({ length: Math.min(100, count - i) }, open));
    some.forEach(each);
  }
}

/** How long honest clients wait, four at a time: the median, and what one in a hundred exceeds, in milliseconds. */
async function measure(): Promise<{ p50: number; p99: number }> {
  const times: number[] = [];
  await Promise.all(
    Array.from({ length: 4 }, async (_, client) => {
      for (let i = 0; i < MEASURED / 4; i++) {
        const path = PATHS[(i + client) % PATHS.length]!;
        const began = performance.now();
        // Each is another client.
        const from = `198.51.${100 + client}.${i % 250}`;
        const reply = await ask(`http://127.0.0.1:${port}${path}`, { 'x-forwarded-for': from });
        times.push(performance.now() - began);
        expect(reply?.status, path).toBe(200);
      }
    }),
  );
  times.sort((a, b) => a - b);
  return {
    p50: times[Math.floor(times.length / 2)]!,
    p99: times[Math.floor(times.length * 0.99)]!,
  };
}

describe('a siege', () => {
  test('behavior: others are served while many do their worst', async () => {
    await measure();
    const calm = await measure();
    await openMany(IDLE, () => {});
    let over = false;
    const said = new Set<string>();
    // One byte of a header now and then, for ever.
    const drips: Promise<void>[] = [];
    await openMany(SLOW, (socket) => {
      socket.write('GET /v1/vaults HTTP/1.1\r\nHost: a\r\nX-Slow: ');
      drips.push(
        (async () => {
          while (!over && !socket.destroyed) {
            socket.write('a');
            await pause(300);
          }
        })(),
      );
    });
    // Ask for much, and read nothing of it.
    await openMany(SLOW, (socket) => {
      socket.pause();
      const request = `GET ${HEAVY} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 203.0.113.1\r\n\r\n`;
      socket.write(request.repeat(20));
    });
    // Half of a request, and then the client is gone without a word.
    await openMany(SLOW, (socket) => {
      socket.write('GET /v1/va');
      socket.unref();
    });
    const floods = Array.from({ length: 4 }, async () => {
      while (!over) {
        const reply = await ask(`http://127.0.0.1:${port}/v1/vaults`, {
          'x-flood': 'a'.repeat(20_000),
        });
        if (reply !== undefined) said.add(`flood ${reply.status}`);
        await pause(20);
      }
    });
    const heavy = Array.from({ length: 2 }, async (_, i) => {
      for (let n = 0; !over; n++) {
        const from = new Date((served.world.startTime + n) * 1000).toISOString();
        const headers = { 'x-forwarded-for': `203.0.113.${2 + i}` };
        const reply = await ask(`http://127.0.0.1:${port}${HEAVY}&from=${from}`, headers);
        said.add(`heavy ${reply?.status}`);
      }
    });
    const besieged = await measure();
    over = true;
    await Promise.all([...drips, ...floods, ...heavy]);
    // Whoever asks too often is told so, once the burst is over.
    said.delete('heavy 429');
    expect([...said].sort()).toEqual(['flood 431', 'heavy 200']);
    const ms = (time: number) => time.toFixed(1);
    console.info(
      `${IDLE} idle connections: p50 ${ms(calm.p50)} → ${ms(besieged.p50)} ms, p99 ${ms(calm.p99)} → ${ms(besieged.p99)} ms`,
    );
    if (LONG) expect(besieged.p99).toBeLessThanOrEqual(3 * calm.p99);
    // Those who do not come to the point are cut off.
    await expect
      .poll(() => sockets.size, { timeout: 40_000, interval: 500 })
      .toBeLessThanOrEqual(IDLE + SLOW);
  }, 200_000);
});
