import { encodeFunctionData, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { beforeAll, expect, test } from 'vitest';
import { describeAnyEngine } from '../../../test/database.ts';
import { createFacilitatorServer } from '../../../test/facilitatorServer.ts';
import {
  earned,
  expectInvoice,
  expectPaid,
  header,
  type PaidTestServer,
} from '../../../test/paidTestServer.ts';
import { useResource, useShops, useTokenChain } from '../../../test/paidTests.ts';
import { PRICE } from '../../../test/tokenChain.ts';
import { type Address, type Hex, lower } from '../../domain/hex.ts';
import { hexQuantity } from '../../domain/hexQuantity.ts';
import { payers } from '../../store/payments/payers.ts';
import type { SignedAuthorization } from '../authorization/payment.ts';
import { PaymentsLost } from './paymentsLost.ts';

const TOKEN = parseAbi([
  'function transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)',
  'function cancelAuthorization(address,bytes32,bytes)',
]);
const ELSEWHERE: Address = '0x00000000000000000000000000000000000000ee';
const AFTER_ITS_END = 200;

describeAnyEngine('finality', (open) => {
  // One chain for each engine, because its blocks are rolled back and its clock is moved forward.
  const chain = useTokenChain({ payers: 12 });
  /** The newest final block. */
  let final: number;
  let ahead = 0;
  let payer = 0;
  let settles = 0;
  /** A service that reports success but settles nothing. */
  const liar = useResource(() =>
    createFacilitatorServer({
      facilitator: {
        kind: 'embedded',
        verify: async () => ({ ok: true }),
        forget: () => {},
        settle: async () => ({
          outcome: 'settled',
          transaction: `0x${(0xabc000 + settles++).toString(16).padStart(64, '0')}`,
        }),
        close: async () => {},
      },
      network: 'eip155:8453',
    }),
  );
  const start = useShops({ open, chain, now: () => Math.floor(Date.now() / 1000) + ahead });
  beforeAll(() => {
    const { controls, rpc, tip } = chain.chain;
    final = tip.number;
    controls.set('eth_getBlockByNumber', ([block, full]) =>
      rpc('eth_getBlockByNumber', [block === 'finalized' ? hexQuantity(final) : block, full]),
    );
  });

  /** Pays from a separate payer. */
  function pay(): SignedAuthorization {
    const { address, privateKey } = chain.payers[payer++]!;
    return chain.pay({ from: lower(address), key: privateKey });
  }

  async function buy(
    shop: PaidTestServer,
    payment: SignedAuthorization,
    identifier?: string,
  ): Promise<void> {
    const named = { ...(identifier !== undefined && { identifier }) };
    expectPaid(await shop.buy(header(chain, payment, named)), payment);
    await expect.poll(async () => (await shop.row(payment))?.deliveredAt).not.toBeNull();
  }

  /** Settles payments, then closes the server so that it does not resend them. Returns the block of the first one. */
  async function buyAndEnd(...payments: readonly SignedAuthorization[]) {
    const shop = await start();
    for (const payment of payments) await buy(shop, payment);
    await shop.payments.finality.run();
    await shop.close();
    const { blockNumber, transaction } = (await shop.row(payments[0]!))!;
    return { block: blockNumber!, transaction };
  }

  /** Removes this block and all above it, and mines one more than there were. */
  async function reorg(from: number, fill?: () => Promise<void>): Promise<void> {
    const depth = tip() - from + 1;
    const blocks = Array.from({ length: depth + 1 }, (_, i) => ({
      timestamp: chain.now(),
      ...(i === 0 && fill !== undefined && { fill }),
    }));
    await chain.chain.reorg({ depth, blocks });
  }

  function bringOnChain({ authorization, signature }: SignedAuthorization): Hex {
    const { from, to, value, validAfter, validBefore, nonce } = authorization;
    const args = [from, to, value, validAfter, validBefore, nonce, signature] as const;
    return encodeFunctionData({ abi: TOKEN, functionName: 'transferWithAuthorization', args });
  }

  /** Sends a call within the block that is being mined. */
  async function put(data: Hex): Promise<void> {
    await chain.chain.send({ from: chain.operator, to: chain.terms.asset, data });
  }

  async function cancelling({ authorization: { from, nonce } }: SignedAuthorization): Promise<Hex> {
    const { privateKey } = chain.payers.find(({ address }) => lower(address) === from)!;
    const { chainId, asset, assetName, assetVersion } = chain.terms;
    const signature = await privateKeyToAccount(privateKey).signTypedData({
      domain: { name: assetName, version: assetVersion, chainId, verifyingContract: asset },
      types: {
        CancelAuthorization: [
          { name: 'authorizer', type: 'address' },
          { name: 'nonce', type: 'bytes32' },
        ],
      },
      primaryType: 'CancelAuthorization',
      message: { authorizer: from, nonce },
    });
    const args = [from, nonce, signature] as const;
    return encodeFunctionData({ abi: TOKEN, functionName: 'cancelAuthorization', args });
  }

  /** Runs `work` with all clocks past the expiry of everything signed so far. */
  async function later<T>(work: () => Promise<T>): Promise<T> {
    ahead += AFTER_ITS_END;
    await chain.mine(chain.now() + ahead);
    try {
      return await work();
    } finally {
      ahead -= AFTER_ITS_END;
    }
  }

  const calls = async ({ authorization }: SignedAuthorization) =>
    payers.findCalls(await open(), authorization.from);
  const tip = () => chain.chain.tip.number;

  test('default: seen in its block, and confirmed when that is final', async () => {
    const shop = await start();
    const payment = pay();
    await buy(shop, payment);
    expect(await shop.payments.finality.run()).toEqual({ confirmed: 0, lost: 0, missing: 0 });
    const { transaction } = (await shop.row(payment))!;
    const receipt = await chain.chain.rpc<{ blockNumber: Hex }>('eth_getTransactionReceipt', [
      transaction,
    ]);
    const blockNumber = Number(receipt.blockNumber);
    expect(await shop.row(payment)).toMatchObject({ state: 'settled', blockNumber, finalAt: null });
    await chain.mine();
    final = blockNumber - 1;
    expect(await shop.payments.finality.run()).toMatchObject({ confirmed: 0 });
    final = blockNumber;
    // The next check reads the new final block.
    await shop.payments.finality.run();
    await shop.payments.finality.run();
    const row = await shop.row(payment);
    expect(row).toMatchObject({ state: 'settled', blockNumber, transaction });
    expect(row?.finalAt).not.toBeNull();
    expect(await shop.payments.finality.run()).toEqual({ confirmed: 0, lost: 0, missing: 0 });
    await shop.close();
  });

  test('behavior: dropped, and mined again by this sender: the new block is recorded', async () => {
    const shop = await start();
    const payment = pay();
    const { earned: got } = await earned(chain, async () => {
      await buy(shop, payment);
      await chain.mine();
      await shop.payments.finality.run();
      const before = (await shop.row(payment))!;
      expect(before.blockNumber).not.toBeNull();
      await reorg(before.blockNumber!);
      await expect
        .poll(
          async () => {
            await shop.payments.finality.run();
            return (await shop.row(payment))?.blockNumber ?? 0;
          },
          { timeout: 20_000, interval: 500 },
        )
        .toBeGreaterThan(before.blockNumber!);
      expect(await shop.row(payment)).toMatchObject({
        state: 'settled',
        settledAt: before.settledAt,
      });
      await shop.close();
    });
    expect(got).toBe(PRICE);
    expect(await calls(payment)).toBe(1);
  });

  test('behavior: dropped with the process that sent it: sent again, charged once', async () => {
    const payments = [pay(), pay()];
    const { earned: got } = await earned(chain, async () => {
      await reorg((await buyAndEnd(...payments)).block);
      // On the next process's clock, the first one's lease has expired.
      ahead = 20;
      const shop = await start();
      const states = async () => {
        await shop.payments.finality.run();
        const rows = await Promise.all(payments.map((one) => shop.row(one)));
        return rows.map((row) => row!.blockNumber !== null && row!.state);
      };
      await expect.poll(states, { timeout: 10_000 }).toEqual(['settled', 'settled']);
      for (const one of payments) expect(await calls(one)).toBe(1);
      expect(shop.runs()).toBe(0);
      await shop.close();
      ahead = 0;
    });
    expect(got).toBe(2n * PRICE);
  });

  test('behavior: dropped, and settled by another account: settled by that transaction', async () => {
    const payment = pay();
    const { earned: got } = await earned(chain, async () => {
      const { block, transaction } = await buyAndEnd(payment);
      await reorg(block, () => put(bringOnChain(payment)));
      const shop = await start();
      await shop.payments.finality.run();
      await shop.payments.finality.run();
      const row = (await shop.row(payment))!;
      expect(row).toMatchObject({ state: 'settled', blockNumber: block, finalAt: null });
      expect(row.transaction).not.toBe(transaction);
      final = tip();
      await shop.payments.finality.run();
      await shop.payments.finality.run();
      expect((await shop.row(payment))!.finalAt).not.toBeNull();
      await shop.close();
    });
    expect(got).toBe(PRICE);
    expect(await calls(payment)).toBe(1);
  });

  test('behavior: front-run: settled by the faster transaction, and seen there', async () => {
    const shop = await start();
    const payment = pay();
    // This server's transaction is public but not mined for a while.
    chain.lose(1_000);
    const { result, earned: got } = await earned(chain, async () => {
      const buying = shop.buy(header(chain, payment));
      await expect.poll(async () => (await shop.row(payment))?.state).toBe('settling');
      expect(await chain.send(chain.terms.asset, bringOnChain(payment))).toMatchObject({
        status: '0x1',
      });
      chain.lose(0);
      return buying;
    });
    expectPaid(result, payment);
    expect(got).toBe(PRICE);
    await shop.payments.finality.run();
    const row = (await shop.row(payment))!;
    expect(row).toMatchObject({ state: 'settled', blockNumber: expect.any(Number) });
    const sent = await chain.chain.rpc<{ from: Hex }>('eth_getTransactionByHash', [
      row.transaction,
    ]);
    expect(lower(sent.from)).toBe(lower(chain.operator));
    await shop.close();
  }, 30_000);

  test('behavior: dropped and cancelled: lost at once; when a reorg removes that, settled again', async () => {
    const payment = pay();
    const { block } = await buyAndEnd(payment);
    const cancel = await cancelling(payment);
    await reorg(block, () => put(cancel));
    const shop = await start();
    expect(await shop.payments.finality.run()).toMatchObject({ lost: expect.any(Number) });
    const row = await shop.row(payment);
    expect(row).toMatchObject({ state: 'lost', finalAt: null });
    expect(await calls(payment)).toBe(0);
    expect(shop.errors).toContainEqual(expect.any(PaymentsLost));
    // A retry gets a new invoice.
    expectInvoice(await shop.buy(header(chain, payment)), 'payment_lost');
    const { earned: got } = await earned(chain, async () => {
      await reorg(block, () => put(bringOnChain(payment)));
      await shop.payments.finality.run();
      await shop.payments.finality.run();
      await shop.payments.finality.run();
    });
    expect(got).toBe(PRICE);
    expect(await shop.row(payment)).toMatchObject({ state: 'settled', blockNumber: block });
    expect(await calls(payment)).toBe(1);
    await shop.close();
  });

  test('behavior: dropped, and the account is emptied: lost after its expiry, and only then', async () => {
    const payment = pay();
    const { from } = payment.authorization;
    const key = chain.payers.find(({ address }) => lower(address) === from)!.privateKey;
    const { block } = await buyAndEnd(payment);
    // The entire previous balance.
    const value = (await chain.balance(from)) + PRICE;
    const drain = chain.pay({ from, key, to: ELSEWHERE, value });
    await reorg(block, () => put(bringOnChain(drain)));
    const shop = await start();
    for (let i = 0; i < 3; i++) {
      expect(await shop.payments.finality.run()).toMatchObject({ lost: 0, missing: 1 });
    }
    expect(await shop.row(payment)).toMatchObject({ state: 'settled', blockNumber: null });
    await later(async () => {
      await shop.payments.finality.run();
      expect(await shop.row(payment)).toMatchObject({ state: 'lost', blockNumber: tip() });
      expect(await calls(payment)).toBe(0);
      // Its status becomes final like any other.
      final = tip();
      await shop.payments.finality.run();
      await shop.payments.finality.run();
      const row = await shop.row(payment);
      expect(row?.state).toBe('lost');
      expect(row?.finalAt).not.toBeNull();
    });
    await shop.close();
    // The remaining tests run at the current time again.
    final = tip() - 1;
    await reorg(tip());
  });

  test('behavior: other states are not touched by any reorg', async () => {
    const [released, unknown] = [pay(), pay()];
    const broke = await start({ answer: async () => Promise.reject(new Error('no answer')) });
    expect((await broke.buy(header(chain, released))).status).toBe(500);
    await broke.close();
    await liar.mode('hang', 'settle');
    const facilitator = {
      kind: 'remote' as const,
      url: liar.url,
      headers: {},
      timeoutSeconds: 1,
      confirm: 'chain' as const,
      factories: [],
    };
    const shop = await start({ payments: { facilitator } });
    expect((await shop.buy(header(chain, unknown))).status).toBe(503);
    const before = [await shop.row(released), await shop.row(unknown)];
    expect(before.map((row) => row?.state)).toEqual(['released', 'unknown']);
    await reorg(tip() - 2);
    for (let i = 0; i < 3; i++) await shop.payments.finality.run();
    expect([await shop.row(released), await shop.row(unknown)]).toEqual(before);
    await shop.close();
    await liar.mode('none');
  });

  test('behavior: a service reports false success: detected, requested again, and lost after its expiry', async () => {
    const facilitator = {
      kind: 'remote' as const,
      url: liar.url,
      headers: {},
      timeoutSeconds: 5,
      // Confirmation is off here, because the test covers the later watch.
      confirm: 'service' as const,
      factories: [],
    };
    const shop = await start({ payments: { facilitator } });
    const payment = pay();
    const { earned: got } = await earned(chain, () => buy(shop, payment, 'x'.repeat(20)));
    expect(got).toBe(0n);
    expect(settles).toBe(1);
    for (let i = 0; i < 9; i++) {
      expect(await shop.payments.finality.run()).toMatchObject({ missing: 1 });
      expect(await shop.row(payment)).toMatchObject({ state: 'settled', blockNumber: null });
    }
    // The interval grows.
    expect(settles).toBeGreaterThan(1);
    expect(settles).toBeLessThan(6);
    await later(async () => {
      await shop.payments.finality.run();
      expect(await shop.row(payment)).toMatchObject({ state: 'lost' });
      expect(await calls(payment)).toBe(0);
      await shop.close();
      // Its identifier is free for a replacement payment.
      const honest = await start();
      const { from } = payment.authorization;
      const key = chain.payers.find(({ address }) => lower(address) === from)!.privateKey;
      const validBefore = BigInt(chain.now() + ahead + 60);
      await buy(honest, chain.pay({ from, key, validBefore }), 'x'.repeat(20));
      expect(await honest.row(payment)).toMatchObject({ state: 'lost' });
      expect(await calls(payment)).toBe(1);
      await honest.close();
    });
  });
});
