import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import type { Payment } from '../src/index.ts';
import { honest, useHostileSeller } from './hostileKit.ts';
import { PRICE, receiptOf, type Sale } from './hostileSeller.ts';
import { sendJson } from './localServer.ts';

const shop = useHostileSeller();

const post = (body: BodyInit, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  body,
  headers,
});

/** Returns the request body, for a price. */
async function echo({ payment, request, response, bill }: Sale): Promise<void> {
  const body = await text(request);
  if (!payment) return bill();
  const receipt = { 'payment-response': receiptOf(payment.authorization.from) };
  const { method, headers } = request;
  response.writeHead(201, { 'content-type': 'text/csv', 'x-method': method!, ...receipt });
  response.end(`${headers['content-type']}\n${headers['x-own'] ?? ''}\n${body}`);
}

const grade = () => `${shop.seller.url}/grade`;
const nonces = () => new Set(shop.seller.payments.map(({ authorization }) => authorization.nonce));

describe('payer.fetch', () => {
  test('default: method, headers, body and a response of any type', async () => {
    await shop.open(echo);
    let paid: Payment | null = null;
    const response = await shop.payer.fetch(
      grade(),
      post('a,b', { 'content-type': 'text/csv', 'x-own': 'mine' }),
      { accept: ({ payment }) => (paid = payment) },
    );
    expect(response).toMatchObject({ status: 201, ok: true });
    expect(response.headers.get('content-type')).toBe('text/csv');
    expect(response.headers.get('x-method')).toBe('POST');
    expect(await response.text()).toBe('text/csv\nmine\na,b');
    expect(paid).toMatchObject({ amount: PRICE, request: expect.stringMatching(/^POST \w{64}$/) });
    expect(await shop.payer.report()).toMatchObject({ spent: PRICE, reserved: 0n });
    expect(shop.signatures).toBe(1);
  });

  test('behavior: a response that is free, and one without a body', async () => {
    await shop.open(({ request, response, deliver }) =>
      request.method === 'DELETE' ? void response.writeHead(204).end() : deliver(),
    );
    expect(await (await shop.payer.fetch(new URL(grade()))).json()).toEqual({ url: '/grade' });
    const empty = await shop.payer.fetch(new Request(grade(), { method: 'DELETE' }));
    expect(empty.status).toBe(204);
    expect(await empty.text()).toBe('');
    expect(shop.signatures).toBe(0);
  });

  test('behavior: bytes come as they are', async () => {
    const bytes = Uint8Array.from({ length: 70_000 }, (_, i) => i % 256);
    await shop.open(({ payment, response, bill }) =>
      payment ? void response.writeHead(200).end(bytes) : bill(),
    );
    const response = await shop.payer.fetch(grade());
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
  });

  test('behavior: calls with the same method, URL, and body are one purchase until its response arrives', async () => {
    let isAwake = false;
    await shop.open(
      async (sale) => {
        if (!sale.payment || isAwake) return echo(sale);
        await text(sale.request);
        sale.bill();
      },
      { budget: { perCall: PRICE, total: 3n * PRICE } },
    );
    const form = () => {
      const data = new FormData();
      data.set('a', '1');
      data.set('file', new Blob(['x'.repeat(100)]), 'x.txt');
      return data;
    };
    const requests = [() => post('a'), () => post('b'), () => post(form())];
    for (const request of [...requests, ...requests]) {
      const failed = shop.payer.fetch(grade(), request());
      await expect(failed).rejects.toMatchObject({ type: 'refused', payment: { amount: PRICE } });
    }
    expect(nonces().size).toBe(3);
    expect(shop.signatures).toBe(3);
    // Another body, method, or URL would be another purchase, and the budget is used up.
    for (const [url, init] of [
      [grade(), post('c')],
      [grade(), { ...post('a'), method: 'PUT' }],
      [grade(), {}],
      [`${grade()}?`, { method: 'POST' }],
    ] as const) {
      await expect(shop.payer.fetch(url, init)).rejects.toMatchObject({ type: 'over_cap' });
    }
    isAwake = true;
    for (const request of requests) {
      expect((await shop.payer.fetch(grade(), request())).status).toBe(201);
    }
    expect(shop.signatures).toBe(3);
    expect(await shop.seller.cash()).toEqual({ charges: 3, amount: 3n * PRICE });
  });

  test('behavior: equal concurrent calls are one purchase, each with its own response', async () => {
    await shop.open(echo);
    const responses = await Promise.all(
      [1, 2, 3].map(() => shop.payer.fetch(grade(), post('same'))),
    );
    for (const response of responses) expect(await response.text()).toContain('same');
    expect(nonces().size).toBe(1);
    expect(shop.signatures).toBe(1);
  });

  test('behavior: if one call cannot accept the response, an equal call can', async () => {
    await shop.open(honest);
    const taken: unknown[] = [];
    const full = shop.payer.buy(grade(), { accept: () => Promise.reject(new Error('full')) });
    const other = shop.payer.buy(grade(), { accept: ({ answer }) => taken.push(answer) });
    await expect(full).rejects.toThrow('full');
    await other;
    expect(taken).toEqual([{ url: '/grade' }]);
    expect(nonces().size).toBe(1);
    expect(await shop.payer.report()).toMatchObject({ spent: PRICE, reserved: 0n });
  });

  test('behavior: delivers the response to a payment again, for the same request only', async () => {
    await shop.open(echo);
    await shop.payer.fetch(grade(), post('a'));
    const { payments } = await shop.payer.report();
    const again = payments[0]!.id;
    const response = await shop.payer.fetch(grade(), post('a'), { again });
    expect(await response.text()).toContain('\na');
    await expect(shop.payer.fetch(grade(), post('b'), { again })).rejects.toMatchObject({
      type: 'config',
    });
    await expect(shop.payer.again(again)).rejects.toMatchObject({ type: 'config' });
    expect(shop.signatures).toBe(1);
    expect(await shop.seller.cash()).toEqual({ charges: 1, amount: PRICE });
  });

  test('behavior: a request that may have been processed is retried only by the caller', async () => {
    let isAwake = false;
    await shop.open(
      async (sale) => {
        if (!sale.payment || isAwake) return echo(sale);
        await text(sale.request);
        sale.response.destroy();
      },
      { retries: 3 },
    );
    const lost = shop.payer.fetch(grade(), post('a'));
    await expect(lost).rejects.toMatchObject({ type: 'unresolved', payment: { amount: PRICE } });
    expect(shop.seller.payments).toHaveLength(1);
    isAwake = true;
    expect((await shop.payer.fetch(grade(), post('a'))).status).toBe(201);
    expect(shop.signatures).toBe(1);
  });

  test.each([301, 302, 303, 307, 308])(
    'error: a redirect (%d) after the payment',
    async (status) => {
      await shop.open(async ({ payment, request, response, bill }) => {
        await text(request);
        if (payment) response.writeHead(status, { location: '/elsewhere' }).end();
        else bill();
      });
      const failed = shop.payer.fetch(grade(), { ...post('a'), redirect: 'follow' });
      await expect(failed).rejects.toMatchObject({
        type: 'redirected',
        payment: { amount: PRICE },
      });
      expect(shop.seller.requests.map(({ url }) => url)).toEqual(['/grade', '/grade']);
    },
  );

  test('error: the same errors as buy', async () => {
    await shop.open(({ payment, request, response, bill }) => {
      if (request.url === '/free') sendJson(response, {}, { status: 404 });
      else if (payment) sendJson(response, {}, { status: 400 });
      else bill({ way: request.url === '/expensive' ? { amount: '60001' } : {} });
    });
    const failing = (path: string) => shop.payer.fetch(shop.seller.url + path, post('x'));
    await expect(failing('/free')).rejects.toMatchObject({ type: 'problem', status: 404 });
    await expect(failing('/expensive')).rejects.toMatchObject({ type: 'over_cap' });
    await expect(failing('/')).rejects.toMatchObject({ status: 400, payment: { amount: PRICE } });
    for (const [url, init] of [
      ['not a url', {}],
      ['/relative', {}],
      [grade(), { method: 'GET', body: 'x' }],
      [grade(), { method: 'not one' }],
    ] as const) {
      await expect(shop.payer.fetch(url, init)).rejects.toMatchObject({ type: 'config' });
    }
    await expect(shop.payer.buy('not a url')).rejects.toMatchObject({ type: 'config' });
    await expect(shop.payer.quote('not a url')).rejects.toMatchObject({ type: 'config' });
  });

  test('behavior: the signal in init aborts it, and nothing is lost', async () => {
    const controller = new AbortController();
    let isAwake = false;
    await shop.open(async (sale) => {
      if (!sale.payment || isAwake) return echo(sale);
      controller.abort();
    });
    const ended = shop.payer.fetch(grade(), { ...post('a'), signal: controller.signal });
    await expect(ended).rejects.toMatchObject({ type: 'aborted', payment: { amount: PRICE } });
    isAwake = true;
    expect((await shop.payer.fetch(grade(), post('a'))).status).toBe(201);
    expect(shop.signatures).toBe(1);
  });
});
