import { concat, encodeAbiParameters } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, expect, test } from 'vitest';
import { FULL } from '../../../../scripts/test/extents.mjs';
import { describeAnyEngine, someOf } from '../../../test/database.ts';
import { createFaultyRpc } from '../../../test/faultyRpc.ts';
import { paymentsConfig } from '../../../test/paidServer.ts';
import {
  earned,
  expectInvoice,
  expectPaid,
  header,
  type PaidTestServer,
  type Reply,
} from '../../../test/paidTestServer.ts';
import { useResource, useShops, useTokenChain } from '../../../test/paidTests.ts';
import { PRICE } from '../../../test/tokenChain.ts';
import { type Address, lower } from '../../domain/hex.ts';
import type { SignedAuthorization } from '../authorization/payment.ts';

const chain = useTokenChain({ payers: 2 });
const rpc = useResource(() => createFaultyRpc({ target: chain.url }));

const POLL = { timeout: 20_000 };
const UNKNOWN = 'payment_status_unknown';

// No response claims that nothing was charged unless the ledger proves it.
describeAnyEngine('gate without an RPC endpoint', (open) => {
  const start = useShops({ open, chain });
  afterEach(async () => {
    await rpc.mode({ kind: 'none' });
    chain.hold(false);
    await chain.mine();
  });
  let names = 0;
  const identifier = () => `unreachable_${String(names++).padStart(16, '0')}`;
  const later = (seconds: number) => () => Math.floor(Date.now() / 1000) + seconds;
  /** Separate keys, as each server of a pool has. */
  function withKeys(from: number) {
    const { facilitator } = paymentsConfig(chain);
    const keys = chain.keys.slice(from, from + 2);
    return { payments: { facilitator: { ...facilitator, keys } as typeof facilitator } };
  }

  async function buyOne(shop: PaidTestServer): Promise<void> {
    const payment = chain.pay();
    expectPaid(await shop.buy(header(chain, payment)), payment);
  }

  /** Broadcasts a transaction that is not mined, for a client that disconnects. */
  async function broadcast(payment: SignedAuthorization, text: string): Promise<void> {
    const shop = await start(withKeys(0));
    chain.hold(true);
    const client = new AbortController();
    const waiting = shop.buy(text, { signal: client.signal }).catch(() => undefined);
    await expect
      .poll(async () => (await chain.chain.rpc<unknown[]>('eth_pendingTransactions')).length, POLL)
      .toBe(1);
    client.abort();
    await waiting;
    expect(await shop.row(payment)).toMatchObject({ state: 'settling' });
  }

  test('default: a payer that has settled gets what it paid for', async () => {
    const first = await start();
    await buyOne(first);
    const [named, unnamed] = [chain.pay(), chain.pay()];
    const text = header(chain, named, { identifier: identifier() });
    const bought = await first.buy(text);
    expectPaid(bought, named);
    expectPaid(await first.buy(header(chain, unnamed)), unnamed);
    const second = await start({ rpcUrl: rpc.url });
    await rpc.mode({ kind: 'dead' });
    const again = await second.buy(text);
    expectPaid(again, named);
    expect(again.body).toEqual(bought.body);
    expectInvoice(await second.buy(header(chain, unnamed)), 'payment_already_used');
    // The ledger shows that this payment was not charged.
    const fresh = await second.buy(header(chain, chain.pay()));
    expect([fresh.status, codeOf(fresh)]).toEqual([503, undefined]);
  });

  test.each([true, false])(
    'behavior: a payment that was sent, by a payer that has settled (named: %s)',
    async (named) => {
      await buyOne(await start());
      const payment = chain.pay();
      const text = header(chain, payment, named ? { identifier: identifier() } : {});
      const { earned: got } = await earned(chain, async () => {
        await broadcast(payment, text);
        // On this server's clock, the first one's lease has expired.
        const second = await start({ ...withKeys(2), rpcUrl: rpc.url, now: later(20) });
        await rpc.mode({ kind: 'dead' });
        for (let i = 0; i < 2; i++) {
          const reply = await second.buy(text);
          expect([reply.status, codeOf(reply)]).toEqual([503, UNKNOWN]);
        }
        await chain.mine();
        await rpc.mode({ kind: 'none' });
        expectPaid(await untilKnown(second, text), payment);
        expect(second.runs()).toBe(0);
      });
      expect(got).toBe(PRICE);
    },
    60_000,
  );

  test('behavior: a payment that was sent, by a wallet whose signature cannot be verified', async () => {
    const wallet = await deployWallet();
    const payment = chain.pay({ from: wallet });
    const text = header(chain, payment);
    await broadcast(payment, text);
    const second = await start({ ...withKeys(2), rpcUrl: rpc.url, now: later(20) });
    await rpc.mode({ kind: 'dead' });
    const reply = await second.buy(text);
    expect([reply.status, codeOf(reply)]).toEqual([503, UNKNOWN]);
    const fresh = await second.buy(header(chain, chain.pay({ from: wallet })));
    expect([fresh.status, codeOf(fresh)]).toEqual([503, undefined]);
  }, 60_000);

  // Between the claim and the response, in the order of a sale.
  const FAULTS: readonly { readonly method: string; readonly kind: 'http500' | 'deny' }[] = [
    { method: 'eth_call', kind: 'http500' },
    { method: 'eth_getTransactionCount', kind: 'http500' },
    { method: 'eth_sendRawTransaction', kind: 'http500' },
    { method: 'eth_sendRawTransaction', kind: 'deny' },
    { method: 'eth_getTransactionReceipt', kind: 'http500' },
  ];
  const cases = FAULTS.flatMap((fault) => [true, false].map((settled) => ({ ...fault, settled })));
  test.each(someOf('gateUnreachable', cases, 3))(
    'behavior: $method fails ($kind) during a sale (a payer that has settled: $settled)',
    async ({ method, kind, settled }) => {
      const shop = await start({ ...withKeys(0), rpcUrl: rpc.url });
      const other = await start(withKeys(2));
      if (settled) await buyOne(other);
      const payment = chain.pay(settled ? {} : { from: await deployWallet() });
      const text = header(chain, payment, { identifier: identifier() });
      const before = await income();
      await rpc.mode({ kind }, { only: [method] });
      const sentBefore = rpc.requests.length;
      const sends = () =>
        rpc.requests.slice(sentBefore).filter((call) => call.method === 'eth_sendRawTransaction')
          .length;
      let ended = false;
      const selling = shop.buy(text).then(async (reply) => {
        ended = true;
        await expectTrue(reply, shop, payment);
      });
      // Otherwise, the payment is on the chain and the sale waits to detect it, or it is sent repeatedly.
      const isWaiting = async () => (await income()) > before || sends() > 2;
      await expect.poll(async () => ended || (await isWaiting()), POLL).toBe(true);
      if (ended) {
        await selling;
        await expectTrue(await shop.buy(text), shop, payment);
      }
      await rpc.mode({ kind: 'none' });
      expectPaid(await untilKnown(other, text), payment);
      await selling;
      expect((await income()) - before).toBe(PRICE);
    },
    90_000,
  );

  test.runIf(FULL)(
    'behavior: broadcasts fail until the sale gives up, and then work: charged once',
    async () => {
      const shop = await start({ ...withKeys(0), rpcUrl: rpc.url });
      const other = await start(withKeys(2));
      const payment = chain.pay({ validBefore: BigInt(chain.now() + 110) });
      const text = header(chain, payment, { identifier: identifier() });
      const sent = async () => (await sentBy(0)) + (await sentBy(1));
      const before = await sent();
      const { earned: got } = await earned(chain, async () => {
        await rpc.mode({ kind: 'http500' }, { only: ['eth_sendRawTransaction'] });
        const gaveUp = await shop.buy(text);
        expect([gaveUp.status, codeOf(gaveUp)]).toEqual([503, UNKNOWN]);
        await rpc.mode({ kind: 'none' });
        // The first server still sends it, too: the chain accepts it once.
        expectPaid(await untilKnown(other, text), payment);
        await expect.poll(sent, POLL).toBe(before + 1);
      });
      expect(got).toBe(PRICE);
      expect(shop.runs() + other.runs()).toBe(1);
    },
    90_000,
  );

  /** How many transactions of this key the chain has mined. */
  async function sentBy(key: number): Promise<number> {
    const { address } = privateKeyToAccount(chain.keys[key]!);
    return Number(await chain.chain.rpc('eth_getTransactionCount', [address, 'latest']));
  }

  async function deployWallet(): Promise<Address> {
    const owner = encodeAbiParameters([{ type: 'address' }], [chain.payers[0]!.address]);
    const { bytecode } = chain.artifacts.ContractWallet!;
    const { contractAddress } = await chain.send(undefined, concat([bytecode, owner]));
    await chain.mint(lower(contractAddress), 2n * PRICE);
    return lower(contractAddress);
  }

  const income = () => chain.balance(chain.terms.payTo);

  /** An RPC endpoint that has just failed may be skipped for a moment. */
  async function untilKnown(shop: PaidTestServer, text: string): Promise<Reply> {
    let reply: Reply | undefined;
    const status = async () => {
      reply = await shop.buy(text);
      return reply.status;
    };
    await expect.poll(status, { timeout: 45_000, interval: 250 }).not.toBe(503);
    return reply!;
  }
});

/** Expects the response's statement about the charge to be true. */
async function expectTrue(
  reply: Reply,
  shop: PaidTestServer,
  payment: SignedAuthorization,
): Promise<void> {
  if (reply.status === 200) return expectPaid(reply, payment);
  expect([402, 503]).toContain(reply.status);
  if (codeOf(reply) === UNKNOWN) return;
  const row = await shop.row(payment);
  expect(row?.sent ?? false, `${reply.body}, ${row?.state}`).toBe(false);
}

function codeOf({ body }: Reply): unknown {
  return (JSON.parse(body.toString()) as { code?: unknown }).code;
}
