import { encodeAbiParameters } from 'viem';
import { afterEach, describe, expect, test } from 'vitest';
import { createFaultyRpc } from '../../../test/faultyRpc.ts';
import { useResource, useTokenChain } from '../../../test/paidTests.ts';
import { PRICE } from '../../../test/tokenChain.ts';
import { type Hex, lower } from '../../domain/hex.ts';
import { addressOf } from '../authorization/curve.ts';
import type { SignedAuthorization } from '../authorization/payment.ts';
import { createPaymentChain } from '../chain/chainReads.ts';
import { createNodes } from '../chain/nodes.ts';
import { createEmbeddedFacilitator, type EmbeddedFacilitator } from './embedded.ts';
import { FacilitatorUnavailable } from './facilitator.ts';

describe('embedded facilitator', () => {
  const world = useTokenChain();
  const nodes = useResource(() =>
    createNodes({ chainId: 8453, rpcUrls: [world.url], timeoutMs: 20_000 }),
  );
  const open: EmbeddedFacilitator[] = [];
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
  });

  function facilitator(
    options: Partial<Parameters<typeof createEmbeddedFacilitator>[0]> = {},
  ): EmbeddedFacilitator {
    const one = createEmbeddedFacilitator({
      nodes,
      terms: world.terms,
      privateKeys: world.keys.slice(0, 1),
      multicall: world.multicall,
      maxFeePerGas: 10n ** 12n,
      ...options,
    });
    open.push(one);
    return one;
  }

  const status = (payment: SignedAuthorization) =>
    createPaymentChain({ nodes, terms: world.terms }).getOnChainStatus(payment.authorization, 0);

  test('default: verifies, settles, and the money moves', async () => {
    const one = facilitator();
    const payment = world.pay();
    const before = await world.balance(world.terms.payTo);
    expect(await one.verify(payment)).toEqual({ ok: true });
    const settlement = await one.settle(payment);
    expect(settlement).toEqual({
      outcome: 'settled',
      transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
    expect(await world.balance(world.terms.payTo)).toBe(before + PRICE);
    expect(await status(payment)).toMatchObject({
      status: 'paid',
      transaction: (settlement as { transaction: Hex }).transaction,
    });
    const { transaction } = settlement as { transaction: Hex };
    const { gasUsed } = await world.chain.rpc<{ gasUsed: Hex }>('eth_getTransactionReceipt', [
      transaction,
    ]);
    // The fixed limit leaves half of its gas for tokens behind a proxy.
    expect(Number(gasUsed)).toBeLessThan(110_000);
  });

  test('behavior: a signature with v as 0 or 1', async () => {
    const payment = world.pay();
    const v = Number(`0x${payment.signature.slice(-2)}`) - 27;
    const short = { ...payment, signature: `${payment.signature.slice(0, -2)}0${v}` as Hex };
    const one = facilitator();
    expect(await one.verify(short)).toEqual({ ok: true });
    expect(await one.settle(short)).toMatchObject({ outcome: 'settled' });
  });

  test('error: each reason has its code, in verify and in settle', async () => {
    const one = facilitator();
    const [, stranger] = world.payers;
    const used = world.pay();
    await one.settle(used);
    const poor = `0x${'77'.repeat(32)}` as Hex;
    const cases: [string, SignedAuthorization][] = [
      ['authorization_not_yet_valid', world.pay({ validAfter: BigInt(world.now() + 1_000) })],
      ['invalid_signature', world.pay({ key: stranger!.privateKey })],
      ['insufficient_funds', world.pay({ value: 10n ** 12n })],
      ['insufficient_funds', world.pay({ from: addressOf(poor), key: poor })],
    ];
    for (const [code, payment] of cases) {
      expect(await one.verify(payment)).toEqual({ ok: false, code });
      expect(await one.settle(payment), code).toEqual({ outcome: 'refused', code });
      expect(await status(payment)).toMatchObject({ status: 'unused' });
    }
    expect(await one.verify(used)).toEqual({ ok: false, code: 'authorization_already_used' });
    // The authorization may have paid this server: only the chain shows for which request.
    expect(await one.settle(used)).toEqual({ outcome: 'unknown' });
    const expired = world.pay({ validBefore: BigInt(world.now()) });
    expect(await one.verify(expired)).toEqual({ ok: false, code: 'authorization_expired' });
    expect(await one.settle(expired)).toEqual({
      outcome: 'refused',
      code: 'authorization_expired',
    });
  });

  test('behavior: a payment that another sender settled and that has expired since is not reported as refused', async () => {
    const payment = world.pay({ validBefore: BigInt(world.now() + 5) });
    expect(await facilitator().settle(payment)).toMatchObject({ outcome: 'settled' });
    await world.mine(Number(payment.authorization.validBefore) + 1);
    expect(await facilitator().settle(payment)).toEqual({ outcome: 'unknown' });
  });

  test.each([1, 4])('behavior: 20 at once with %i keys, one invalid', async (count) => {
    const one = facilitator({ privateKeys: world.keys.slice(0, count) });
    const before = await world.balance(world.terms.payTo);
    const good = Array.from({ length: 20 }, () => world.pay());
    const bad = world.pay({ value: 10n ** 12n });
    const settlements = await Promise.all(
      [...good.slice(0, 10), bad, ...good.slice(10)].map(one.settle),
    );
    const outcomes = settlements.map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === 'settled')).toHaveLength(20);
    expect(outcomes[10]).toBe('refused');
    expect(await world.balance(world.terms.payTo)).toBe(before + 20n * PRICE);
  });

  test('behavior: two processes share a key', async () => {
    const [one, two] = [facilitator(), facilitator()];
    const settlements = await Promise.all(
      Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? one : two).settle(world.pay())),
    );
    expect(settlements.map(({ outcome }) => outcome)).toEqual(Array(12).fill('settled'));
  });

  test('behavior: one payment settled twice at once is charged once', async () => {
    const one = facilitator({ privateKeys: world.keys });
    const payment = world.pay();
    const before = await world.balance(world.terms.payTo);
    const outcomes = (await Promise.all([1, 2, 3].map(() => one.settle(payment)))).map(
      ({ outcome }) => outcome,
    );
    expect(outcomes.sort()).toEqual(['settled', 'unknown', 'unknown']);
    expect(await world.balance(world.terms.payTo)).toBe(before + PRICE);
  });

  test('behavior: a contract wallet pays (EIP-1271)', async () => {
    const [payer, stranger] = world.payers;
    const { bytecode } = world.artifacts.ContractWallet!;
    const args = encodeAbiParameters([{ type: 'address' }], [payer!.address]);
    const { contractAddress } = await world.send(undefined, `${bytecode}${args.slice(2)}`);
    const from = lower(contractAddress);
    await world.mint(from, 10n * PRICE);
    const reads = createPaymentChain({ nodes, terms: world.terms });
    const one = facilitator();
    const good = world.pay({ from });
    expect(await reads.isSignedByWallet(good)).toBe(true);
    expect(await one.verify(good)).toEqual({ ok: true });
    expect(await one.settle(good)).toMatchObject({ outcome: 'settled' });
    expect(await status(good)).toMatchObject({ status: 'paid' });
    const bad = world.pay({ from, key: stranger!.privateKey });
    expect(await reads.isSignedByWallet(bad)).toBe(false);
    expect(await one.verify(bad)).toEqual({ ok: false, code: 'invalid_signature' });
    expect(await one.settle(bad)).toEqual({ outcome: 'refused', code: 'invalid_signature' });
  });

  test('behavior: without gas the next key takes over, and the operator is notified', async () => {
    const beggar = `0x${'55'.repeat(32)}` as Hex;
    const low: string[] = [];
    const privateKeys = [beggar, world.keys[0]!];
    const onLowBalance = ({ address }: { address: string }) => low.push(address);
    const one = facilitator({ privateKeys, lowBalance: 10n ** 15n, onLowBalance });
    for (let i = 0; i < 3; i++)
      expect(await one.settle(world.pay())).toMatchObject({ outcome: 'settled' });
    await one.refreshBalances();
    await one.refreshBalances();
    expect(low).toEqual([addressOf(beggar)]);
    expect(one.balances().map(({ wei }) => wei > 0n)).toEqual([false, true]);
    const alone = facilitator({ privateKeys: [beggar] });
    expect(await alone.settle(world.pay())).toEqual({
      outcome: 'refused',
      code: 'facilitator_out_of_gas',
    });
  });

  test('error: fees above the cap', async () => {
    const payment = world.pay();
    const one = facilitator({ maxFeePerGas: 3n });
    expect(await one.settle(payment)).toEqual({
      outcome: 'refused',
      code: 'network_fees_too_high',
    });
    expect(await status(payment)).toMatchObject({ status: 'unused' });
  });

  test('error: no RPC endpoint responds', async () => {
    const dead = createNodes({ chainId: 8453, rpcUrls: ['http://127.0.0.1:9'], timeoutMs: 1_000 });
    const one = facilitator({ nodes: dead });
    await expect(one.verify(world.pay())).rejects.toThrow(FacilitatorUnavailable);
    expect(await one.settle(world.pay())).toEqual({
      outcome: 'refused',
      code: 'facilitator_unavailable',
    });
    dead.close();
  });

  test('error: an RPC endpoint of another chain is rejected', async () => {
    const wrong = createNodes({ chainId: 1, rpcUrls: [world.url], timeoutMs: 1_000 });
    await expect(facilitator({ nodes: wrong }).verify(world.pay())).rejects.toThrow(
      FacilitatorUnavailable,
    );
    wrong.close();
  });

  test.each(['nulls', 'html', 'ids', 'truncated'] as const)(
    'error: an RPC endpoint that returns %s is rejected',
    async (shape) => {
      const faulty = await createFaultyRpc({ target: world.url });
      const own = createNodes({ chainId: 8453, rpcUrls: [faulty.url], timeoutMs: 5_000 });
      const one = facilitator({ nodes: own, privateKeys: world.keys.slice(3) });
      expect(await one.verify(world.pay())).toEqual({ ok: true });
      await faulty.mode({ kind: 'garbage', shape });
      await expect(one.verify(world.pay())).rejects.toThrow(FacilitatorUnavailable);
      const refused = { outcome: 'refused', code: 'facilitator_unavailable' };
      expect(await one.settle(world.pay())).toEqual(refused);
      await one.close();
      own.close();
      await faulty.close();
    },
  );

  test('behavior: closed while settling: all calls resolve, and nothing is sent later', async () => {
    const one = facilitator();
    const payment = world.pay();
    const settlement = one.settle(payment);
    await one.close();
    expect(await settlement).toEqual({ outcome: 'refused', code: 'facilitator_unavailable' });
    expect(await status(payment)).toMatchObject({ status: 'unused' });
  });
});
