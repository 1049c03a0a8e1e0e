import { afterEach, beforeEach, expect, test } from 'vitest';
import { exportHolders } from '../../store/positions/exportPositions.ts';
import { closeServer, listen } from '../listen.ts';
import type { Route } from '../route.ts';
import { createServer } from '../server.ts';
import { createExportStreams, type ExportStreams, restMs } from './exportStreams.ts';

let streams: ExportStreams;
let app: ReturnType<typeof createServer>;
let url: string;
/** Lets all exports continue. */
let release: () => void;

beforeEach(async () => {
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  streams = createExportStreams({
    onError() {},
    clientOf: ({ headers }) => headers['x-test-client'] as string | undefined,
  });
  const query = { table: exportHolders, families: [], range: {}, limit: 1 };
  async function* lines(kind: string | undefined) {
    yield 'f,0x01,1';
    if (kind === 'broken') throw new Error('lost');
    await released;
    yield 'f,0x02,2';
  }
  const route: Route = {
    path: '/v1/export/{table}',
    access: 'open',
    operationId: 'exportTable',
    ...{ summary: '', description: '', tag: 'export', parameters: [], problems: [], maxAge: 0 },
    response: { type: 'string' },
    responseExample: '',
    answer: async () => '',
    stream: ({ path }, raw, response) =>
      streams.open({ query, lines: lines(path.table), raw, response }),
  };
  app = createServer({
    ...{ version: '1', getChainStatuses: async () => [], onError() {}, routes: [route] },
  });
  const port = await listen(app, { host: '127.0.0.1', port: 0, setting: 'PORT' });
  url = `http://127.0.0.1:${port}/v1/export`;
});
afterEach(async () => {
  streams.close();
  await closeServer(app, 1_000);
});

test('behavior: more than two at a time get 429, until one has ended', async () => {
  const two = await Promise.all([fetch(`${url}/a`), fetch(`${url}/b`)]);
  const third = await fetch(`${url}/c`);
  expect(third.status).toBe(429);
  expect(third.headers.get('retry-after')).toBe('30');
  expect(await third.json()).toMatchObject({ detail: expect.stringContaining('2 exports') });
  release();
  for (const one of two) {
    expect(await one.text()).toBe('family,wallet,shares\nf,0x01,1\nf,0x02,2\n');
  }
  await expect.poll(async () => (await fetch(`${url}/c`)).status).toBe(200);
});

test('behavior: one client has one at a time, and another client is not kept out', async () => {
  const as = (client: string) => fetch(`${url}/a`, { headers: { 'x-test-client': client } });
  const first = await as('192.0.2.1');
  expect(first.status).toBe(200);
  const second = await as('192.0.2.1');
  expect(second.status).toBe(429);
  expect(await second.json()).toMatchObject({ detail: expect.stringContaining('this address') });
  const other = await as('192.0.2.2');
  expect(other.status).toBe(200);
  release();
  await Promise.all([first.text(), other.text()]);
  await expect.poll(async () => (await as('192.0.2.1')).status).toBe(200);
});

test('restMs: the busier the server, the longer the pauses of an export', () => {
  expect(restMs(10, 0)).toBe(10);
  expect(restMs(10, 0.5)).toBe(45);
  expect(restMs(10, 1)).toBe(80);
  expect(restMs(1_000, 0)).toBe(200);
});

test.each(['gzip', 'br', 'identity'])('behavior: encoded as %s', async (encoding) => {
  release();
  const response = await fetch(`${url}/a`, { headers: { 'accept-encoding': encoding } });
  expect(response.headers.get('content-encoding') ?? 'identity').toBe(encoding);
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(await response.text()).toBe('family,wallet,shares\nf,0x01,1\nf,0x02,2\n');
});

test('error: if rows cannot be read, the response is cut', async () => {
  const read = async () => (await fetch(`${url}/broken`)).text();
  await expect(read()).rejects.toThrow();
});
