import { encodeFunctionData, parseAbi } from 'viem';
import { expect, onTestFinished, test } from 'vitest';
import { paymentMetrics } from '../src/assembly/paymentMetrics.ts';
import { paymentsResume } from '../src/commands/paymentsResume.ts';
import type { Config } from '../src/config/config.ts';
import { examineSelling } from '../src/doctor/examineSelling.ts';
import { readMetrics } from '../src/doctor/runningServer.ts';
import type { Hex } from '../src/domain/hex.ts';
import type { SignedAuthorization } from '../src/payments/authorization/payment.ts';
import { useDatabase } from './database.ts';
import { createFacilitatorServer } from './facilitatorServer.ts';
import { paymentsConfig } from './paidServer.ts';
import {
  expectInvoice,
  expectPaid,
  header,
  NODE,
  openPaidTestServer,
  type PaidTestServer,
  type Reply,
} from './paidTestServer.ts';
import { useResource, useTokenChain } from './paidTests.ts';

const TOKEN = parseAbi([
  'function transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)',
]);
const AFTER_ITS_END = 200;
const LIMIT = { payments: 1, seconds: 86_400 };

let ahead = 0;
let claims = 0;
let isHonest = false;
const now = () => Math.floor(Date.now() / 1000) + ahead;
const chain = useTokenChain({ payers: 1 });
const { database } = useDatabase('postgres');
const service = useResource(() =>
  createFacilitatorServer({
    facilitator: {
      kind: 'embedded',
      verify: async () => ({ ok: true }),
      forget: () => {},
      settle: async (payment) => ({
        outcome: 'settled',
        transaction: isHonest
          ? await bring(payment)
          : `0x${(++claims).toString(16).padStart(64, 'c')}`,
      }),
      close: async () => {},
    },
    network: 'eip155:8453',
  }),
);

async function bring({ authorization, signature }: SignedAuthorization): Promise<Hex> {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  const args = [from, to, value, validAfter, validBefore, nonce, signature] as const;
  const functionName = 'transferWithAuthorization';
  const data = encodeFunctionData({ abi: TOKEN, functionName, args });
  const receipt = await chain.send(chain.terms.asset, data);
  return (receipt as unknown as { transactionHash: Hex }).transactionHash;
}

const pay = () => chain.pay({ validBefore: BigInt(now() + 60) });

function facilitator() {
  const { url } = service;
  return {
    ...{ kind: 'remote' as const, url, headers: {}, timeoutSeconds: 5 },
    confirm: 'service' as const,
    factories: [],
  };
}

async function open(lossLimit = LIMIT): Promise<{ shop: PaidTestServer; changes: object[] }> {
  const changes: object[] = [];
  const shop = await openPaidTestServer({
    store: await database().open(),
    chain,
    now,
    onSelling: (change) => changes.push(change),
    payments: { facilitator: facilitator(), lossLimit },
  });
  onTestFinished(shop.close);
  return { shop, changes };
}

async function doctor(shop?: PaidTestServer) {
  const config = {
    payments: { ...paymentsConfig(chain), lossLimit: LIMIT },
    store: database().config,
  };
  const text = shop && (await scrape(shop));
  const running =
    text && readMetrics(`assay_info{version="1"} 1\nprocess_start_time_seconds 1\n${text}`);
  return examineSelling(config as unknown as Config, running || undefined, now());
}

async function scrape(shop: PaidTestServer): Promise<string> {
  const { gauges } = paymentMetrics(shop.payments, await database().open());
  const one = gauges.find(({ name }) => name === 'assay_payments_selling_stopped')!;
  const [sample] = await one.read();
  return `${one.name} ${sample!.value}`;
}

function expectClosed(reply: Reply): void {
  expect(reply.status).toBe(503);
  expect(reply.headers['payment-required']).toBeUndefined();
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(60);
  expect(JSON.parse(reply.body.toString())).toMatchObject({ code: 'selling_stopped' });
}

test('selling stops in every process when payments turn out lost, until it is resumed', async () => {
  const { shop, changes } = await open();
  const { shop: lenient, changes: unchanged } = await open({ ...LIMIT, payments: 2 });
  // From here on, the URL's quote is cached.
  for (let i = 0; i < 2; i++) expectInvoice(await shop.buy(), 'payment_required');
  isHonest = true;
  const paid = pay();
  const paidText = header(chain, paid, { identifier: 'paid'.padStart(20, '0') });
  expectPaid(await shop.buy(paidText), paid);
  isHonest = false;
  for (const payment of [pay(), pay()]) {
    expectPaid(await shop.buy(header(chain, payment)), payment);
    await expect.poll(async () => (await shop.row(payment))?.deliveredAt).not.toBeNull();
  }
  expect(await doctor(shop)).toMatchObject([{ ok: true }]);
  expect(await doctor()).toMatchObject([{ ok: true }]);
  expect(changes).toEqual([]);

  ahead = AFTER_ITS_END;
  await chain.mine(now());
  await expect
    .poll(async () => {
      await shop.payments.finality.run();
      return shop.payments.selling.isStopped();
    })
    .toBe(true);
  expect(changes).toEqual([{ stopped: true, lost: 2 }]);
  const runs = shop.runs();
  expectClosed(await shop.buy());
  expectClosed(await shop.buy(undefined, { path: `${NODE}2` }));
  const payment = pay();
  expectClosed(await shop.buy(header(chain, payment)));
  expect(await shop.row(payment)).toBeUndefined();
  expectClosed(await shop.buy(header(chain, payment, { accepted: { network: 'eip155:1' } })));
  expect(shop.runs()).toBe(runs);
  // A paid response is still delivered.
  expectPaid(await shop.buy(paidText), paid);

  for (const line of [...(await doctor(shop)), ...(await doctor())]) {
    expect(line).toMatchObject({ ok: false });
    expect(line.text).toContain('run "assay payments resume"');
  }
  // The state is stored, so the next process reads it.
  const { shop: next, changes: nextChanges } = await open();
  expectClosed(await next.buy());
  expect(nextChanges).toEqual([{ stopped: true, lost: 2 }]);
  // The losses do not exceed the other server's higher limit.
  await lenient.payments.selling.refresh();
  expectInvoice(await lenient.buy(), 'payment_required');
  expect(unchanged).toEqual([]);
  // The same losses do not stop sales a second time.
  await shop.payments.selling.refresh();
  expect(changes).toHaveLength(1);

  const lines: string[] = [];
  const config = { payments: { ...paymentsConfig(chain), lossLimit: LIMIT }, file: 'assay.yaml' };
  const context = { config: config as unknown as Config, store: await database().open() };
  expect(await paymentsResume.runOn(context, {}, (line) => lines.push(line))).toBe(0);
  expect(lines).toEqual([
    '2 lost payments no longer count; every server sells again within seconds',
  ]);
  for (const one of [shop, next]) await one.payments.selling.refresh();
  expect(changes).toEqual([
    { stopped: true, lost: 2 },
    { stopped: false, lost: 0 },
  ]);
  expect(await doctor(shop)).toMatchObject([{ ok: true }]);
  expect(await doctor()).toMatchObject([{ ok: true }]);
  isHonest = true;
  expectInvoice(await next.buy(), 'payment_required');
  const again = pay();
  expectPaid(await shop.buy(header(chain, again)), again);
});
