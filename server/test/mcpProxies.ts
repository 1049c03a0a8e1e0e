import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningCommand, startCommand } from './commandLine.ts';
import { HAS_PACKAGES } from './debianPackages.ts';
import { connectMcp } from './mcpClients.ts';
import { type ProxyServer, recipeOf, startProxyWith } from './proxies.ts';
import type { ReadServer } from './readServer.ts';

const run = promisify(execFile);
const HOST = 'mcp.example.com';
const TOKENS = ['one-token-of-a-machine', 'the-token-of-another'];

/** Tests the tools behind a real proxy with TLS, set up as in docs/agents.md. */
export function describeMcpProxies(getServer: () => ReadServer): void {
  describe.runIf(HAS_PACKAGES)('tools for other machines', () => {
    let folder: string;
    let tools: RunningCommand;
    let toolsUrl: URL;
    let certificate: Buffer;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'assay-tls-'));
      await run('openssl', [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
        ...['-days', '2', '-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST}`],
        ...['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')],
      ]);
      certificate = await readFile(join(folder, 'cert.pem'));
      const server = getServer();
      const env = { ASSAY_URL: server.url, ASSAY_MCP_TOKEN: TOKENS.join('\n') };
      const words = ['mcp', '--http', '0', '--public-url', `https://${HOST}/mcp`];
      const budget = ['--daily-usd', '60', '--max-usd', '0.06'];
      tools = startCommand([...words, ...budget], env, server.folder);
      const [, url = ''] = await tools.says(/the MCP tools are at (\S+)/);
      toolsUrl = new URL(url);
    }, 60_000);
    afterAll(async () => {
      await tools?.end('SIGTERM');
      await rm(folder, { recursive: true, force: true });
    });

    const file = (name: string) => join(folder, name);
    const RECIPES = {
      nginx: () =>
        recipeOf('nginx', HOST, 'agents.md')
          .replace(/\/etc\/ssl\/certs\/\S+(?=;)/, file('cert.pem'))
          .replace(/\/etc\/ssl\/private\/\S+(?=;)/, file('key.pem')),
      // Uses the test's certificate in place of one that Caddy would fetch.
      caddy: () =>
        recipeOf('caddy', HOST, 'agents.md').replace(
          '{\n',
          `{\n    tls ${file('cert.pem')} ${file('key.pem')}\n`,
        ),
    };

    describe.each(['nginx', 'caddy'] as const)('%s', (name) => {
      let proxy: ProxyServer;
      beforeAll(async () => {
        proxy = await startProxyWith(
          name,
          RECIPES[name]().replaceAll('127.0.0.1:8090', toolsUrl.host),
        );
      }, 120_000);
      afterAll(() => proxy?.close());
      const urlOf = (path = '/mcp') => `https://${HOST}:${new URL(proxy.url).port}${path}`;

      test.each(['of 2026', 'of 2025'] as const)(
        'default: the official client %s reads and spends with its own token',
        async (generation) => {
          const server = getServer();
          const before = await server.earned();
          for (const [i, token] of TOKENS.entries()) {
            const fetch = fetchWith(certificate);
            const client = await connectMcp(generation, { url: urlOf(), token, fetch });
            const vaults = await client.call('assay_vaults', {});
            expect(vaults.structuredContent).toMatchObject({ vaults: expect.any(Array) });
            const maxAgeSeconds = i === 0 ? 0 : 3_600;
            const node = await client.call('assay_risk_node', {
              nodeId: 'chain:base',
              maxAgeSeconds,
            });
            expect(node.structuredContent, node.content?.[0]?.text).toMatchObject({
              id: 'chain:base',
            });
            await client.close();
          }
          expect((await server.earned()) - before).toBe(50_000n);
        },
      );

      test('error: serves only /mcp, and only with one of the tokens', async () => {
        const fetch = fetchWith(certificate);
        for (const token of [undefined, 'not-one-of-the-tokens', TOKENS.join('')]) {
          const to = { url: urlOf(), fetch, ...(token && { token }) };
          await expect(connectMcp('of 2026', to)).rejects.toThrow();
        }
        const post = {
          method: 'POST',
          body: '{}',
          headers: { 'content-type': 'application/json' },
        };
        const refused = await fetch(urlOf(), post);
        expect(refused.status).toBe(401);
        expect(refused.headers.get('www-authenticate')).toBe('Bearer');
        const authorization = `Bearer ${TOKENS[0]}`;
        const elsewhere = await fetch(urlOf('/other'), { headers: { authorization } });
        // The response comes from the proxy, not from the tools.
        expect(await elsewhere.text()).not.toContain('use /mcp');
      });
    });

    test('error: rejects another host name of the machine, even with a token', async () => {
      const authorization = `Bearer ${TOKENS[0]}`;
      const statusFor = async (host: string) => {
        const { stdout } = await run('curl', [
          ...['-s', '-o', '/dev/null', '-w', '%{http_code}', '-X', 'POST', toolsUrl.href],
          ...['-H', `host: ${host}`, '-H', `authorization: ${authorization}`, '-d', '{}'],
        ]);
        return stdout;
      };
      expect(await statusFor('evil.example.com')).toBe('403');
      expect(await statusFor(HOST)).not.toBe('403');
    });
  });
}

/** Returns a fetch that resolves the test's host name and trusts the test's certificate. */
function fetchWith(ca: Buffer): typeof fetch {
  return (input, init = {}) =>
    new Promise((resolve, reject) => {
      const { hostname, port, pathname, search } = new URL(String(input));
      const request = https.request(
        {
          ...{ hostname, port, path: pathname + search, ca, agent: false },
          method: init.method ?? 'GET',
          headers: Object.fromEntries(new Headers(init.headers)),
          lookup: (_, __, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
          ...(init.signal && { signal: init.signal }),
        },
        (response) => {
          const status = response.statusCode!;
          const isEmpty = [202, 204, 304].includes(status);
          if (isEmpty) response.resume();
          const body = isEmpty ? null : (Readable.toWeb(response) as ReadableStream);
          resolve(
            new Response(body, { status, headers: response.headers as Record<string, string> }),
          );
        },
      );
      request.once('error', reject);
      request.end(init.body === undefined ? undefined : String(init.body));
    });
}
