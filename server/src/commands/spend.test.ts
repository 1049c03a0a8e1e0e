import { afterEach, describe, expect, test, vi } from 'vitest';
import { NO_TEXT } from '../../../client/test/hostileModes.ts';
import { encode, type Sale } from '../../../client/test/hostileSeller.ts';
import { sendJson } from '../../../client/test/localServer.ts';
import { openSellerAtTerminal, type SellerAtTerminal } from '../../test/sellerAtTerminal.ts';
import { widthOf } from '../terminal/text.ts';

let shop: SellerAtTerminal;
afterEach(async () => {
  vi.useRealTimers();
  await shop.close();
});

const honest = ({ payment, bill, deliver }: Sale) => (payment ? deliver() : bill());
/** Records every payment and never responds. */
const keeping = ({ payment, bill, response }: Sale) =>
  payment ? response.writeHead(404).end('{}') : bill();

/** Moves the clock by three minutes, after which no signature is valid. */
function expire(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 180_000 });
}

async function buyLost(): Promise<string> {
  shop = await openSellerAtTerminal(keeping);
  expect((await shop.buy()).code).toBe(6);
  return (await shop.list())[0]!.id!;
}

describe('assay spend', () => {
  test('default: purchases, as text and in machine-readable formats', async () => {
    shop = await openSellerAtTerminal(honest);
    const bought = JSON.parse((await shop.buy()).out).payment;
    const [listed, ...others] = await shop.list();
    expect(others).toEqual([]);
    expect(listed).toEqual({
      id: bought.id,
      at: new Date(bought.at * 1000).toISOString(),
      state: 'paid',
      url: `${shop.seller.url}/api/v1/agent/schema`,
      host: shop.seller.host,
      amount: '50000',
      usd: '0.05',
      chargeableUntil: null,
      network: 'eip155:8453',
      asset: bought.asset,
      payTo: shop.payTo,
      payer: bought.payer,
      transaction: bought.receipt.transaction,
      book: 'command line',
    });
    const csv = (await shop.run(`spend --csv --host ${shop.seller.host}`)).out.trim().split('\n');
    expect(csv).toEqual([Object.keys(listed!).join(','), Object.values(listed!).join(',')]);
    const table = await shop.run(`spend --host ${shop.seller.host}`, 80);
    expect(table.out).toContain('CHARGEABLE UNTIL');
    expect(table.out).toMatch(/ schema .* 0\.05 .*paid/);
    expect(table.out).toContain('1 payment; 0.05 USD charged');
    for (const line of table.out.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(80);
    const piped = await shop.run(`spend --host ${shop.seller.host}`);
    expect(piped.out).toContain(bought.id);
  });

  test('behavior: filters', async () => {
    const id = await buyLost();
    for (const flags of ['--since 1h', '--since 2026-01-01', '--state open']) {
      expect(await shop.list(flags), flags).toMatchObject([{ id }]);
    }
    for (const flags of ['--since 2999-01-01', '--state paid']) {
      expect(await shop.list(flags), flags).toEqual([]);
    }
    expect((await shop.run('spend --host nowhere.example')).out).toBe('no matching payments\n');
    const ids = await shop.run(`spend --host ${shop.seller.host} --select .[].id`);
    expect(ids.out).toBe(`${id}\n`);
    for (const flags of ['--since yesterday', '--since 2026-13-01', '--state lost']) {
      expect((await shop.run(`spend ${flags}`)).code, flags).toBe(2);
    }
  });

  test('behavior: shows until when a payment may be charged', async () => {
    await buyLost();
    const { authorization } = shop.seller.payments[0]!;
    const until = new Date(Number(authorization.validBefore) * 1000).toISOString();
    expect(await shop.list()).toMatchObject([{ state: 'open', chargeableUntil: until }]);
    expire();
    expect(await shop.list()).toMatchObject([{ state: 'expired', chargeableUntil: null }]);
  });
});

describe('an unexpected response to a payment', () => {
  test.each([
    [500, { detail: NO_TEXT, title: NO_TEXT }],
    [500, { detail: 1, code: NO_TEXT }],
    [400, { errors: 'x' }],
    [400, { errors: [null] }],
  ])('error: %d with %j: the error names the open payment', async (status, body) => {
    shop = await openSellerAtTerminal(({ payment, bill, response }) =>
      payment ? sendJson(response, body, { status }) : bill(),
    );
    const { code, err } = await shop.buy();
    const [open] = await shop.list();
    expect(open).toMatchObject({ state: 'open' });
    expect(code).toBe(6);
    expect(err).toContain(open!.id);
  });

  test('behavior: a receipt that contains objects is ignored', async () => {
    const receipt = { success: true, network: 'eip155:8453', payer: NO_TEXT, transaction: NO_TEXT };
    const headers = { 'payment-response': encode(receipt) };
    shop = await openSellerAtTerminal(({ payment, bill, deliver }) =>
      payment ? deliver(headers) : bill(),
    );
    const { code, out } = await shop.buy();
    expect({ code, payment: JSON.parse(out).payment }).toMatchObject({
      code: 0,
      payment: { receipt: null },
    });
  });
});

describe('assay spend refetch', () => {
  test('default: the same bytes are sent, and nothing is signed', async () => {
    shop = await openSellerAtTerminal(honest);
    const { answer, payment } = JSON.parse((await shop.buy()).out);
    const again = await shop.run(`spend refetch ${payment.id.slice(0, 8)}…`);
    expect(again).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(again.out)).toEqual(answer);
    const [first, second] = shop.seller.payments;
    expect(second!.header).toBe(first!.header);
    const selected = await shop.run(`spend refetch ${payment.id} --select .url`);
    expect(selected.out).toBe('/api/v1/agent/schema\n');
  });

  test('error: a seller that asks for a new payment gets none', async () => {
    shop = await openSellerAtTerminal(honest);
    const { payment } = JSON.parse((await shop.buy()).out);
    let isForgotten = true;
    shop.sell(({ payment: paid, bill, deliver }) => (paid && !isForgotten ? deliver() : bill()));
    const refused = await shop.run(`spend refetch ${payment.id}`);
    expect(refused).toMatchObject({ code: 4, out: '' });
    expect(refused.err).toMatch(/no longer has the response of payment .* nothing was paid\n$/);
    const headers = () => new Set(shop.seller.payments.map(({ header }) => header)).size;
    expect(headers()).toBe(1);
    // A command that may sign pays the same seller.
    isForgotten = false;
    expect((await shop.buy()).code).toBe(0);
    expect(headers()).toBe(2);
  });

  test('behavior: an expired payment is closed once its response arrives after all', async () => {
    const id = await buyLost();
    const early = await shop.run(`spend refetch ${id}`);
    expect(early).toMatchObject({ code: 6, out: '' });
    expect(early.err).toMatch(/may be charged until .*; run the command that made it again/);
    expect(shop.seller.payments).toHaveLength(1);
    expire();
    expect((await shop.run(`spend refetch ${id}`)).code).toBe(4);
    shop.sell(({ bill }) => bill());
    expect((await shop.run(`spend refetch ${id}`)).code).toBe(5);
    shop.sell(honest);
    expect((await shop.run(`spend refetch ${id}`)).code).toBe(0);
    expect(await shop.list()).toMatchObject([{ id, state: 'paid' }]);
    expect(new Set(shop.seller.payments.map(({ header }) => header)).size).toBe(1);
  });

  test('error: no such payment, and no server', async () => {
    shop = await openSellerAtTerminal(honest);
    const { payment } = JSON.parse((await shop.buy()).out);
    expect(await shop.run('spend refetch 0123456789')).toEqual({
      code: 4,
      out: '',
      err: 'assay: there is no payment "0123456789"; "assay spend" lists all\n',
    });
    expect((await shop.run(`spend refetch ${payment.id} --select .nothing`)).code).toBe(2);
    await shop.seller.close();
    expect((await shop.run(`spend refetch ${payment.id}`)).code).toBe(3);
  });
});

describe('assay spend write-off', () => {
  test('default: an expired payment, after which a new one can be signed', async () => {
    const id = await buyLost();
    const early = await shop.run(`spend write-off ${id}`);
    expect(early).toMatchObject({ code: 6, out: '' });
    expect(early.err).toMatch(/may be charged until .*; write it off after that\n$/);
    expire();
    expect(await shop.run(`spend write-off ${id}`)).toEqual({
      code: 0,
      out: `payment ${id} is written off\n`,
      err: '',
    });
    expect(await shop.list()).toMatchObject([{ id, state: 'written-off' }]);
    shop.sell(honest);
    expect((await shop.buy()).code).toBe(0);
    const nonces = shop.seller.payments.map(({ authorization }) => authorization.nonce);
    expect(new Set(nonces).size).toBe(2);
  });

  test('error: a payment with a known outcome, and an id without a payment', async () => {
    shop = await openSellerAtTerminal(honest);
    const { payment } = JSON.parse((await shop.buy()).out);
    const paid = await shop.run(`spend write-off ${payment.id}`);
    expect(paid).toMatchObject({ code: 1, out: '' });
    expect(paid.err).toContain('is paid; only an expired payment can be written off');
    expect((await shop.run('spend write-off 0123456789')).code).toBe(4);
  });
});
