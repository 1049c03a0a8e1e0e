import net from 'node:net';
import { describe, expect, test } from 'vitest';
import { useDatabase } from '../../../test/database.ts';
import { PUBLIC_URL } from '../../../test/paidServer.ts';
import {
  ask,
  base64,
  earned,
  expectInvoice,
  expectPaid,
  header,
  NODE,
} from '../../../test/paidTestServer.ts';
import { useShop, useTokenChain } from '../../../test/paidTests.ts';
import { PRICE } from '../../../test/tokenChain.ts';

const chain = useTokenChain({ payers: 2 });
const { open } = useDatabase('pglite');
const shop = useShop({ open, chain });

describe('gate and encodings', () => {
  test('behavior: every encoding of one authorization is one payment', async () => {
    const payment = chain.pay();
    const { from, to, value, validAfter, validBefore, nonce } = payment.authorization;
    const hex = (number: bigint) => `0x${number.toString(16)}`;
    const upper = (text: string) => `0x${text.slice(2).toUpperCase()}`;
    const spellings = [
      { from: upper(from), value: hex(value) },
      { to: upper(to), nonce: upper(nonce) },
      { value: `000${value}`, validAfter: hex(validAfter), validBefore: hex(validBefore) },
      { validBefore: `0x${validBefore.toString(16).toUpperCase()}` },
      {},
    ];
    const runs = shop.runs();
    const { result, earned: got } = await earned(chain, async () => {
      const replies = [];
      for (const authorization of spellings) {
        replies.push(await shop.buy(header(chain, payment, { authorization })));
      }
      return replies;
    });
    const [first, ...others] = result;
    expectPaid(first!, payment);
    for (const reply of others) expectInvoice(reply, 'payment_already_used');
    expect(got).toBe(PRICE);
    expect(shop.runs() - runs).toBe(1);
    expect(await shop.row(payment)).toMatchObject({ state: 'settled', value: PRICE });
  });

  test('behavior: either header, or both with the same value', async () => {
    for (const as of ['x-payment', 'payment-signature'] as const) {
      const payment = chain.pay();
      expectPaid(await shop.buy(header(chain, payment), { as }), payment);
    }
    const payment = chain.pay();
    const text = header(chain, payment);
    expectPaid(await shop.buy(text, { headers: { 'x-payment': text } }), payment);
  });

  test('error: two different headers are 400, and neither is charged', async () => {
    const [one, two] = [chain.pay(), chain.pay()];
    const { result, earned: got } = await earned(chain, () =>
      shop.buy(header(chain, one), { headers: { 'x-payment': header(chain, two) } }),
    );
    expect(result.status).toBe(400);
    const reason = 'differs from PAYMENT-SIGNATURE; send one, or the same value in both';
    expect(errorsIn(result.body)).toEqual([{ parameter: 'X-PAYMENT', reason }]);
    expect(got).toBe(0n);
    expect(await shop.row(one)).toBeUndefined();
    expect(await shop.row(two)).toBeUndefined();
    const empty = await shop.buy(header(chain, one), { headers: { 'x-payment': '' } });
    expect(empty.status).toBe(400);
  });

  function errorsIn(body: Uint8Array): unknown {
    return JSON.parse(Buffer.from(body).toString()).errors;
  }

  test('error: an undecodable payment is reported with the header that contains it', async () => {
    const reply = await shop.buy(undefined, { headers: { 'x-payment': '!!!' } });
    expect(reply.status).toBe(400);
    expect(errorsIn(reply.body)).toMatchObject([{ parameter: 'X-PAYMENT' }]);
  });

  const undecodable: Record<string, string> = {
    'no text': '',
    'no base64': '!!!',
    'a token of another scheme': 'Bearer abc.def',
    'plain JSON': '{"x402Version":2}',
    'base64 of no JSON': base64('hello'),
    'cut JSON': base64('{"x402Version":2,"acc'),
    null: base64('null'),
    'a number': base64('42'),
    'a text': base64('"payment"'),
    'a list': base64('[{"x402Version":2}]'),
    'bytes that are no text': Buffer.from([0xff, 0xfe, 0x00, 0x80]).toString('base64'),
    'two in one': `${base64('{}')}, ${base64('{}')}`,
    spaces: `${base64('{"a":1}')} ${base64('{"a":1}')}`,
    'two documents': base64('{}{}'),
  };
  test.each(Object.entries(undecodable))('error: %s is 400', async (_name, text) => {
    const reply = await shop.buy(text);
    expect(reply.status).toBe(400);
    expect(reply.headers['content-type']).toContain('problem+json');
    expect(reply.headers['payment-required']).toBeUndefined();
    expect(reply.body.toString()).not.toMatch(/Unexpected|JSON at|position/);
    const reason = 'must be base64 of a JSON object; sign the invoice again';
    expect(errorsIn(reply.body)).toEqual([{ parameter: 'PAYMENT-SIGNATURE', reason }]);
  });

  const faulty: Record<string, [code: string, value: unknown]> = {
    'an empty object': ['invalid_x402_version', {}],
    'a version in text': ['invalid_x402_version', { x402Version: '2' }],
    'no payload': ['invalid_payload', { x402Version: 2, accepted: {} }],
    'a payload that is a list': ['invalid_payload', { x402Version: 2, accepted: {}, payload: [] }],
    'no authorization': ['invalid_authorization', { x402Version: 2, accepted: {}, payload: {} }],
    'a deep nest': [
      'invalid_payload',
      { x402Version: 2, accepted: JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`) },
    ],
    'a prototype': ['invalid_x402_version', JSON.parse('{"__proto__":{"x402Version":2}}')],
  };
  test.each(Object.entries(faulty))('error: %s is 402', async (_name, [code, value]) => {
    expectInvoice(await shop.buy(base64(value)), code);
  });

  const fields: Record<string, object> = {
    'a negative value': { value: '-50000' },
    'a value with an exponent': { value: '5e4' },
    'a fraction': { value: '50000.0' },
    'a value as a number': { value: 50_000 },
    'a value past 256 bits': { value: `0x${'f'.repeat(65)}` },
    'a space': { value: ' 50000' },
    'a short nonce': { nonce: '0x01' },
    'a nonce without 0x': { nonce: '11'.repeat(32) },
    'a long address': { from: `0x${'11'.repeat(21)}` },
    'an address that is an object': { from: { toString: '0x' } },
    'a name instead of an address': { to: 'payee.eth' },
    'no end': { validBefore: undefined },
    'an end past 256 bits': { validBefore: '9'.repeat(78) },
  };
  test.each(Object.entries(fields))('error: %s is 402', async (_name, authorization) => {
    const reply = await shop.buy(header(chain, chain.pay(), { authorization }));
    expectInvoice(reply, 'invalid_authorization');
  });

  const tricks = [
    `/${NODE}`,
    NODE.replace('/agent/', '//agent/'),
    NODE.replace('/agent/', '/AGENT/'),
    NODE.toUpperCase(),
    `${NODE}/`,
    `${NODE}/..`,
    NODE.replace('/node/', '/./node/'),
    NODE.replace('/node/', '/search/../node/'),
    NODE.replace('/node/', '%2Fnode%2F'),
    '/api/v1/agent/node/',
    '/api/v1/agent/node',
    '/api/v1/agent/schema/',
    '/api/v1/agent/schema;a=1',
    '/api/v1/agent/schema%00',
    '/api/v1/agent/schema%20',
    '/api/v1/agent/',
    '/api/v1/agent/secrets',
    '/api/v1/agent/%2e%2e/agent/schemas',
    '\\api\\v1\\agent\\schema',
  ];
  test.each(tricks)('error: %s is not a route: not priced, not sold', async (path) => {
    const payment = chain.pay();
    const runs = shop.runs();
    for (const text of [undefined, header(chain, payment)]) {
      const reply = await shop.buy(text, { path });
      expect([400, 404]).toContain(reply.status);
      expect(reply.headers['payment-required']).toBeUndefined();
    }
    expect(shop.runs()).toBe(runs);
    expect(await shop.row(payment)).toBeUndefined();
  });

  const spelled = [
    '/api/v1/agent/%6Eode/pool:base:0x1',
    '/api/v1/agent/node/pool%3Abase%3A0x1',
    '/api/v1/agent/node/pool%3abase%3a0%781',
    `${NODE}?`,
    `${NODE}#fragment`,
    `http://127.0.0.1${NODE}`,
  ];
  test.each(spelled)('behavior: %s is the same resource, and paid as such', async (path) => {
    expectInvoice(await shop.buy(undefined, { path }), 'payment_required');
    const payment = chain.pay();
    const resource = { url: PUBLIC_URL + NODE };
    const reply = await shop.buy(header(chain, payment, { top: { resource } }), { path });
    expectPaid(reply, payment);
    // The same payment in the canonical form is a replay, not another purchase.
    expectInvoice(await shop.buy(header(chain, payment)), 'payment_already_used');
  });

  test('behavior: a null byte in a value is 400 after payment, and free', async () => {
    const path = '/api/v1/agent/node/a%00b';
    const payment = chain.pay();
    const { result, earned: got } = await earned(chain, () =>
      shop.buy(header(chain, payment), { path }),
    );
    expect(result.status).toBe(400);
    expect(got).toBe(0n);
    expect(await shop.row(payment)).toMatchObject({ state: 'released', answer: null });
  });

  test('behavior: headers of 8 and 11 KB are read, longer ones are 431', async () => {
    for (const bytes of [8_000, 11_000]) {
      const payment = chain.pay();
      const padding = 'x'.repeat((bytes * 3) / 4 - 900);
      const text = header(chain, payment, { top: { extensions: { padding } } });
      expectPaid(await shop.buy(text), payment);
    }
    for (const bytes of [12_500, 17_000, 40_000]) {
      const reply = await shop.buy('A'.repeat(bytes));
      expect({ bytes, status: reply.status }).toEqual({ bytes, status: 431 });
      expect(await endsCleanly(shop.url, 'A'.repeat(bytes))).toMatch(/^HTTP\/1\.1 431 /);
    }
    // The server continues to serve.
    expectInvoice(await shop.buy(), 'payment_required');
  });

  test('behavior: a resource too long for an invoice is 414', async () => {
    const path = `${NODE}?a=`.padEnd(1_500, 'b');
    for (const long of [`${path}b`, `${NODE}?a=${'"'.repeat(500)}`]) {
      const reply = await shop.buy(undefined, { path: long });
      expect(reply.status).toBe(414);
      expect(reply.headers['payment-required']).toBeUndefined();
    }
    expectInvoice(await shop.buy(undefined, { path }), 'payment_required', { path });
  });

  test('behavior: browsers may pay, and may only read', async () => {
    const preflight = await ask(shop.url, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://page.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'payment-signature,access-control-expose-headers',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-origin']).toBe('*');
    const allowed = String(preflight.headers['access-control-allow-headers']).toLowerCase();
    for (const name of ['payment-signature', 'x-payment', 'access-control-expose-headers']) {
      expect(allowed).toContain(name);
    }
    const payment = chain.pay();
    const paid = await shop.buy(header(chain, payment));
    expectPaid(paid, payment);
    expect(paid.headers['access-control-allow-origin']).toBe('*');
    expect(paid.headers['access-control-expose-headers']).toContain('PAYMENT-RESPONSE');
    const unused = chain.pay();
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const reply = await shop.buy(header(chain, unused), { method });
      expect({ method, status: reply.status }).toEqual({ method, status: 405 });
    }
    expect(await shop.row(unused)).toBeUndefined();
  });

  test('behavior: the Host header does not change the resource', async () => {
    const reply = await shop.buy(undefined, { headers: { host: 'evil.example' } });
    expectInvoice(reply, 'payment_required');
  });
});

/** Returns what a plain socket receives until the server ends the connection. */
function endsCleanly(url: string, payment: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('end', () => resolve(Buffer.concat(chunks).toString()));
    socket.write(
      `GET ${NODE} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-PAYMENT: ${payment}\r\n\r\n`,
    );
  });
}
