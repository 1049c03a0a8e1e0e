import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LONG } from '../../../scripts/test/extents.mjs';
import { openPayment } from '../../test/openPayment.ts';
import { createLedger } from '../pay/ledger.ts';
import { createMemoryStore } from '../pay/memoryStore.ts';
import { recordOf } from '../pay/present.ts';
import type { OpenPayment, SpendStore } from '../pay/store.ts';
import { withPolicy } from './withPolicy.ts';

fc.configureGlobal({ seed: Number(process.env.ASSAY_SEED ?? 20_261_116) });
const RUNS = LONG ? 5_000 : 300;

const POLICY = {
  networks: ['eip155:8453'],
  assets: [`0x${'1'.repeat(40)}`],
  recipients: [`0x${'2'.repeat(40)}`],
  hosts: ['A.example', 'b.example:8080'],
  perCall: '100',
  total: '10000',
};

function payment(id: string, amount: number, url: string, at = 0): OpenPayment {
  return openPayment({ id, amount: `${amount}`, url, reservedAt: at });
}

let made = 0;

/** A ledger with limits and a manual clock. */
function open(limits: unknown[], store: SpendStore = createMemoryStore()) {
  const clock = { now: 0 };
  const now = () => clock.now;
  const terms = withPolicy({ ...POLICY, limits }, store, { now });
  const ledger = createLedger(terms.store, terms.budget, now);
  return { clock, ledger, store: terms.store, reserve, buy };

  async function reserve(amount: number, url: string): Promise<string | OpenPayment> {
    made += 1;
    const one = payment(`${made}`, amount, `${url}?${made}`, clock.now);
    try {
      if (!(await ledger.reserve(one, {}))) throw new Error('another payment is there');
      return one;
    } catch (error) {
      return (error as { cap?: string }).cap ?? String(error);
    }
  }

  async function buy(amount: number, url: string): Promise<string> {
    const one = await reserve(amount, url);
    if (typeof one === 'string') return one;
    await ledger.spent(recordOf(one, 'paid', clock.now, null));
    return 'paid';
  }
}

const ROUTE = 'https://a.example/api/v1/agent/node/x';

describe('withPolicy', () => {
  test("default: sets the payer's allow list and budget", () => {
    const { allow, budget } = withPolicy(
      { ...POLICY, perHost: '7', perPeriod: { amount: '5', seconds: 60 } },
      createMemoryStore(),
    );
    expect(budget).toEqual({
      perCall: 100n,
      total: 10_000n,
      perHost: 7n,
      perPeriod: { amount: 5n, seconds: 60 },
    });
    expect(allow.hosts).toEqual(['a.example', 'b.example:8080']);
  });

  test('behavior: a limit per call, at a route', async () => {
    const { buy } = open([{ path: '/api/v1/agent/node/*', perCall: '50' }]);
    expect(await buy(51, ROUTE)).toBe('limit');
    expect(await buy(50, ROUTE)).toBe('paid');
    expect(await buy(50, ROUTE)).toBe('paid');
    expect(await buy(51, 'https://a.example/api/v1/agent/search')).toBe('paid');
  });

  test('behavior: a total limit, at a host', async () => {
    const { buy, reserve } = open([{ host: 'a.example', total: '120' }]);
    expect(await buy(60, 'https://a.example/1')).toBe('paid');
    expect(await reserve(60, 'https://a.example/2')).toMatchObject({ amount: '60' });
    expect(await buy(1, 'https://a.example/3')).toBe('limit');
    expect(await buy(100, 'https://b.example:8080/1')).toBe('paid');
  });

  test('behavior: a limit per period, at a route, also if the route is encoded differently', async () => {
    const { buy, clock } = open([
      { path: '/api/v1/agent/*', perPeriod: { amount: '100', seconds: 600 } },
    ]);
    clock.now = 1_000;
    expect(await buy(60, ROUTE)).toBe('paid');
    for (const path of ['/api/v1/agent/x', '/api/%76%31/agent/x', '/api/v1/%61gent/%ZZ']) {
      expect(await buy(41, `https://a.example${path}`), path).toBe('limit');
    }
    expect(await buy(40, ROUTE)).toBe('paid');
    clock.now = 1_601;
    expect(await buy(100, ROUTE)).toBe('paid');
  });

  test('behavior: spending of other payers on the store counts, earlier and concurrent', async () => {
    const store = createMemoryStore();
    const other = createLedger(store, { perCall: 100n, total: 10_000n }, () => 0);
    const spend = async (id: string) => {
      const one = payment(id, 50, `https://a.example/${id}`);
      await other.reserve(one, {});
      await other.spent(recordOf(one, 'paid', 0, null));
    };
    await spend('before');
    const { buy } = open([{ host: 'a.example', total: '150' }], store);
    expect(await buy(50, 'https://a.example/1')).toBe('paid');
    await spend('meanwhile');
    expect(await buy(1, 'https://a.example/2')).toBe('limit');
  });

  test('behavior: a payment that is signed again counts in the period of its new expiry', async () => {
    const { ledger, reserve, clock } = open([
      { host: 'a.example', perPeriod: { amount: '100', seconds: 600 } },
    ]);
    const first = (await reserve(60, 'https://a.example/1')) as OpenPayment;
    await ledger.signed(first.id, 'header');
    clock.now = 1_000;
    expect(await reserve(60, 'https://a.example/2')).toMatchObject({ amount: '60' });
    const again = ledger.raise(first.id, { amount: 60n, payTo: '0x2', validBefore: 1_060 }, {});
    await expect(again).rejects.toMatchObject({ type: 'over_cap', cap: 'limit', used: 60n });
  });

  test('error: records that do not add up', async () => {
    const store = createMemoryStore();
    const lossy: SpendStore = { transact: store.transact, getRecords: async () => [] };
    const { buy } = open([{ host: 'a.example', total: '100' }], lossy);
    expect(await buy(50, 'https://a.example/1')).toBe('paid');
    expect(await buy(1, 'https://a.example/2')).toContain('do not add up');
  });

  test('behavior: no order of events spends more than a limit', async () => {
    const step = fc.record({
      who: fc.nat(1),
      amount: fc.integer({ min: 1, max: 60 }),
      path: fc.constantFrom('/a/1', '/a/2', '/b'),
      end: fc.constantFrom('paid', 'charged', 'freed', 'open'),
      later: fc.nat(200),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const store = createMemoryStore();
        const limits = [{ path: '/a/*', perPeriod: { amount: '100', seconds: 300 } }];
        const payers = [open(limits, store), open(limits, store)];
        const spent: { at: number; amount: number }[] = [];
        let now = 1_000;
        for (const { who, amount, path, end, later } of steps) {
          now += later;
          for (const { clock } of payers) clock.now = now;
          const one = await payers[who]!.reserve(amount, `https://a.example${path}`);
          if (typeof one === 'string') continue;
          const { ledger } = payers[who]!;
          if (end === 'freed') await ledger.freed(one);
          else if (end === 'open') await ledger.signed(one.id, 'header');
          else await ledger.spent(recordOf(one, end as 'paid', now, null));
          if (end !== 'freed' && path !== '/b') spent.push({ at: now, amount });
        }
        for (const { at } of spent) {
          const inside = spent.filter((other) => other.at <= at && other.at > at - 300);
          expect(inside.reduce((sum, { amount }) => sum + amount, 0)).toBeLessThanOrEqual(100);
        }
      }),
      { numRuns: RUNS },
    );
  });
});

describe('an invalid policy', () => {
  const limits = (...list: unknown[]) => ({ ...POLICY, limits: list });
  test.each<[string, unknown]>([
    ['text', JSON.stringify(POLICY)],
    ['nothing', null],
    ['a list', [POLICY]],
    ['an unknown field', { ...POLICY, perDay: '1' }],
    ['no total', { ...POLICY, total: undefined }],
    ['a number', { ...POLICY, perCall: 100 }],
    ['a fraction', { ...POLICY, perCall: '1.5' }],
    ['a negative amount', { ...POLICY, perCall: '-1' }],
    ['no hosts', { ...POLICY, hosts: 'a.example' }],
    ['a period without seconds', { ...POLICY, perPeriod: { amount: '1' } }],
    ['a period of 0 seconds', { ...POLICY, perPeriod: { amount: '1', seconds: 0 } }],
    ['limits that are not a list', { ...POLICY, limits: {} }],
    ['a limit without a host or path', limits({ perCall: '1' })],
    ['a limit without a cap', limits({ host: 'a.example' })],
    ['a limit at another host', limits({ host: 'c.example', perCall: '1' })],
    ['a misspelled cap', limits({ host: 'a.example', percall: '1' })],
    ['a path of another form', limits({ path: 'api', perCall: '1' })],
    ['a star in the middle', limits({ path: '/a/*/b', perCall: '1' })],
    ['an encoded path', limits({ path: '/a%2Fb', perCall: '1' })],
  ])('error: %s', (_, policy) => {
    const work = () => withPolicy(policy, createMemoryStore());
    expect(work).toThrow(expect.objectContaining({ type: 'config' }));
    expect(work).toThrow('The policy is invalid');
  });
});
