import { describe, expect, test } from 'vitest';
import type { FailureType } from '../src/index.ts';
import { BUDGET, honest, STRANGER, useHostileSeller } from './hostileKit.ts';
import { encode, PRICE, wayOf } from './hostileSeller.ts';
import { sendJson, startLocalServer } from './localServer.ts';

const shop = useHostileSeller();

describe('an honest seller', () => {
  test('default: one signature, two requests, and a report with the receipt', async () => {
    await shop.open(honest);
    const { answer, payment } = await shop.buy();
    expect(answer).toEqual({ url: '/grade' });
    expect(shop.seller.requests).toHaveLength(2);
    const { spent, reserved, payments, spentByHost, open: left } = await shop.payer.report();
    expect(payments).toEqual([payment]);
    expect({ spent, reserved, left }).toEqual({ spent: PRICE, reserved: 0n, left: [] });
    expect(spentByHost).toEqual({ [shop.seller.host]: PRICE });
    expect(payment).toMatchObject({
      outcome: 'paid',
      amount: PRICE,
      url: `${shop.seller.url}/grade`,
      payTo: shop.chain.terms.payTo,
      receipt: { transaction: `0x${'ab'.repeat(32)}`, payer: shop.payer.address },
    });
    expect(await shop.seller.cash()).toEqual({ charges: 1, amount: PRICE });
  });

  test('behavior: a free response costs nothing', async () => {
    await shop.open(({ deliver }) => deliver());
    const data = { url: '/grade' };
    expect(await shop.buy()).toEqual({ data, answer: data, payment: null });
    expect(await shop.payer.quote(`${shop.seller.url}/grade`)).toBe(null);
    expect(shop.signatures).toBe(0);
  });

  test('behavior: a price is returned without being paid', async () => {
    await shop.open(honest);
    expect(await shop.payer.quote(`${shop.seller.url}/grade`)).toMatchObject({ amount: PRICE });
    expect(shop.signatures).toBe(0);
  });
});

describe('the terms of an invoice', () => {
  const ways: [string, FailureType, object][] = [
    ['another asset', 'not_allowed', { asset: STRANGER }],
    ['another recipient', 'not_allowed', { payTo: STRANGER }],
    ['another network', 'not_allowed', { network: 'eip155:1' }],
    ['a network that only looks like it', 'not_allowed', { network: 'eip155:08453' }],
    ['another scheme', 'not_allowed', { scheme: 'upto' }],
    [
      'another way of transfer',
      'invoice',
      { extra: { name: 'a', version: '2', assetTransferMethod: 'permit2' } },
    ],
    ['no domain', 'invoice', { extra: {} }],
    ['no time', 'invoice', { maxTimeoutSeconds: 0 }],
    ['negative time', 'invoice', { maxTimeoutSeconds: -5 }],
    ['unlimited validity', 'invoice', { maxTimeoutSeconds: null }],
    ...[
      '0xc350',
      '-50000',
      '5e4',
      '1e-2',
      '50000.0',
      ' 50000',
      '+50000',
      '050000',
      '0',
      '',
      '٥٠٠٠٠',
      '50_000',
      'NaN',
    ].map((amount): [string, FailureType, object] => [
      `the amount ${JSON.stringify(amount)}`,
      'not_allowed',
      { amount },
    ]),
    ['an amount that is a number', 'not_allowed', { amount: 50_000 }],
    ['an amount that is a list', 'not_allowed', { amount: ['50000'] }],
    ['10^40', 'over_cap', { amount: `1${'0'.repeat(40)}` }],
    ['10^78', 'not_allowed', { amount: `1${'0'.repeat(78)}` }],
    ['one unit above the cap of a call', 'over_cap', { amount: '60001' }],
    [
      'other decimals, and the amount with them',
      'over_cap',
      { amount: `${PRICE * 10n ** 12n}`, extra: { name: 'USD Coin', version: '2', decimals: 18 } },
    ],
  ];
  test.each(ways)('error: %s', async (_, type, way) => {
    await shop.open(({ bill }) => bill({ way }));
    expect(await shop.failing()).toBe(type);
    expect(shop.signatures).toBe(0);
    expect(shop.seller.requests).toHaveLength(1);
    expect(await shop.payer.report()).toMatchObject({ spent: 0n, reserved: 0n });
  });

  test.each([
    ['another path', '/other'],
    ['another query', '/grade?of=2'],
    ['a path above it', '/x/%2e%2e/grade2'],
  ])('error: the resource is %s', async (_, path) => {
    await shop.open(({ bill }) => bill({ invoice: { resource: { url: shop.seller.url + path } } }));
    expect(await shop.failing('/grade?of=1')).toBe('not_allowed');
    expect(shop.signatures).toBe(0);
  });

  test('error: the resource is at another host, or missing', async () => {
    await shop.open(({ turn, bill }) => {
      const resource =
        turn === 0 ? { url: 'https://evil.example/grade' } : turn === 1 ? { url: '/grade' } : {};
      bill({ invoice: { resource } });
    });
    expect(await shop.failing()).toBe('not_allowed');
    expect(await shop.failing()).toBe('not_allowed');
    expect(await shop.failing()).toBe('invoice');
    expect(shop.signatures).toBe(0);
  });

  test('behavior: the same resource in another encoding, or by another name of this machine', async () => {
    await shop.open(({ payment, request, bill, deliver }) => {
      const { port } = new URL(shop.seller.url);
      const url = `http://localhost:${port}${request.url!.replace('%3A', ':').replace('%20', '+')}`;
      if (payment) deliver();
      else bill({ invoice: { resource: { url } } });
    });
    await shop.buy('/grade/a%3Ab?q=x%20y');
    expect(shop.signatures).toBe(1);
  });

  test('behavior: the cheapest allowed way is paid, regardless of the order', async () => {
    await shop.open(({ payment, bill, deliver }) => {
      if (payment) return deliver();
      bill({
        ways: [
          wayOf(shop.chain, { amount: '1', payTo: STRANGER }),
          wayOf(shop.chain, { amount: '59999' }),
          wayOf(shop.chain, { amount: '-1' }),
          'nonsense' as never,
          wayOf(shop.chain, { amount: '40000' }),
          wayOf(shop.chain, { amount: '2', asset: STRANGER }),
          wayOf(shop.chain, { amount: '50000' }),
        ],
      });
    });
    await shop.buy();
    expect(shop.seller.payments.map(({ authorization }) => authorization.value)).toEqual(['40000']);
  });

  test('behavior: a year of validity is clamped', async () => {
    await shop.open(({ payment, bill, deliver }) =>
      payment ? deliver() : bill({ way: { maxTimeoutSeconds: 365 * 86_400 } }),
    );
    await shop.buy();
    const now = Math.floor(Date.now() / 1000);
    const { validBefore } = shop.seller.payments[0]!.authorization;
    expect(Number(validBefore) - now).toBeLessThanOrEqual(120);
  });

  test('error: an oversized invoice', async () => {
    const long = encode({ x402Version: 2, padding: 'x'.repeat(9_300) });
    expect(long.length).toBeGreaterThan(12_288);
    await shop.open(({ turn, bill }) =>
      bill({ headers: { 'payment-required': turn === 0 ? long : long.repeat(8) } }),
    );
    expect(await shop.failing()).toBe('invoice');
    // More than the platform accepts.
    expect(await shop.failing()).toBe('network');
    expect(shop.signatures).toBe(0);
  });

  test.each(['', 'no base64 !', encode('text'), encode([]), encode({ x402Version: 1 })])(
    'error: the invoice %j',
    async (header) => {
      await shop.open(({ bill }) => bill({ headers: { 'payment-required': header } }));
      expect(await shop.failing()).toBe('invoice');
    },
  );

  test('behavior: prices that rise a little each time stop at the cap', async () => {
    let asked = 0n;
    await shop.open(({ payment, bill, deliver }) => {
      if (payment) return deliver();
      asked += 1n;
      bill({ way: { amount: `${PRICE - 10n + asked}` } });
    });
    const ends: string[] = [];
    for (let i = 0; i < 12; i++)
      ends.push(
        await shop.buy(`/${i}`).then(
          () => 'paid',
          (error) => error.cap,
        ),
      );
    expect(ends).toEqual(['paid', 'paid', 'paid', ...Array(9).fill('total')]);
    expect((await shop.seller.cash()).amount).toBeLessThanOrEqual(BUDGET.total);
  });

  test.each([
    ['period', { perPeriod: { amount: 70_000n, seconds: 3_600 } }],
    ['host', { perHost: 70_000n }],
  ] as const)('error: more than the cap per %s', async (cap, more) => {
    await shop.open(honest, { budget: { ...BUDGET, ...more } });
    await shop.buy('/1');
    await expect(shop.buy('/2')).rejects.toMatchObject({ type: 'over_cap', cap, used: PRICE });
  });
});

describe('the target of a request', () => {
  test('error: hosts that are not listed, and plain HTTP to another machine', async () => {
    await shop.open(honest);
    for (const url of [
      'http://api.example.com/',
      'https://api.example.com.evil.example/',
      'https://api.example.com:444/',
      shop.seller.url.replace('127.0.0.1', '127.0.0.2'),
    ]) {
      await expect(shop.payer.buy(url)).rejects.toMatchObject({ what: 'host' });
    }
    expect(shop.seller.requests).toHaveLength(0);
  });

  test.each(['before', 'after'])(
    'error: a redirect %s the invoice, to the same host or another',
    async (when) => {
      const other = await startLocalServer((_, response) => sendJson(response, {}));
      await shop.open(({ payment, turn, response, bill }) => {
        const location = turn % 2 === 0 ? `${other.url}/grade` : '/elsewhere';
        if (when === 'before' || payment) response.writeHead(307, { location }).end();
        else bill();
      });
      expect(await shop.failing()).toBe('redirected');
      expect(await shop.failing()).toBe('redirected');
      expect(other.requests).toHaveLength(0);
      await other.close();
      expect(shop.seller.requests.map(({ url }) => url)).not.toContain('/elsewhere');
      expect(shop.signatures).toBe(when === 'before' ? 0 : 1);
      const { reserved } = await shop.payer.report();
      expect(reserved).toBe(when === 'before' ? 0n : PRICE);
    },
  );
});
