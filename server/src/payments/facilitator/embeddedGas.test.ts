import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { deriveWallet } from '../../../../devnet/src/index.ts';
import { createCommonNode } from '../../../test/commonNode.ts';
import { GAS } from '../../../test/paidServer.ts';
import { PRICE } from '../../../test/tokenChain.ts';
import { useFacilitator } from '../../../test/useFacilitator.ts';
import { type Address, type Hex, lower } from '../../domain/hex.ts';
import type { SignedAuthorization } from '../authorization/payment.ts';
import { createPaymentChain } from '../chain/chainReads.ts';
import { createNodes, NodesUnavailable } from '../chain/nodes.ts';
import type { EmbeddedFacilitator } from './embedded.ts';

const ELSEWHERE: Address = '0x00000000000000000000000000000000000000ee';

const facilitator = useFacilitator();
const { world, nodes, losses, hostile } = facilitator;
let one: EmbeddedFacilitator;

function open(options?: Parameters<typeof facilitator.open>[0]): EmbeddedFacilitator {
  one = facilitator.open(options);
  return one;
}

async function richKey(label: string, value: bigint) {
  const { privateKey: key, address } = deriveWallet('embedded gas', label);
  const from = lower(address);
  await world.mint(from, value);
  return { key, from };
}

/** Runs a hook between verification and settlement. */
async function pay(payment: SignedAuthorization, meanwhile = async () => {}) {
  const verified = await one.verify(payment);
  if (!verified.ok) return verified.code;
  await meanwhile();
  return (await one.settle(payment)).outcome;
}

describe('embedded facilitator and gas', () => {
  test('behavior: a wallet whose gas costs more than the price allows is rejected', async () => {
    const wallet = await hostile.deploy('Costly', 800_000n);
    // With gas at one gwei, a plain settlement costs 0.00011 coins and this one about 0.0012.
    const priced = (usd: bigint) => ({ ...GAS, nativePrice: usd * 1_000_000n });
    open({ gas: priced(1n) });
    expect(await pay(hostile.pay(wallet))).toBe('settled');
    await one.close();
    open({ gas: priced(100n) });
    expect(await one.verify(hostile.pay(wallet))).toEqual({
      ok: false,
      code: 'settlement_too_costly',
    });
    expect(await pay(world.pay())).toBe('settled');
    await one.close();
    open({ gas: { ...priced(100n), priceShare: 4_000_000n } });
    expect(await pay(hostile.pay(wallet))).toBe('settled');
    await one.close();
    // A wallet is not penalized if even a plain key costs too much gas.
    open({ gas: priced(1_000n) });
    for (const payment of [world.pay(), hostile.pay(wallet)]) {
      expect(await one.verify(payment)).toEqual({ ok: false, code: 'network_fees_too_high' });
    }
  });

  test('behavior: a payer with code has a gas limit per hour, regardless of what it pays', async () => {
    const wallet = await hostile.deploy('Costly', 600_000n);
    open({ gas: { ...GAS, payerPerHour: 2_000_000n } });
    expect(await pay(hostile.pay(wallet))).toBe('settled');
    expect(await pay(hostile.pay(wallet))).toBe('settled');
    expect(await one.verify(hostile.pay(wallet))).toMatchObject({
      code: 'payer_throttled',
      retryAfterSeconds: expect.any(Number),
    });
    expect(await pay(world.pay())).toBe('settled');
    expect(await pay(hostile.pay(await hostile.deploy('Harmless')))).toBe('settled');
    const { settled, failed } = one.gas();
    expect(failed).toEqual({ gas: 0n, wei: 0n });
    expect(settled.gas).toBeGreaterThan(1_400_000n);
    expect(settled.wei).toBeGreaterThan(settled.gas);
  });

  test('behavior: an emptied account fails few settlements, and is throttled', async () => {
    open();
    const { key, from } = await richKey('emptied', 20n * PRICE);
    const before = world.chain.tip.number + 1;
    let checked = 0;
    let emptied = () => {};
    const empty = new Promise<void>((resolve) => {
      emptied = resolve;
    });
    const whenEmptied = async () => {
      if (++checked === 4) {
        const all = world.pay({ from, key, to: ELSEWHERE, value: 20n * PRICE });
        await hostile.bringOnChain(all);
        emptied();
      }
      await empty;
    };
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => pay(world.pay({ from, key }), whenEmptied)),
    );
    expect(outcomes.filter((outcome) => outcome === 'refused')).toHaveLength(4);
    expect(outcomes.filter((outcome) => outcome === 'payer_throttled')).toHaveLength(16);
    await expect.poll(() => losses.length).toBe(4);
    const gas = await hostile.gasLost(before);
    expect(losses.reduce((sum, loss) => sum + loss.gas, 0n)).toBe(gas);
    expect(one.gas()).toMatchObject({ failed: { gas }, lostInHour: gas, payersThrottled: 1 });
    expect(await one.verify(world.pay({ from, key }))).toMatchObject({ code: 'payer_throttled' });
  });

  test('behavior: a payer whose authorization another sender used first is not penalized', async () => {
    open();
    const { key, from } = await richKey('front-run', 10n * PRICE);
    const payment = world.pay({ from, key });
    expect(await pay(payment, () => hostile.bringOnChain(payment))).toBe('unknown');
    await expect.poll(() => losses).toMatchObject([{ payer: from, penalized: false }]);
    expect(one.gas()).toMatchObject({ lostInHour: losses[0]!.gas, payersThrottled: 0 });
    expect(await pay(world.pay({ from, key }))).toBe('settled');
  });

  test('behavior: not penalized either if it was used many blocks before', async () => {
    open();
    const { key, from } = await richKey('long before', 10n * PRICE);
    const payment = world.pay({ from, key });
    const longBefore = async () => {
      await hostile.bringOnChain(payment);
      for (let i = 0; i < 70; i++) await world.mine();
    };
    expect(await pay(payment, longBefore)).toBe('unknown');
    await expect.poll(() => losses).toMatchObject([{ payer: from, penalized: false }]);
  });

  test('behavior: no payer is throttled while the chain cannot show the cause', async () => {
    const { getOnChainStatus } = createPaymentChain({ nodes, terms: world.terms });
    let silent = true;
    open({
      getOnChainStatus: async (...about) => {
        if (silent) throw new NodesUnavailable();
        return getOnChainStatus(...about);
      },
    });
    const { key, from } = await richKey('front-run in silence', 10n * PRICE);
    const payment = world.pay({ from, key });
    expect(await pay(payment, () => hostile.bringOnChain(payment))).toBe('unknown');
    expect(await pay(world.pay({ from, key }))).toBe('settled');
    expect(losses).toEqual([]);
    silent = false;
    await expect.poll(() => losses, { timeout: 10_000 }).toMatchObject([{ penalized: false }]);
    // The next payment is not throttled either: a late status read is not a failure of the payer.
    expect(await pay(world.pay({ from, key }))).toBe('settled');
  });

  test('behavior: not penalized if front-run in a block that a reorg removed', async () => {
    const { getOnChainStatus } = createPaymentChain({ nodes, terms: world.terms });
    let judge = () => {};
    const judged = new Promise<void>((resolve) => {
      judge = resolve;
    });
    open({ getOnChainStatus: (...about) => judged.then(() => getOnChainStatus(...about)) });
    const { key, from } = await richKey('taken back', 10n * PRICE);
    const payment = world.pay({ from, key });
    const outcome = pay(payment, () => hostile.bringOnChain(payment));
    expect(await outcome).toBe('unknown');
    world.hold(true);
    await world.chain.reorg({
      depth: 2,
      blocks: [1, 2, 3].map(() => ({ timestamp: world.now() })),
    });
    judge();
    await expect.poll(() => losses).toMatchObject([{ payer: from, penalized: false }]);
    world.hold(false);
    await world.mine();
  });

  test('behavior: penalized if it uses its nonce elsewhere', async () => {
    open();
    const { key, from } = await richKey('elsewhere', 10n * PRICE);
    const payment = world.pay({ from, key });
    const { nonce } = payment.authorization;
    const other = world.pay({ from, key, nonce, to: ELSEWHERE });
    expect(await pay(payment, () => hostile.bringOnChain(other))).toBe('unknown');
    await expect.poll(() => losses).toMatchObject([{ payer: from, penalized: true }]);
    expect(await pay(world.pay({ from, key }))).toBe('payer_throttled');
  });

  test("behavior: a wallet's payment is simulated again before it is sent", async () => {
    open();
    const wallet = await hostile.deploy('Turned');
    const turn = async () => {
      await hostile.turn(wallet, true);
      await world.mine();
    };
    const before = world.chain.tip.number;
    expect(await pay(hostile.pay(wallet), turn)).toBe('refused');
    expect(world.chain.tip.number).toBe(before + 1);
    expect(one.gas().failed.gas).toBe(0n);
    // The gas reserved for it is released.
    expect(one.gas().lostInHour).toBe(0n);
  });

  test('behavior: a failure after all callers stopped waiting counts as lost, too', async () => {
    open({ timeoutMs: 3_000 });
    const wallet = await hostile.deploy('Turned');
    world.hold(true);
    await hostile.turn(wallet, true);
    const payment = hostile.pay(wallet);
    expect(await one.verify(payment)).toEqual({ ok: true });
    const settled = one.settle(payment);
    await expect.poll(hostile.waiting).toBe(2);
    expect(await settled).toEqual({ outcome: 'unknown' });
    expect(one.gas().lostInHour).toBe(0n);
    // Nothing more is sent for it in the meantime, because payments in flight can be lost.
    one.forget(payment);
    world.hold(false);
    await world.mine();
    await expect.poll(() => losses).toMatchObject([{ payer: wallet, penalized: true }]);
    expect(one.gas().lostInHour).toBe(losses[0]!.gas);
    expect(await one.verify(hostile.pay(wallet))).toMatchObject({ code: 'payer_throttled' });
  });

  test('behavior: a wallet has one settlement in flight until that succeeds', async () => {
    open();
    const wallet = await hostile.deploy('Harmless');
    world.hold(true);
    let over = false;
    const outcomes = Promise.all([1, 2].map(() => pay(hostile.pay(wallet)))).finally(() => {
      over = true;
    });
    await expect.poll(hostile.waiting).toBe(1);
    // All other payments have arrived by then.
    await sleep(200);
    expect(await hostile.waiting()).toBe(1);
    while (!over) {
      await world.mine();
      await sleep(20);
    }
    expect(await outcomes).toEqual(['settled', 'settled']);
  });

  test('behavior: a key without gas is skipped, and the payer is not penalized for it', async () => {
    const beggar = `0x${'56'.repeat(32)}` as Hex;
    const node = await createCommonNode(world);
    const own = createNodes({ chainId: 8453, rpcUrls: [node.url], timeoutMs: 20_000 });
    const wallet = await hostile.deploy('Harmless');
    for (const sign of [() => world.pay(), () => hostile.pay(wallet)]) {
      open({ nodes: own, privateKeys: [beggar, world.keys[0]!] });
      expect(await pay(sign())).toBe('settled');
      await one.close();
      open({ nodes: own, privateKeys: [beggar] });
      expect(await pay(sign())).toBe('facilitator_out_of_gas');
      await one.close();
    }
    own.close();
    await node.close();
  });
});
