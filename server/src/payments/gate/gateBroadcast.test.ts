import { afterEach, expect, test } from 'vitest';
import { describeAnyEngine } from '../../../test/database.ts';
import { createFaultyRpc, type Fault } from '../../../test/faultyRpc.ts';
import { paymentsConfig } from '../../../test/paidServer.ts';
import { earned, expectPaid, header, type PaidTestServer } from '../../../test/paidTestServer.ts';
import { useResource, useShops, useTokenChain } from '../../../test/paidTests.ts';
import { PRICE } from '../../../test/tokenChain.ts';
import type { SignedAuthorization } from '../authorization/payment.ts';

const chain = useTokenChain({ payers: 1 });
const rpc = useResource(() => createFaultyRpc({ target: chain.url }));

const POLL = { timeout: 20_000 };
const SEND = 'eth_sendRawTransaction';

describeAnyEngine('gate and broadcast payments', (open) => {
  let made = 0;
  // Every response differs, so that equal bytes can only be the stored ones.
  const start = useShops({ open, chain, answer: async () => ({ made: made++ }) });
  afterEach(async () => {
    await rpc.mode({ kind: 'none' });
    chain.hold(false);
    await chain.mine();
  });
  const later = (seconds: number) => () => Math.floor(Date.now() / 1000) + seconds;
  const pooled = async () =>
    (await chain.chain.rpc<unknown[]>('eth_pendingTransactions')).length as number;
  /** Separate keys, as each server of a pool has. */
  function withKeys(from: number, changes: { maxFeePerGas?: bigint } = {}) {
    const { facilitator } = paymentsConfig(chain);
    const keys = chain.keys.slice(from, from + 1);
    return { facilitator: { ...facilitator, ...changes, keys } as typeof facilitator };
  }
  /** Broadcasts a transaction that is not mined, for a client that disconnects. */
  async function broadcast(
    shop: PaidTestServer,
    payment: SignedAuthorization,
    text: string,
  ): Promise<void> {
    chain.hold(true);
    const client = new AbortController();
    const waiting = shop.buy(text, { signal: client.signal }).catch(() => undefined);
    await expect.poll(pooled, POLL).toBe(1);
    client.abort();
    await waiting;
    expect(await shop.row(payment)).toMatchObject({ state: 'settling' });
  }

  // None of these attempts reaches the pool of an RPC endpoint.
  const refusals: Record<string, { cap?: bigint; fault?: Fault; only?: string }> = {
    'fees are above the cap': { cap: 0n },
    'fees cannot be read': { fault: { kind: 'http429' }, only: 'eth_maxPriorityFeePerGas' },
    'the pool is full': { fault: { kind: 'refuse', words: 'txpool is full' }, only: SEND },
  };
  const cases = Object.keys(refusals).flatMap((name) =>
    [true, false].map((named) => ({ name, named })),
  );
  test.each(cases)(
    'default: a later attempt is rejected ($name), and the first is mined: its response is delivered (named: $named)',
    async ({ name, named }) => {
      const { cap, fault, only } = refusals[name]!;
      const first = await start({ payments: withKeys(0) });
      const payment = chain.pay();
      const identifier = `broadcast_${String(made++).padStart(16, '0')}`;
      const text = header(chain, payment, named ? { identifier } : {});
      const { earned: got } = await earned(chain, async () => {
        await broadcast(first, payment, text);
        const kept = (await first.row(payment))?.answer?.body;
        // On another server's clock, the first one's lease has expired.
        const maxFeePerGas = cap ?? 10n ** 12n;
        const payments = withKeys(1, { maxFeePerGas });
        const second = await start({ payments, rpcUrl: rpc.url, now: later(20) });
        if (fault !== undefined) await rpc.mode(fault, { only: [only!] });
        for (let i = 0; i < 2; i++) {
          const refused = await second.buy(text);
          expect(refused.status).toBe(503);
          expect(JSON.parse(refused.body.toString()).code).toBe('payment_status_unknown');
          expect(await second.row(payment)).toMatchObject({ state: 'unknown', answer: {} });
        }
        expect(await pooled()).toBe(1);
        await chain.mine();
        let reply = await second.buy(text);
        // An RPC endpoint that has just failed may be skipped for a moment; what counts is that no other response is
        // sent.
        while (reply.status === 503) reply = await second.buy(text);
        expectPaid(reply, payment);
        expect(Buffer.compare(reply.body, kept!)).toBe(0);
        expect(second.runs()).toBe(0);
      });
      expect(got).toBe(PRICE);
      expect(first.runs()).toBe(1);
    },
    60_000,
  );

  test.each([0, 90])(
    'behavior: the RPC endpoint accepted what it reported as rejected: the next request resolves it, %i s later',
    async (seconds) => {
      let ahead = 0;
      const now = () => later(ahead)();
      const shop = await start({ payments: withKeys(2), rpcUrl: rpc.url, now });
      const payment = chain.pay();
      const text = header(chain, payment);
      const { earned: got } = await earned(chain, async () => {
        chain.hold(true);
        await rpc.mode({ kind: 'deny' }, { only: [SEND] });
        const first = await shop.buy(text);
        expect(first.status).toBe(503);
        // The payment is charged later.
        expect(JSON.parse(first.body.toString()).code).toBe('payment_status_unknown');
        expect(await pooled()).toBe(1);
        expect(await shop.row(payment)).toMatchObject({ state: 'released' });
        await rpc.mode({ kind: 'none' });
        chain.hold(false);
        await chain.mine();
        ahead = seconds;
        // While the status is unknown, no response asks for another payment.
        await rpc.mode({ kind: 'refuse' }, { only: ['eth_getLogs'] });
        expect((await shop.buy(text)).status).toBe(503);
        await rpc.mode({ kind: 'none' });
        expectPaid(await shop.buy(text), payment);
        await expect.poll(async () => (await shop.row(payment))?.deliveredAt).not.toBeNull();
      });
      expect(got).toBe(PRICE);
      expect(await shop.row(payment)).toMatchObject({ state: 'settled' });
      expect(shop.payments.counts.read()).toEqual([{ route: 'node', calls: 1, value: PRICE }]);
    },
    60_000,
  );
});
