import { encodeFunctionData, parseAbi } from 'viem';
import { beforeEach, describe, expect, test } from 'vitest';
import { describeAnyEngine, useDatabase } from '../../../test/database.ts';
import { createFacilitatorServer } from '../../../test/facilitatorServer.ts';
import { createFaultyRpc } from '../../../test/faultyRpc.ts';
import type { PaidServerOptions } from '../../../test/paidServer.ts';
import { earned, expectInvoice, expectPaid, header } from '../../../test/paidTestServer.ts';
import { useResource, useShops, useTokenChain } from '../../../test/paidTests.ts';
import { PRICE } from '../../../test/tokenChain.ts';
import { type Address, type Hex, lower } from '../../domain/hex.ts';
import { hexQuantity } from '../../domain/hexQuantity.ts';
import type { SignedAuthorization } from '../authorization/payment.ts';
import { SettlementUnconfirmed } from '../facilitator/confirmed.ts';

const ELSEWHERE: Address = '0x00000000000000000000000000000000000000ee';
const TOKEN = parseAbi([
  'function transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)',
]);

const chain = useTokenChain({ payers: 2 });
const node = useResource(() => createFaultyRpc({ target: chain.url }));
/** What the service does when it is called to settle; it reports the returned transaction. */
let settle: (payment: SignedAuthorization) => Promise<Hex>;
const service = useResource(() =>
  createFacilitatorServer({
    facilitator: {
      kind: 'embedded',
      verify: async () => ({ ok: true }),
      forget: () => {},
      settle: async (payment) => ({ outcome: 'settled', transaction: await settle(payment) }),
      close: async () => {},
    },
    network: 'eip155:8453',
  }),
);

/** Sends the transaction even if the token reverts, and returns it. */
async function bring({ authorization, signature }: SignedAuthorization): Promise<Hex> {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  const args = [from, to, value, validAfter, validBefore, nonce, signature] as const;
  const functionName = 'transferWithAuthorization';
  const data = encodeFunctionData({ abi: TOKEN, functionName, args });
  const receipt = await chain.send(chain.terms.asset, data);
  return (receipt as unknown as { transactionHash: Hex }).transactionHash;
}

const other = () => {
  const { address, privateKey: key } = chain.payers[1]!;
  return chain.pay({ from: lower(address), key });
};
let made = 0;

/** Transactions that a service can report for a payment that it has not settled. */
const LIES: Readonly<Record<string, (payment: SignedAuthorization) => Promise<Hex>>> = {
  'a made-up hash': async () => `0x${(++made).toString(16).padStart(64, 'd')}`,
  "another payer's payment to this server": () => bring(other()),
  'a payment of less by the same payer': () => bring(chain.pay({ value: PRICE - 1n })),
  'a payment of the same payer to another recipient': () => bring(chain.pay({ to: ELSEWHERE })),
  'a transaction that reverts': (payment) =>
    bring({ ...payment, authorization: { ...payment.authorization, validBefore: 1n } }),
};

/** Starts servers that are paid through the service. */
function useLiar(open: Parameters<typeof useShops>[0]['open']) {
  const openTestShop = useShops({ open, chain });
  beforeEach(() => node.mode({ kind: 'none' }));
  return start;

  function start(
    confirm: 'chain' | 'service' = 'chain',
    {
      timeoutSeconds = 6,
      ...options
    }: Partial<PaidServerOptions> & { timeoutSeconds?: number } = {},
  ) {
    const { url } = service;
    return openTestShop({
      ...options,
      rpcUrl: node.url,
      payments: {
        facilitator: {
          ...{ kind: 'remote', url, headers: {}, timeoutSeconds },
          confirm,
          factories: [],
        },
        ...options.payments,
      },
    });
  }
}

describeAnyEngine('gate and a service that lies', (open) => {
  const start = useLiar(open);

  test.each(Object.entries(LIES))('behavior: it names %s: open, not served', async (_, lie) => {
    settle = lie;
    const payment = chain.pay();
    const text = header(chain, payment);
    const before = await chain.balance(payment.authorization.from);
    const shop = await start();
    const reply = await shop.buy(text);
    expect(reply.status).toBe(503);
    expect(reply.headers['payment-required']).toBeUndefined();
    expect(JSON.parse(reply.body.toString()).code).toBe('payment_status_unknown');
    expect(await shop.row(payment)).toMatchObject({ state: 'unknown', deliveredAt: null });
    expect(shop.errors).toContainEqual(expect.any(SettlementUnconfirmed));
    // The payment is still valid once the service settles what it reports.
    settle = bring;
    const paid = await earned(chain, () => shop.buy(text));
    expectPaid(paid.result, payment);
    expect(paid.earned).toBe(PRICE);
    expect(shop.runs()).toBe(1);
    expect(before).toBeGreaterThan(await chain.balance(payment.authorization.from));
    await shop.close();

    // With confirmation off, the same false report gets a free response.
    settle = lie;
    const believing = await start('service');
    const free = chain.pay();
    expectPaid(await believing.buy(header(chain, free)), free);
    const { authorization } = free;
    expect((await believing.row(free))?.state).toBe('settled');
    const state = await chain.chain.rpc<Hex>('eth_call', [
      { to: chain.terms.asset, data: stateCall(authorization) },
      'latest',
    ]);
    expect(BigInt(state)).toBe(0n);
  });

  test('behavior: it had the nonce used for less: rejected, nothing served', async () => {
    const shop = await start();
    const payment = chain.pay();
    const { nonce } = payment.authorization;
    settle = () => bring(chain.pay({ nonce, value: 1n }));
    const { result, earned: got } = await earned(chain, () => shop.buy(header(chain, payment)));
    expectInvoice(result, 'authorization_cancelled');
    expect(got).toBe(1n);
    expect(await shop.row(payment)).toMatchObject({ state: 'released', deliveredAt: null });
  });

  test('behavior: it names another transaction than the one that paid: served for the latter', async () => {
    const shop = await start();
    const payment = chain.pay();
    let paidBy: Hex | undefined;
    settle = async () => {
      paidBy = await bring(payment);
      return bring(other());
    };
    expectPaid(await shop.buy(header(chain, payment)), payment);
    expect(await shop.row(payment)).toMatchObject({ state: 'settled', transaction: paidBy });
  });

  test('behavior: the RPC endpoint is behind that of the service: waits for it', async () => {
    const shop = await start('chain', { timeoutSeconds: 20 });
    const payment = chain.pay();
    let paidBy: Hex | undefined;
    settle = async () => {
      await node.mode({ kind: 'lag', blocks: 3 });
      paidBy = await bring(payment);
      return paidBy;
    };
    const asked = () => node.requests.filter(({ params }) => params[0] === paidBy).length;
    const reply = shop.buy(header(chain, payment));
    await expect.poll(() => (paidBy ? asked() : 0), { timeout: 15_000 }).toBeGreaterThan(1);
    expect(await shop.row(payment)).toMatchObject({ state: 'settling' });
    await node.mode({ kind: 'none' });
    expectPaid(await reply, payment);
    expect(shop.runs()).toBe(1);
  });

  test('behavior: the RPC endpoint stays behind: open, and finished without a request', async () => {
    const shop = await start();
    const payment = chain.pay();
    const text = header(chain, payment);
    settle = async () => {
      await node.mode({ kind: 'lag', blocks: 3 });
      return bring(payment);
    };
    expect((await shop.buy(text)).status).toBe(503);
    expect(await shop.row(payment)).toMatchObject({ deliveredAt: null });
    await node.mode({ kind: 'none' });
    await expect
      .poll(async () => {
        await shop.payments.reconciler.run();
        return (await shop.row(payment))?.state;
      })
      .toBe('settled');
    expectPaid(await shop.buy(text), payment);
    expect(shop.runs()).toBe(1);
  });

  function stateCall({ from, nonce }: SignedAuthorization['authorization']): Hex {
    return encodeFunctionData({
      abi: parseAbi(['function authorizationState(address,bytes32) view returns (bool)']),
      args: [from, nonce],
    });
  }
});

// Runs last, because it removes blocks and moves the chain's clock; on a database without other watched payments.
describe('gate and a service whose settlement a reorg removes', () => {
  const start = useLiar(useDatabase('pglite').open);

  test('behavior: a correct one that a reorg removes: requested again, or lost, and then selling stops', async () => {
    let ahead = 0;
    const { controls, rpc, tip } = chain.chain;
    controls.set('eth_getBlockByNumber', ([block, full]) =>
      rpc('eth_getBlockByNumber', [
        block === 'finalized' ? hexQuantity(tip.number - 8) : block,
        full,
      ]),
    );
    const changes: boolean[] = [];
    const shop = await start('chain', {
      now: () => chain.now() + ahead,
      onSelling: ({ stopped }) => changes.push(stopped),
      payments: { lossLimit: { payments: 0, seconds: 86_400 } },
    });
    const [kept, gone] = [chain.pay(), chain.pay()];
    settle = bring;
    for (const payment of [kept, gone]) {
      expectPaid(await shop.buy(header(chain, payment)), payment);
      await expect.poll(async () => (await shop.row(payment))?.deliveredAt).not.toBeNull();
    }
    await shop.payments.finality.run();
    const depth = tip.number - (await shop.row(kept))!.blockNumber! + 1;
    const blocks = Array.from({ length: depth + 1 }, () => ({ timestamp: chain.now() }));
    await chain.chain.reorg({ depth, blocks });
    // The service settles only one of the two again.
    settle = async (payment) => {
      const isKept = payment.authorization.nonce === kept.authorization.nonce;
      return isKept ? bring(payment) : LIES['a made-up hash']!(payment);
    };
    await expect
      .poll(
        async () => {
          await shop.payments.finality.run();
          const rows = await Promise.all([kept, gone].map(shop.row));
          return rows.map((row) => row?.blockNumber !== null);
        },
        { timeout: 20_000 },
      )
      .toEqual([true, false]);
    expect(shop.payments.selling.isStopped()).toBe(false);
    ahead = 200;
    await chain.mine(chain.now() + ahead);
    await shop.payments.finality.run();
    expect(await shop.row(gone)).toMatchObject({ state: 'lost' });
    expect(await shop.row(kept)).toMatchObject({ state: 'settled' });
    await expect.poll(() => changes).toEqual([true]);
    const held = await shop.buy();
    expect(held.status).toBe(503);
    expect(held.headers['payment-required']).toBeUndefined();
    expect(JSON.parse(held.body.toString())).toMatchObject({ code: 'selling_stopped' });
    await shop.close();
  });
});
