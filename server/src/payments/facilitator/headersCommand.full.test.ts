import { createHmac } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useFacilitatorServer, useTokenChain } from '../../../test/paidTests.ts';
import { PRICE } from '../../../test/tokenChain.ts';
import { FacilitatorUnavailable } from './facilitator.ts';
import { createHeadersCommand, HeadersCommandFailed } from './headersCommand.ts';
import { createRemoteFacilitator } from './remote.ts';

const REQUEST = { method: 'POST', url: 'https://facilitator.example.com/verify' } as const;
const script = (code: string) => [process.execPath, '-e', code];

describe('createHeadersCommand', () => {
  test('default: the program gets the request, and prints headers', async () => {
    const headersFor = createHeadersCommand([
      ...script(`const { FACILITATOR_METHOD, FACILITATOR_URL } = process.env;
        console.log('Authorization: Bearer ' + FACILITATOR_METHOD + ' ' + FACILITATOR_URL);
        console.log('X-Argument:' + process.argv[1] + '\\n');`),
      '; echo $HOME',
    ]);
    expect(await headersFor(REQUEST)).toEqual({
      authorization: 'Bearer POST https://facilitator.example.com/verify',
      'x-argument': '; echo $HOME',
    });
  });

  test.each([
    ['an exit code', script('process.exit(3)'), 'ends with exit code 3'],
    ['nothing', script(''), 'prints nothing'],
    ['no header', script('console.log("secret")'), 'prints a line that is no header'],
    ['too much', script('console.log("a".repeat(20000))'), 'prints more than 16384 bytes'],
    ['a signal', script('process.kill(process.pid, "SIGTERM")'), 'was ended by a signal'],
    ['no such program', ['/nowhere/token'], 'names a program that is not there'],
  ])('error: %s', async (_, words, reason) => {
    const error = await createHeadersCommand(words)(REQUEST).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(HeadersCommandFailed);
    expect((error as HeadersCommandFailed).safeText).toContain(
      `payments.facilitator.headersCommand ${reason}`,
    );
    expect(String(error)).not.toContain('secret');
  });

  test('error: a program that does not end', async () => {
    const headersFor = createHeadersCommand(script('setInterval(() => {}, 1000)'), 300);
    await expect(headersFor(REQUEST)).rejects.toThrow('does not end in time');
  });

  test('behavior: concurrent requests each have their own headers', async () => {
    const headersFor = createHeadersCommand(['/bin/sh', '-c', 'echo "X-Url: $FACILITATOR_URL"']);
    const urls = Array.from({ length: 30 }, (_, i) => `https://facilitator.example.com/${i}`);
    const all = await Promise.all(urls.map((url) => headersFor({ method: 'GET', url })));
    expect(all.map((headers) => headers['x-url'])).toEqual(urls);
  });
});

describe('remote facilitator with headersCommand', () => {
  const SECRET = 'of-the-operator';
  let folder: string;
  let program: string;
  const world = useTokenChain({ payers: 1 });
  const { server } = useFacilitatorServer(world);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-headers-'));
    program = join(folder, 'token.mjs');
    await writeFile(
      program,
      `#!${process.execPath}
import { createHmac, randomUUID } from 'node:crypto';
const { FACILITATOR_METHOD: method, FACILITATOR_URL: url } = process.env;
const nonce = randomUUID();
const signed = createHmac('sha256', process.argv[2]).update([nonce, method, url].join(' ')).digest('hex');
console.log('Authorization: Bearer ' + nonce + '.' + signed);
`,
    );
    await chmod(program, 0o700);
  });
  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }));

  function connect(headersCommand: readonly string[]) {
    const headers = { AUTHORIZATION: 'Bearer old', 'x-account': 'ours' };
    return createRemoteFacilitator({
      url: server.url,
      terms: world.terms,
      headers,
      headersCommand,
    });
  }

  test('default: every request has its own token', async () => {
    const remote = connect([program, SECRET]);
    const payment = world.pay();
    const before = await world.balance(world.terms.payTo);
    expect(await remote.supports()).toBe(true);
    expect(await remote.verify(payment)).toEqual({ ok: true });
    expect(await remote.settle(payment)).toMatchObject({ outcome: 'settled' });
    expect(await world.balance(world.terms.payTo)).toBe(before + PRICE);
    const last = server.requests.slice(-3);
    expect(last.map(({ path }) => path)).toEqual(['supported', 'verify', 'settle']);
    const nonces = new Set<string>();
    for (const { path, headers } of last) {
      const [, nonce, signed] = /^Bearer ([^.]+)\.(.+)$/.exec(headers.authorization!)!;
      const method = path === 'supported' ? 'GET' : 'POST';
      const words = [nonce, method, `${server.url}/${path}`].join(' ');
      expect(signed).toBe(createHmac('sha256', SECRET).update(words).digest('hex'));
      expect(headers['x-account']).toBe('ours');
      nonces.add(nonce!);
    }
    expect(nonces.size).toBe(3);
  });

  test('error: without headers nothing is sent or charged', async () => {
    const remote = connect(['/bin/false']);
    const sent = server.requests.length;
    const error = await remote.verify(world.pay()).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(FacilitatorUnavailable);
    expect((error as Error).cause).toBeInstanceOf(HeadersCommandFailed);
    expect(await remote.settle(world.pay())).toEqual({
      outcome: 'refused',
      code: 'facilitator_unavailable',
    });
    expect(server.requests).toHaveLength(sent);
  });
});
