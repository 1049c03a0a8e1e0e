import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAnswerCheck } from '../../test/answers.ts';
import type { Config } from '../config/config.ts';
import { toPayments } from '../config/toPayments.ts';
import type { Gate } from '../payments/gate/gate.ts';
import { METHOD_VERSION } from '../risk/grade/method.ts';
import type { Store } from '../store/store.ts';
import { apiRoutes } from './apiRoutes.ts';
import { MAX_HEADER_BYTES, MAX_URL_LENGTH } from './httpServer.ts';
import { closeServer, listen } from './listen.ts';
import { MAX_RESOURCE_LENGTH } from './paid/resource.ts';
import { agentRoutes } from './risk/agentRoutes.ts';
import type { LiveGraph } from './risk/liveGraph.ts';
import { createServer, serverRoutes } from './server.ts';

// Long requests are rejected before anything is read: no store, graph, or gate is reached.
const {
  facilitator: _,
  blocked: __,
  ...offer
} = toPayments({
  chain: 8453,
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  payTo: '0x1111111111111111111111111111111111111111',
  facilitator: { url: 'https://facilitator.example.com' },
});
const deps = {
  version: '1',
  getChainStatuses: async () => [],
  paid: { gate: {} as Gate, offer },
  routes: [
    ...apiRoutes({
      config: { chains: [], families: [], http: {}, ticks: {} } as unknown as Config,
      store: {} as Store,
      cursorKey: '0x00',
      chains: { read: async () => undefined, close() {} },
    }),
    ...agentRoutes({ graph: {} as LiveGraph, methodVersion: METHOD_VERSION }),
  ],
};
const operations = serverRoutes(deps).map(({ path, access }) => ({
  place: path.replaceAll(/\{\w+\}/g, 'x'),
  most: access === 'paid' ? MAX_RESOURCE_LENGTH : MAX_URL_LENGTH,
}));

describe('requests that are too long', () => {
  const check = createAnswerCheck();
  const errors: unknown[] = [];
  const app = createServer({ ...deps, onError: (error) => errors.push(error) });
  let port: number;
  beforeAll(async () => {
    port = await listen(app, { host: '127.0.0.1', port: 0, setting: 'PORT' });
  });
  afterAll(() => closeServer(app, 1_000));

  /** Checks the response against openapi.json, which lists the status at the operation. */
  async function ask(url: string, headers: Readonly<Record<string, string>> = {}) {
    const answer = await send(port, url, headers);
    expect(check(answer), url.slice(0, 80)).toEqual([]);
    return JSON.parse(answer.body) as { status: number; detail: string };
  }

  test.each(operations)('default: the URL of $place is 414', async ({ place, most }) => {
    const query = `?x=${'y'.repeat(most - place.length - 2)}`;
    expect(await ask(place + query)).toMatchObject({
      status: 414,
      detail: expect.stringContaining(`${most} characters`),
    });
    expect(errors).toEqual([]);
  });

  test.each(operations)('default: the headers of $place are 431', async ({ place }) => {
    const padding = 'y'.repeat(MAX_HEADER_BYTES);
    expect(await ask(place, { 'x-padding': padding })).toMatchObject({ status: 431 });
  });

  test('behavior: every path is in the OpenAPI document', () => {
    expect(operations.length).toBeGreaterThan(20);
    for (const { place } of operations) {
      const undocumented = { method: 'GET', url: place, status: 418, contentType: '', body: '' };
      expect(check(undocumented), place).toEqual(['answers 418']);
    }
  });
});

/** Uses a plain socket, because the framework's own client does not send requests this long. */
function send(port: number, url: string, headers: Readonly<Record<string, string>>) {
  return new Promise<Parameters<ReturnType<typeof createAnswerCheck>>[0]>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.on('data', (part) => {
      text += part;
    });
    socket.on('error', reject);
    socket.on('close', () => {
      const [head = '', body = ''] = text.split('\r\n\r\n');
      const status = Number(head.split(' ')[1]);
      const contentType = /^content-type: (.*)$/im.exec(head)?.[1] ?? null;
      resolve({ method: 'GET', url, status, contentType, body });
    });
    const lines = Object.entries({ host: 'a', connection: 'close', ...headers });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    socket.write(`GET ${url} HTTP/1.1\r\n${head}\r\n`);
  });
}
