import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { listenOnLoopback, stopServer } from '../../test/loopbackServer.ts';
import { postAlert } from './postAlert.ts';

const body = { text: 'fired' };
const { signal } = new AbortController();

/** Sends to a local server, and returns what it received. */
async function send(status: number, headers: Record<string, string> = {}) {
  const received: string[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    request.on('end', () => {
      received.push(text);
      response.writeHead(status, headers).end();
    });
  });
  const port = await listenOnLoopback(server, 0);
  try {
    const url = `http://127.0.0.1:${port}/secret`;
    return { result: await postAlert({ url, body, allowPrivate: false }, signal), received };
  } finally {
    await stopServer(server);
  }
}

test('default: a receiver on this machine', async () => {
  expect(await send(200)).toEqual({
    result: { ok: true, reason: 'HTTP 200', retryAfter: null },
    received: [JSON.stringify(body)],
  });
});

test('behavior: returns the wait time in Retry-After', async () => {
  const { result } = await send(429, { 'retry-after': '7' });
  expect(result).toEqual({ ok: false, reason: 'HTTP 429', retryAfter: 7 });
});

test('behavior: redirects are not followed', async () => {
  const { result, received } = await send(307, { location: 'http://127.0.0.1:1/' });
  expect(result).toMatchObject({ ok: false, reason: expect.stringMatching(/^HTTP 307/) });
  expect(received).toHaveLength(1);
});

test.each(['169.254.169.254', '10.0.0.1', '[fd00::1]'])(
  'error: does not connect to %s',
  async (host) => {
    const url = `https://${host}/secret`;
    expect(await postAlert({ url, body, allowPrivate: false }, signal)).toEqual({
      ok: false,
      reason: 'the address is not public; set allowPrivate if that is intended',
      retryAfter: null,
    });
  },
);
