import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFaultyRpc, type FaultyRpc } from '../../../test/faultyRpc.ts';
import { createTokenChain, PRICE, type TokenChain } from '../../../test/tokenChain.ts';
import type { Hex } from '../../domain/hex.ts';
import type { SignedAuthorization } from '../authorization/payment.ts';
import { createPaymentChain } from '../chain/chainReads.ts';
import { createNodes, type Nodes } from '../chain/nodes.ts';
import { createEmbeddedFacilitator, type EmbeddedFacilitator } from './embedded.ts';
import { createFeeSource } from './fees.ts';
import { createReceiptPoll } from './receiptPoll.ts';
import { createSender } from './sender.ts';
import { signTransaction } from './signedTransaction.ts';

interface PoolTransaction {
  readonly nonce: Hex;
  readonly to: Hex;
  readonly maxFeePerGas: Hex;
}

const POLL = { timeout: 20_000 };

describe('sender, when nodes fail', () => {
  let world: TokenChain;
  let faulty: FaultyRpc;
  let nodes: Nodes;
  let one: EmbeddedFacilitator;
  beforeEach(async () => {
    world = await createTokenChain();
    faulty = await createFaultyRpc({ target: world.url });
    nodes = createNodes({ chainId: 8453, rpcUrls: [faulty.url], timeoutMs: 500 });
    one = createEmbeddedFacilitator({
      nodes,
      terms: world.terms,
      privateKeys: world.keys.slice(0, 1),
      multicall: world.multicall,
      maxFeePerGas: 10n ** 12n,
      bumpAfterMs: 150,
      reorgCheckMs: 100,
    });
  });
  afterEach(async () => {
    await one.close();
    nodes.close();
    await faulty.close();
    await world.close();
  });

  function status(payment: SignedAuthorization) {
    const direct = createNodes({ chainId: 8453, rpcUrls: [world.url], timeoutMs: 20_000 });
    return createPaymentChain({ nodes: direct, terms: world.terms })
      .getOnChainStatus(payment.authorization, 0)
      .finally(direct.close);
  }

  /** Returns the newest transaction in the pool. */
  async function pooled(): Promise<PoolTransaction | undefined> {
    const list = await world.chain.rpc<PoolTransaction[]>('eth_pendingTransactions');
    return list.at(-1);
  }

  const settled = { outcome: 'settled', transaction: expect.any(String) };

  test('behavior: not mined: sent again with the same nonce and a higher fee', async () => {
    world.hold(true);
    const payment = world.pay();
    const settlement = one.settle(payment);
    await expect.poll(pooled, POLL).toBeDefined();
    const first = (await pooled())!;
    await expect
      .poll(async () => BigInt((await pooled())!.maxFeePerGas), POLL)
      .toBeGreaterThanOrEqual((BigInt(first.maxFeePerGas) * 9n) / 8n);
    expect((await pooled())!.nonce).toBe(first.nonce);
    await world.mine();
    expect(await settlement).toEqual(settled);
    expect(await status(payment)).toMatchObject({ status: 'paid' });
  });

  test('behavior: expired in the pool: unknown, and the key continues', async () => {
    world.hold(true);
    const payment = world.pay();
    const settlement = one.settle(payment);
    await expect.poll(pooled, POLL).toBeDefined();
    const { nonce } = (await pooled())!;
    // Mines a block without the transaction, as a full one would be.
    await world.chain.exclusive(async () => {
      const waiting = await world.chain.rpc<{ hash: Hex }[]>('eth_pendingTransactions');
      for (const { hash } of waiting) await world.chain.rpc('hardhat_dropTransaction', [hash]);
      await world.chain.mine(Number(payment.authorization.validBefore) + 1);
    });
    expect(await settlement).toEqual({ outcome: 'unknown' });
    await expect.poll(pooled, POLL).toMatchObject({ nonce, to: one.addresses[0] });
    world.hold(false);
    const later = { validBefore: payment.authorization.validBefore + 600n };
    expect(await one.settle(world.pay(later))).toEqual(settled);
    expect(await status(payment)).toMatchObject({ status: 'unused' });
  });

  test('behavior: an RPC endpoint drops a transaction that it acknowledged', async () => {
    world.lose(3);
    const settlements = await Promise.all([1, 2, 3, 4].map(() => one.settle(world.pay())));
    expect(settlements).toEqual(Array(4).fill(settled));
  });

  test('behavior: an RPC endpoint accepts a transaction and responds too late', async () => {
    await one.settle(world.pay());
    await faulty.mode({ kind: 'delay', ms: 700 }, { only: ['eth_sendRawTransaction'] });
    const before = await world.balance(world.terms.payTo);
    const settlements = await Promise.all([1, 2, 3].map(() => one.settle(world.pay())));
    expect(settlements).toEqual(Array(3).fill(settled));
    expect(await world.balance(world.terms.payTo)).toBe(before + 3n * PRICE);
  });

  test('behavior: receipts are not found for a while', async () => {
    await faulty.mode({ kind: 'garbage', shape: 'nulls' }, { only: ['eth_getTransactionReceipt'] });
    const payment = world.pay();
    const settlement = one.settle(payment);
    await expect.poll(() => status(payment), POLL).toMatchObject({ status: 'paid' });
    await faulty.mode({ kind: 'none' });
    expect(await settlement).toEqual(settled);
    expect(await one.settle(world.pay())).toEqual(settled);
  });

  test('behavior: an RPC endpoint without batches', async () => {
    await faulty.mode({ kind: 'noBatch' });
    const settlements = await Promise.all([1, 2, 3, 4].map(() => one.settle(world.pay())));
    expect(settlements).toEqual(Array(4).fill(settled));
  });

  test('behavior: a reorg drops transactions: they are sent again, and later ones are not stuck', async () => {
    const payments = [world.pay(), world.pay(), world.pay()];
    for (const payment of payments) await one.settle(payment);
    await world.chain.reorg({ depth: 3, blocks: [{ timestamp: world.now() }] });
    const later = world.pay();
    expect(await one.settle(later)).toEqual(settled);
    for (const payment of payments) {
      await expect.poll(() => status(payment), POLL).toMatchObject({ status: 'paid' });
    }
  });

  test('behavior: another sender uses the nonces of a key', async () => {
    await one.settle(world.pay());
    const rival = createEmbeddedFacilitator({
      nodes,
      terms: world.terms,
      privateKeys: world.keys.slice(0, 1),
      multicall: world.multicall,
      maxFeePerGas: 10n ** 12n,
    });
    expect(await rival.settle(world.pay())).toEqual(settled);
    expect(await rival.settle(world.pay())).toEqual(settled);
    expect(await one.settle(world.pay())).toEqual(settled);
    await rival.close();
  });

  test('behavior: the nonce of an accepted transaction was used by another, and it cannot be sent again: unknown', async () => {
    const privateKey = world.keys[3]!;
    const feeCap = 10n ** 12n;
    let now = 0;
    const fees = createFeeSource({ nodes, cap: feeCap, now: () => now });
    const receipts = createReceiptPoll({ nodes });
    const times = { bumpAfterMs: 150, reorgCheckMs: 100, timeoutMs: 20_000 };
    const sender = createSender({
      ...{ privateKey, chainId: 8453, nodes, receipts, fees, feeCap },
      ...times,
    });
    const plain = { to: sender.address, data: '0x', gas: 21_000n } as const;
    world.lose(1_000);
    const sent = sender.send({ ...plain, deadline: world.now() + 600 });
    const broadcast = () => faulty.requests.some(({ method }) => method.startsWith('eth_sendRaw'));
    await expect.poll(broadcast, POLL).toBe(true);
    await faulty.mode({ kind: 'http429' }, { only: ['eth_maxPriorityFeePerGas'] });
    now += 10_000;
    const price = { maxFeePerGas: feeCap, maxPriorityFeePerGas: 1n };
    const other = signTransaction(privateKey, { ...plain, chainId: 8453, nonce: 0, fees: price });
    await world.chain.exclusive(async () => {
      await world.chain.rpc('eth_sendRawTransaction', [other.raw]);
      await world.chain.mine(world.now());
    });
    expect(await sent).toEqual({ outcome: 'unknown' });
    sender.close();
    receipts.close();
  });

  test('behavior: the RPC endpoint dies after the broadcast and another one takes over', async () => {
    const both = createNodes({ chainId: 8453, rpcUrls: [faulty.url, world.url], timeoutMs: 2_000 });
    const pair = createEmbeddedFacilitator({
      nodes: both,
      terms: world.terms,
      privateKeys: world.keys.slice(1, 2),
      multicall: world.multicall,
      maxFeePerGas: 10n ** 12n,
    });
    await faulty.mode({ kind: 'hang' }, { only: ['eth_getTransactionReceipt'] });
    expect(await pair.settle(world.pay())).toEqual(settled);
    await faulty.mode({ kind: 'dead' });
    expect(await pair.verify(world.pay())).toEqual({ ok: true });
    await pair.close();
    both.close();
  });

  test('error: no RPC endpoint responds any longer: unknown at the timeout, and no earlier', async () => {
    const hasty = createEmbeddedFacilitator({
      nodes,
      terms: world.terms,
      privateKeys: world.keys.slice(2, 3),
      multicall: world.multicall,
      maxFeePerGas: 10n ** 12n,
      timeoutMs: 300,
    });
    await hasty.settle(world.pay());
    await faulty.mode({ kind: 'hang' }, { only: ['eth_sendRawTransaction'] });
    expect(await hasty.settle(world.pay())).toEqual({ outcome: 'unknown' });
    await hasty.close();
  });
});
