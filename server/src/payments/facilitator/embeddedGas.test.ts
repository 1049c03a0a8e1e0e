import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { deriveWallet } from '../../../../devnet/src/index.ts';
import { createCommonNode } from '../../../test/commonNode.ts';
import { createHostile, type Hostile } from '../../../test/hostile/hostile.ts';
import { GAS } from '../../../test/paidServer.ts';
import { useResource, useTokenChain } from '../../../test/paidTests.ts';
import { PRICE } from '../../../test/tokenChain.ts';
import { type Address, type Hex, lower } from '../../domain/hex.ts';
import type { SignedAuthorization } from '../authorization/payment.ts';
import { createPaymentChain } from '../chain/chainReads.ts';
import { createNodes, NodesUnavailable } from '../chain/nodes.ts';
import { createEmbeddedFacilitator, type EmbeddedFacilitator } from './embedded.ts';
import type { GasLoss } from './gasGuard.ts';

const ELSEWHERE: Address = '0x00000000000000000000000000000000000000ee';

const world = useTokenChain();
const nodes = useResource(() =>
  createNodes({ chainId: 8453, rpcUrls: [world.url], timeoutMs: 20_000 }),
);
let hostile: Hostile;
let one: EmbeddedFacilitator;
const losses: GasLoss[] = [];
beforeAll(async () => {
  hostile = await createHostile(world);
});
afterEach(async () => {
  world.hold(false);
  losses.length = 0;
  await one?.close();
});

function open(options: Partial<Parameters<typeof createEmbeddedFacilitator>[0]> = {}) {
  one = createEmbeddedFacilitator({
    nodes,
    terms: world.terms,
    privateKeys: world.keys,
    multicall: world.multicall,
    maxFeePerGas: 10n ** 12n,
    gas: GAS,
    fateOf: createPaymentChain({ nodes, terms: world.terms }).fateOf,
    onGasLost: (loss) => losses.push(loss),
    ...options,
  });
  return one;
}

async function richKey(label: string, value: bigint) {
  const { privateKey: key, address } = deriveWallet('embedded gas', label);
  const from = lower(address);
  await world.mint(from, value);
  return { key, from };
}

/** Between the check and the settlement something may happen. */
async function pay(payment: SignedAuthorization, meanwhile = async () => {}) {
  const verified = await one.verify(payment);
  if (!verified.ok) return verified.code;
  await meanwhile();
  return (await one.settle(payment)).outcome;
}

describe('embedded facilitator and gas', () => {
  test('behavior: a wallet that takes more gas than its price is worth', async () => {
    const wallet = await hostile.deploy('Costly', 800_000n);
    // Gas costs a gwei here, so that a plain settlement is 0.000 11 coins and this one about 0.001 2.
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
    // Nobody's wallet is to blame when not even a plain key is worth its gas.
    open({ gas: priced(1_000n) });
    for (const payment of [world.pay(), hostile.pay(wallet)]) {
      expect(await one.verify(payment)).toEqual({ ok: false, code: 'network_fees_too_high' });
    }
  });

  test('behavior: a payer with code has so much gas in an hour, whatever it pays', async () => {
    const wallet = await hostile.deploy('Costly', 600_000n);
    open({ gas: { ...GAS, payerPerHour: 2_000_000n } });
    expect(await pay(hostile.pay(wallet))).toBe('settled');
    expect(await pay(hostile.pay(wallet))).toBe('settled');
    expect(await one.verify(hostile.pay(wallet))).toMatchObject({
      code: 'payer_must_wait',
      retryAfterSeconds: expect.any(Number),
    });
    expect(await pay(world.pay())).toBe('settled');
    expect(await pay(hostile.pay(await hostile.deploy('Harmless')))).toBe('settled');
    const { settled, failed } = one.gas();
    expect(failed).toEqual({ gas: 0n, wei: 0n });
    expect(settled.gas).toBeGreaterThan(1_400_000n);
    expect(settled.wei).toBeGreaterThan(settled.gas);
  });

  test('behavior: an account that is emptied takes few with it, and waits', async () => {
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
    expect(outcomes.filter((outcome) => outcome === 'payer_must_wait')).toHaveLength(16);
    await expect.poll(() => losses.length).toBe(4);
    const gas = await hostile.gasLost(before);
    expect(losses.reduce((sum, loss) => sum + loss.gas, 0n)).toBe(gas);
    expect(one.gas()).toMatchObject({ failed: { gas }, lostInHour: gas, payersWaiting: 1 });
    expect(await one.verify(world.pay({ from, key }))).toMatchObject({ code: 'payer_must_wait' });
  });

  test('behavior: who was paid for by another before us is not to blame', async () => {
    open();
    const { key, from } = await richKey('front-run', 10n * PRICE);
    const payment = world.pay({ from, key });
    expect(await pay(payment, () => hostile.bringOnChain(payment))).toBe('unknown');
    await expect.poll(() => losses).toMatchObject([{ payer: from, blamed: false }]);
    expect(one.gas()).toMatchObject({ lostInHour: losses[0]!.gas, payersWaiting: 0 });
    expect(await pay(world.pay({ from, key }))).toBe('settled');
  });

  test('behavior: nor who was paid for many blocks before ours was mined', async () => {
    open();
    const { key, from } = await richKey('long before', 10n * PRICE);
    const payment = world.pay({ from, key });
    const longBefore = async () => {
      await hostile.bringOnChain(payment);
      for (let i = 0; i < 70; i++) await world.mine();
    };
    expect(await pay(payment, longBefore)).toBe('unknown');
    await expect.poll(() => losses).toMatchObject([{ payer: from, blamed: false }]);
  });

  test('behavior: nobody waits while the chain cannot say who is to blame', async () => {
    const { fateOf } = createPaymentChain({ nodes, terms: world.terms });
    let silent = true;
    open({
      fateOf: async (...about) => {
        if (silent) throw new NodesUnavailable();
        return fateOf(...about);
      },
    });
    const { key, from } = await richKey('front-run in silence', 10n * PRICE);
    const payment = world.pay({ from, key });
    expect(await pay(payment, () => hostile.bringOnChain(payment))).toBe('unknown');
    expect(await pay(world.pay({ from, key }))).toBe('settled');
    expect(losses).toEqual([]);
    silent = false;
    await expect.poll(() => losses, { timeout: 10_000 }).toMatchObject([{ blamed: false }]);
    // Nor does the next: what was found out late is no failure of the payer's.
    expect(await pay(world.pay({ from, key }))).toBe('settled');
  });

  test('behavior: nor does who was front-run in a block that a reorganisation took back', async () => {
    const { fateOf } = createPaymentChain({ nodes, terms: world.terms });
    let judge = () => {};
    const judged = new Promise<void>((resolve) => {
      judge = resolve;
    });
    open({ fateOf: (...about) => judged.then(() => fateOf(...about)) });
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
    await expect.poll(() => losses).toMatchObject([{ payer: from, blamed: false }]);
    world.hold(false);
    await world.mine();
  });

  test('behavior: who uses its nonce elsewhere is', async () => {
    open();
    const { key, from } = await richKey('elsewhere', 10n * PRICE);
    const payment = world.pay({ from, key });
    const { nonce } = payment.authorization;
    const other = world.pay({ from, key, nonce, to: ELSEWHERE });
    expect(await pay(payment, () => hostile.bringOnChain(other))).toBe('unknown');
    await expect.poll(() => losses).toMatchObject([{ payer: from, blamed: true }]);
    expect(await pay(world.pay({ from, key }))).toBe('payer_must_wait');
  });

  test('behavior: a wallet is asked again before it is sent', async () => {
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
    // What was set aside for it is free again.
    expect(one.gas().lostInHour).toBe(0n);
  });

  test('behavior: what fails after everybody has stopped waiting is lost as well', async () => {
    open({ patienceMs: 3_000 });
    const wallet = await hostile.deploy('Turned');
    world.hold(true);
    await hostile.turn(wallet, true);
    const payment = hostile.pay(wallet);
    expect(await one.verify(payment)).toEqual({ ok: true });
    const settled = one.settle(payment);
    await expect.poll(hostile.waiting).toBe(2);
    expect(await settled).toEqual({ outcome: 'unknown' });
    expect(one.gas().lostInHour).toBe(0n);
    // Nothing more is sent for it meanwhile: what is in flight may be lost.
    one.forget(payment);
    world.hold(false);
    await world.mine();
    await expect.poll(() => losses).toMatchObject([{ payer: wallet, blamed: true }]);
    expect(one.gas().lostInHour).toBe(losses[0]!.gas);
    expect(await one.verify(hostile.pay(wallet))).toMatchObject({ code: 'payer_must_wait' });
  });

  test('behavior: a wallet has one settlement in flight until that went well', async () => {
    open();
    const wallet = await hostile.deploy('Harmless');
    world.hold(true);
    let over = false;
    const outcomes = Promise.all([1, 2].map(() => pay(hostile.pay(wallet)))).finally(() => {
      over = true;
    });
    await expect.poll(hostile.waiting).toBe(1);
    // Whoever else may come has come by then.
    await sleep(200);
    expect(await hostile.waiting()).toBe(1);
    while (!over) {
      await world.mine();
      await sleep(20);
    }
    expect(await outcomes).toEqual(['settled', 'settled']);
  });

  test('behavior: a key without gas money is passed over, and none at all is no fault of the payer', async () => {
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
