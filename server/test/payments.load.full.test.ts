import { expect, test } from 'vitest';
import { LONG } from '../../scripts/test/extents.mjs';
import { lower } from '../src/domain/hex.ts';
import { paymentReports, type RevenueView } from '../src/store/payments/reports.ts';
import { createRandom } from './activity.ts';
import { describeAnyEngine } from './database.ts';
import { startPaidServer } from './paidServer.ts';
import { useTokenChain } from './paidTests.ts';
import {
  type Answer,
  refusalOf,
  type SignedRequest,
  sendSigned,
  signRequest,
} from './paymentsClient.ts';

const SEED = Number(process.env.ASSAY_SEED ?? 402);
const PAYERS = LONG ? 200 : 20;
const PAYMENTS = LONG ? 2_000 : 200;
const CONCURRENT = 20;
/** Number of forgeries in each payer's name. */
const FORGERIES = 25;

const ROUTES = [
  { route: 'schema', price: 1_000n, path: () => '/api/v1/agent/schema' },
  { route: 'search', price: 1_000n, path: (i: number) => `/api/v1/agent/search?q=${i}` },
  { route: 'node', price: 50_000n, path: (i: number) => `/api/v1/agent/node/pool:base:${i}` },
  {
    route: 'dependencies',
    price: 1_000_000n,
    path: (i: number) => `/api/v1/agent/dependencies?nodeId=pool:base:${i}`,
  },
];

const chain = useTokenChain({ payers: PAYERS });

describeAnyEngine(`${PAYMENTS} payments by ${PAYERS} payers (seed ${SEED})`, (open) => {
  test(
    'default: all settle, ledger and chain agree, forgeries affect no payer',
    async () => {
      const random = createRandom(SEED);
      const store = await open();
      // Exactly the number of payments per payer, so one counted forgery would cause a 429.
      const rateLimit = { perSecond: 0.001, burst: PAYMENTS / PAYERS };
      // A busy machine must not look like a failed RPC endpoint.
      const server = await startPaidServer({
        ...{ store, chain, payments: { rateLimit }, timeoutSeconds: 60 },
      });
      try {
        const before = await chain.balance(chain.terms.payTo);
        const expected = new Map<string, { calls: number; value: bigint }>();
        const jobs: (() => Promise<void>)[] = [];
        for (let i = 0; i < PAYMENTS; i++) {
          const payer = chain.payers[i % PAYERS]!;
          const { route, price, path } = ROUTES[i % 5] ?? random.pick(ROUTES);
          add(expected, route, price);
          add(expected, lower(payer.address), price);
          const sign = (key = payer.privateKey) =>
            signRequest(chain, { path: path(i), payer, price, key, identified: i % 3 === 0 });
          jobs.push(async () => {
            const answer = await send(sign());
            expect(answer?.status, answer?.body).toBe(200);
          });
          // Forgeries are spread over the run, each signed by the next payer.
          const forger = chain.payers[(i + 1) % PAYERS]!;
          const forgeries = Math.ceil((FORGERIES * PAYERS) / PAYMENTS);
          for (let f = 0; f < forgeries; f++) {
            jobs.push(async () => {
              expect(refusalOf(await send(sign(forger.privateKey)))).toBe('invalid_signature');
            });
          }
        }
        await inTurns(jobs);
        const earned = (await chain.balance(chain.terms.payTo)) - before;
        expect(await revenue('route')).toEqual(only(expected, (name) => !name.startsWith('0x')));
        expect(await revenue('payer')).toEqual(only(expected, (name) => name.startsWith('0x')));
        const days = [...(await revenue('day')).values()];
        expect(days.reduce((sum, { calls }) => sum + calls, 0)).toBe(PAYMENTS);
        expect(days.reduce((sum, { value }) => sum + value, 0n)).toBe(earned);
        const spent = [...(await revenue('payer')).values()];
        expect(spent.reduce((sum, { value }) => sum + value, 0n)).toBe(earned);
        await server.close();
        expect(await paymentReports.getCounts(store)).toMatchObject({ open: 0, undelivered: 0 });
        expect(server.errors).toEqual([]);
      } finally {
        await server.close();
      }

      function send(request: SignedRequest): Promise<Answer | undefined> {
        return sendSigned(server.url, request);
      }

      async function revenue(view: RevenueView) {
        const rows = await paymentReports.getRevenue(store, view, 0, Number.MAX_SAFE_INTEGER);
        return new Map(rows.map(({ name, calls, net: value }) => [name, { calls, value }]));
      }
    },
    PAYMENTS * 600,
  );
});

function add(to: Map<string, { calls: number; value: bigint }>, name: string, value: bigint) {
  const found = to.get(name) ?? { calls: 0, value: 0n };
  to.set(name, { calls: found.calls + 1, value: found.value + value });
}

function only<T>(map: ReadonlyMap<string, T>, wanted: (name: string) => boolean) {
  return new Map([...map].filter(([name]) => wanted(name)));
}

async function inTurns(jobs: readonly (() => Promise<void>)[]): Promise<void> {
  const left = jobs.values();
  await Promise.all(
    Array.from({ length: CONCURRENT }, async () => {
      for (const job of left) await job();
    }),
  );
}
