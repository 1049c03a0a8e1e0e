import { readFileSync } from 'node:fs';
import http from 'node:http';
import { describe, expect, test } from 'vitest';
import { postAlert } from '../src/assembly/postAlert.ts';
import { createHttpPost } from '../src/chain/httpPost.ts';
import { createWsPost } from '../src/chain/wsPost.ts';
import { lightFetch } from '../src/commands/read/lightFetch.ts';
import type { Hex } from '../src/domain/hex.ts';
import { createMarketDataRequest } from '../src/ingest/marketData/marketDataRequest.ts';
import { createPassThroughPayment } from '../src/mcp/passThroughPayment.ts';
import type { SignedAuthorization } from '../src/payments/authorization/payment.ts';
import { FacilitatorUnavailable } from '../src/payments/facilitator/facilitator.ts';
import { createRemoteFacilitator } from '../src/payments/facilitator/remote.ts';
import { ServiceFailed } from '../src/payments/facilitator/serviceClient.ts';
import { openSource } from '../src/risk/import/openSource.ts';
import { createSender } from '../src/webhooks/sender.ts';
import { listenOnLoopback, stopServer } from './loopbackServer.ts';
import { useResource } from './paidTests.ts';

const SECRET = 'hunter2-of-the-operator';
const SIGNATURE: Hex = `0x${'5e'.repeat(65)}`;
const ADDRESS: Hex = `0x${'a1'.repeat(20)}`;
const PAYMENT: SignedAuthorization = {
  signature: SIGNATURE,
  authorization: {
    from: ADDRESS,
    to: ADDRESS,
    value: 1n,
    validAfter: 0n,
    validBefore: 9_999_999_999n,
    nonce: `0x${'22'.repeat(32)}`,
  },
};
const BOUNDS = { timeoutMs: 10_000, maxBodyBytes: 1_000_000, sockets: 2 };

/** A server that is reached only through a redirect, and records what it gets. */
const thief = useResource(async () => {
  const seen: string[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      seen.push(`${request.url} ${JSON.stringify(request.rawHeaders)} ${Buffer.concat(chunks)}`);
      response.end('{"result":"0x1"}');
    });
  });
  server.on('upgrade', (request, socket) => {
    seen.push(`${request.url} ${JSON.stringify(request.rawHeaders)}`);
    socket.destroy();
  });
  const url = `http://127.0.0.1:${await listenOnLoopback(server, 0)}`;
  return { url, seen, close: () => stopServer(server) };
});

/** Redirects with 307, which keeps method and body, as an attacker would. */
const redirecting = useResource(async () => {
  let requests = 0;
  const server = http.createServer((request, response) => {
    requests++;
    request.resume();
    response.writeHead(307, { location: `${thief.url}/stolen` });
    response.end('{"result":"0x2"}');
  });
  server.on('upgrade', (_, socket) => {
    requests++;
    socket.end(`HTTP/1.1 307 Temporary Redirect\r\nLocation: ${thief.url}/stolen\r\n\r\n`);
  });
  const port = await listenOnLoopback(server, 0);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests: () => requests,
    close: () => stopServer(server),
  };
});

/** Returns what reached the thief during `work`, which must have sent something. */
async function stolenBy(work: () => Promise<unknown>): Promise<string[]> {
  const [sent, known] = [redirecting.requests(), thief.seen.length];
  await work();
  expect(redirecting.requests()).toBeGreaterThan(sent);
  return thief.seen.slice(known);
}

describe('a secret and a redirect', () => {
  const errors: unknown[] = [];
  const facilitator = () =>
    createRemoteFacilitator({
      url: redirecting.url,
      terms: {
        chainId: 8453,
        asset: ADDRESS,
        assetName: 'USD Coin',
        assetVersion: '2',
        payTo: ADDRESS,
        maxTimeoutSeconds: 60,
      },
      headers: { 'x-api-key': SECRET },
      headersCommand: ['/bin/echo', `x-token: ${SECRET}`],
      onError: (error) => errors.push(error),
    });

  test('a client that follows it sends header and body', async () => {
    const [stolen] = await stolenBy(() =>
      fetch(redirecting.url, { method: 'POST', headers: { 'x-api-key': SECRET }, body: SIGNATURE }),
    );
    expect(stolen).toContain(SECRET);
    expect(stolen).toContain(SIGNATURE);
  });

  test('the facilitator service: rejected, and the operator is notified what to do', async () => {
    const service = facilitator();
    const failures: unknown[] = [];
    const stolen = await stolenBy(async () => {
      await service.supports().catch((error: unknown) => failures.push(error));
      await service.verify(PAYMENT).catch((error: unknown) => failures.push(error));
      expect(await service.settle(PAYMENT)).toEqual({ outcome: 'unknown', retryable: false });
    });
    expect(stolen).toEqual([]);
    expect(failures).toEqual([
      expect.any(FacilitatorUnavailable),
      expect.any(FacilitatorUnavailable),
    ]);
    for (const error of [...failures.map((one) => (one as Error).cause), ...errors]) {
      expect(error).toBeInstanceOf(ServiceFailed);
      expect((error as ServiceFailed).safeText).toContain(
        'set payments.facilitator.url to the final URL',
      );
      expect(String(error)).not.toContain(thief.url);
    }
    expect(errors).toHaveLength(1);
  });

  const others: Readonly<Record<string, () => Promise<unknown>>> = {
    'an RPC URL': async () => {
      const post = createHttpPost({
        ...BOUNDS,
        url: `http://user:${SECRET}@127.0.0.1:${redirecting.port}/${SECRET}`,
      });
      expect((await post.send('{"id":1}')).status).toBe(307);
      post.close();
    },
    'an RPC URL of a WebSocket': async () => {
      const url = `ws://user:${SECRET}@127.0.0.1:${redirecting.port}/${SECRET}`;
      const post = createWsPost({ ...BOUNDS, url });
      expect((await post.send('{"id":1}')).status).toBe(307);
      post.close();
    },
    'a market-data provider': async () => {
      const request = createMarketDataRequest({
        config: { url: redirecting.url, apiKey: { header: 'x-api-key', value: SECRET } },
        fetch,
        timeoutMs: 10_000,
        attempts: 1,
        wait: async () => {},
        random: () => 0,
        now: Date.now,
      });
      await expect(request('/prices?x=1')).rejects.toThrow();
    },
    'a payment of a tool caller': async () => {
      const buying = createPassThroughPayment({ signature: SIGNATURE }).buy(
        `${redirecting.url}/paid`,
      );
      await expect(buying).rejects.toThrow('307');
    },
    'a message of an alert': async () => {
      const url = `${redirecting.url}/${SECRET}`;
      const request = { url, body: { text: SECRET }, allowPrivate: false };
      const sent = await postAlert(request, AbortSignal.timeout(10_000));
      expect(sent).toMatchObject({ ok: false, reason: expect.stringMatching(/^HTTP 307/) });
    },
    'a webhook': async () => {
      const sender = createSender({ url: `${redirecting.url}/${SECRET}`, allowPrivate: true });
      expect((await sender.send({ 'webhook-signature': SECRET }, '{}')).status).toBe(307);
      sender.close();
    },
    'a payment of the command line': async () => {
      const headers = { 'payment-signature': SIGNATURE };
      expect((await lightFetch(redirecting.url, { headers })).status).toBe(307);
    },
  };
  test.each(Object.entries(others))('%s: nothing arrives', async (_, work) => {
    expect(await stolenBy(work)).toEqual([]);
  });

  test("a public list: followed, without the URL's secret", async () => {
    const stolen = await stolenBy(async () => {
      await (await openSource(`${redirecting.url}/list.json?key=${SECRET}`)).close();
    });
    expect(stolen).toHaveLength(1);
    expect(stolen.join()).not.toContain(SECRET);
  });

  // New code that sends requests must be listed here with how it handles a redirect.
  test('every place that sends a request is known', () => {
    const sources = import.meta.glob<string>(
      [
        '../src/**/*.ts',
        '../../client/src/**/*.ts',
        '!../**/*.test.ts',
        '!../../client/**/*.test.ts',
      ],
      { query: '?raw', import: 'default', eager: true },
    );
    const sending = Object.entries(sources)
      .filter(([, text]) =>
        /\bfetch\(\s*[^)]|(?<!')\b(?:https?|transport)\.(?:request|get)\b|[^.\w]request\(\{|new WebSocket\(/.test(
          text,
        ),
      )
      .map(([path]) => path.replace(/^\.\.\/(?:\.\.\/)?/, ''));
    expect(sending.sort()).toEqual(
      [
        // Tested above.
        'src/payments/facilitator/serviceClient.ts',
        'src/chain/httpPost.ts',
        'src/chain/wsConnection.ts',
        'src/ingest/marketData/marketDataRequest.ts',
        'src/mcp/passThroughPayment.ts',
        'src/commands/read/lightFetch.ts',
        'src/risk/import/openSource.ts',
        // Sends to this machine's own admin port, with node:http and without a secret.
        'src/cli/adminClient.ts',
        'src/doctor/runningServer.ts',
        // The search on the docs pages: a browser reads the server's own files.
        'src/http/docs/script.ts',
        // Tested in the client.
        'client/src/wire/send.ts',
        'client/src/signer/rpcSigner.ts',
        // Calls a method named fetch, which sends through wire/send.ts.
        'client/src/pay/payer.ts',
      ].sort(),
    );
    for (const file of ['serviceClient', 'passThroughPayment']) {
      const path = Object.keys(sources).find((one) => one.endsWith(`/${file}.ts`))!;
      expect(readFileSync(new URL(path, import.meta.url), 'utf8')).toContain("redirect: 'manual'");
    }
  });
});
