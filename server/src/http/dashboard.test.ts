import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadDashboard } from './dashboard.ts';
import { closeServer, listen } from './listen.ts';
import { createServer } from './server.ts';

const KEY = `0x${'11'.repeat(32)}` as const;
const INDEX = '<!doctype html><title>Assay</title>';

let folder: string;
let app: ReturnType<typeof createServer>;
let url: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-dashboard-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), INDEX);
  await writeFile(join(folder, 'assets/index-1a2b.js'), `export const x = '${'x'.repeat(2000)}';`);
  const dashboard = await loadDashboard({ demo: { walletKey: KEY } }, pathToFileURL(`${folder}/`));
  app = createServer({
    version: '0.1.0',
    getChainStatuses: async () => [],
    onError: () => {},
    dashboard,
  });
  const port = await listen(app, { host: '127.0.0.1', port: 0, setting: 'PORT' });
  url = `http://127.0.0.1:${port}`;
});
afterAll(async () => {
  await closeServer(app, 1_000);
  await rm(folder, { recursive: true, force: true, maxRetries: 20 });
});

describe('pages', () => {
  test.each([
    '/',
    '/family/svcusd',
    '/wallet',
    '/wallet/0xab',
    '/risk?q=x',
    '/risk/pool%3Abase%3A0x12',
    '/alerts',
    '/status',
  ])('default: %s', async (path) => {
    const response = await fetch(url + path);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(INDEX);
    const policy = response.headers.get('content-security-policy');
    expect(policy).toContain("script-src 'self'; style-src 'self'");
    expect(policy).not.toContain('unsafe');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    const etag = response.headers.get('etag')!;
    const again = await fetch(url + path, { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
  });

  test('default: files are cached permanently, and sent compressed', async () => {
    const response = await fetch(`${url}/assets/index-1a2b.js`, {
      headers: { 'accept-encoding': 'br' },
    });
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(response.headers.get('content-encoding')).toBe('br');
    expect(await response.text()).toContain('export const x');
  });

  test.each([
    '/nothing',
    '/v1/nothing',
    '/api/v1/nothing',
    '/family',
    '/family/a/b',
    '/risk/a/b',
    '/assets/index-0000.js',
    '/assets/..%2findex.html',
  ])('error: %s is still a problem response', async (path) => {
    const response = await fetch(url + path);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
  });

  test.each(['/nothing', '/family', '/family/a/b', '/risk/a/b', '/wallets?q=1'])(
    'error: a browser gets a page for %s',
    async (path) => {
      const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
      const response = await fetch(url + path, { headers });
      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('content-security-policy')).toContain("script-src 'self'");
      expect(await response.text()).toBe(INDEX);
    },
  );

  test.each([
    ['GET', '/v1/nothing'],
    ['GET', '/api/v1/nothing'],
    ['GET', '/assets/index-0000.js'],
    ['POST', '/nothing'],
  ])('error: %s %s is a problem for browsers too', async (method, path) => {
    const response = await fetch(url + path, { method, headers: { accept: 'text/html' } });
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
  });

  test('behavior: a server without built pages has none', async () => {
    expect(await loadDashboard({}, pathToFileURL(`${folder}/none/`))).toBeUndefined();
  });
});

describe('GET /dashboard.json', () => {
  /** Sends with node:http, because fetch writes its own Host header. */
  function ask(headers: Readonly<Record<string, string>>): Promise<Record<string, unknown>> {
    return new Promise((resolve, reject) => {
      request(`${url}/dashboard.json`, { headers }, async (response) => {
        let text = '';
        for await (const part of response) text += part;
        expect(response.headers['access-control-allow-origin']).toBeUndefined();
        expect(response.headers['cache-control']).toBe('no-store');
        resolve(JSON.parse(text));
      })
        .on('error', reject)
        .end();
    });
  }

  test('default: the demo hands out its wallet on its own machine', async () => {
    expect(await ask({})).toEqual({ payments: null, isDemo: true, walletKey: KEY });
  });

  test.each<[string, Record<string, string>]>([
    ['by another host name', { host: 'demo.example.com' }],
    ['through a proxy', { 'x-forwarded-for': '203.0.113.7' }],
  ])('error: not %s', async (_, headers) => {
    expect(await ask(headers)).toEqual({ payments: null, isDemo: true, walletKey: null });
  });
});
