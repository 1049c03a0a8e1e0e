import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { type RunningCommand, startCommand } from './commandLine.ts';
import { withDatabase } from './database.ts';
import { freePort } from './freePort.ts';
import { createOtlpReceiver } from './otlpReceiver.ts';

/** Prints the loaded files of the tracing packages when the process ends. */
const PRELOAD = `data:text/javascript,${encodeURIComponent(`
  import { Module } from 'node:module';
  import { isMainThread } from 'node:worker_threads';
  import { writeSync } from 'node:fs';
  if (isMainThread) process.on('exit', () => {
    // The metrics library loads the API package, which does nothing by itself.
    const loaded = Object.keys(Module._cache).filter((file) => /@opentelemetry.(?!api.)/.test(file));
    writeSync(2, 'tracing files loaded: ' + loaded.length);
  });
`)}`;

let folder: string;
let config: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-logs-'));
  config = join(folder, 'assay.yaml');
  const file = {
    http: { host: '127.0.0.1', port: 0, adminPort: 0 },
    store: { folder: join(folder, 'store') },
    chains: [{ id: 8453, name: 'base' }],
    families: [
      {
        ...{ slug: 'plain', name: 'Plain', address: `0x${'11'.repeat(20)}`, adapter: 'erc4626' },
        ...{ base: { marketDataId: 'usd' }, share: { marketDataId: 'plain' } },
        chains: [{ chain: 8453, role: 'settlement' }],
      },
    ],
  };
  await writeFile(config, stringify(file));
});
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }));

interface Line {
  readonly level: string;
  readonly time: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** Parses each line of standard output, which must be JSON. */
function linesOf(server: RunningCommand): Line[] {
  const out = server.output();
  expect(out === '' || out.endsWith('\n')).toBe(true);
  return out
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
}

async function portOf(server: RunningCommand): Promise<string> {
  return (await server.says(/"port":(\d+),"msg":"the API is ready"/, 120))[1]!;
}

describe('the log', () => {
  test('default: standard output contains only JSON lines, standard error nothing', async () => {
    const server = startCommand(['start', '--config', config], {
      ACCESS_LOG: 'true',
      NODE_OPTIONS: `--import=${PRELOAD}`,
    });
    const port = await portOf(server);
    const headers = { 'x-request-id': 'mine', 'payment-signature': 'secret' };
    const url = `http://127.0.0.1:${port}/v1/status?key=secret`;
    const response = await fetch(url, { headers });
    expect(response.headers.get('x-request-id')).toBe('mine');
    await response.text();
    await server.says(/"msg":"request"/);
    expect(await server.end('SIGTERM')).toBe(0);
    const lines = linesOf(server);
    for (const { level, time, msg } of lines) {
      expect({ level, time, msg }).toEqual({
        level: expect.stringMatching(/^(info|warn|error)$/),
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        msg: expect.any(String),
      });
    }
    expect(lines.find(({ msg }) => msg === 'request')).toMatchObject({
      method: 'GET',
      route: '/v1/status',
      path: '/v1/status',
      status: 200,
      requestId: 'mine',
      client: '127.0.0.1',
    });
    // A configuration from before the server asked for the asset of unread chains.
    expect(lines.filter(({ level }) => level === 'warn')).toMatchObject([
      { note: expect.stringMatching(/^families\[0\]\.chains\[0\]\.asset: is missing, /) },
    ]);
    expect(server.output()).not.toContain('secret');
    // Without an endpoint, no tracing package is loaded.
    expect(server.errors()).toBe('tracing files loaded: 0');
  }, 240_000);

  test('error: an unknown LOG_LEVEL', async () => {
    const wrong = startCommand(['start', '--config', config], { LOG_LEVEL: 'loud' });
    expect(await wrong.exit).toBe(2);
    expect(wrong.output()).toBe('');
    expect(wrong.errors()).toContain('LOG_LEVEL must be one of trace, debug, info,');
  }, 60_000);

  test('behavior: serve and index log in the same way; LOG_LEVEL hides lower levels', async () => {
    const receiver = await createOtlpReceiver();
    try {
      await withDatabase('postgres', async ({ config: { databaseUrl } }) => {
        const [port, adminPort] = [await freePort(), await freePort()];
        const start = (command: string, env: Record<string, string>) =>
          startCommand([command, '--config', config], { DATABASE_URL: databaseUrl!, ...env });
        const index = start('index', { ADMIN_PORT: String(adminPort) });
        const serve = start('serve', { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
        const quiet = start('serve', { LOG_LEVEL: 'error', PORT: String(port) });
        const status = async (url: string) => (await fetch(url)).status;
        await status(`http://127.0.0.1:${await portOf(serve)}/v1/status`);
        for (const url of [
          `http://127.0.0.1:${adminPort}/metrics`,
          `http://127.0.0.1:${port}/v1/status`,
        ]) {
          await expect.poll(() => status(url).catch(() => 0), { timeout: 120_000 }).toBe(200);
        }
        for (const server of [serve, index, quiet]) {
          expect(await server.end('SIGTERM')).toBe(0);
          expect(server.errors()).toBe('');
        }
        expect(quiet.output()).toBe('');
        for (const server of [serve, index]) {
          const messages = linesOf(server).map(({ msg }) => msg);
          expect(messages).toContain('stopping');
          // Without ACCESS_LOG, requests are not logged.
          expect(messages).not.toContain('request');
        }
        expect(receiver.spans.map(({ name }) => name)).toContain('GET /v1/status');
      });
    } finally {
      await receiver.close();
    }
  }, 240_000);
});
