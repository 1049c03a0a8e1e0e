import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { useFacilitatorServer, useTokenChain } from '../../../test/paidTests.ts';
import { PRICE } from '../../../test/tokenChain.ts';
import { createPaymentChain } from '../chain/chainReads.ts';
import type { Facilitator } from './facilitator.ts';
import { createPatient } from './patient.ts';
import { createRemoteFacilitator } from './remote.ts';

describe('patient facilitator', () => {
  const world = useTokenChain();
  const { nodes, server } = useFacilitatorServer(world);
  let asked: number;
  beforeEach(() => {
    asked = server.requests.length;
  });
  afterEach(() => server.mode('none'));

  const requests = () => server.requests.length - asked;
  const settled = { outcome: 'settled' };

  function connect(patienceMs = 20_000): Facilitator {
    const { isUnused } = createPaymentChain({ nodes, terms: world.terms });
    const facilitator = createRemoteFacilitator({ url: server.url, terms: world.terms });
    return createPatient({ facilitator, isUnused, patienceMs });
  }

  test('default: settles, asked once', async () => {
    expect(await connect().settle(world.pay())).toMatchObject(settled);
    expect(requests()).toBe(1);
  });

  test('behavior: a service that fails at several at once is asked for one at a time', async () => {
    const patient = connect();
    await server.mode('busy');
    const before = await world.balance(world.terms.payTo);
    world.hold(true);
    const first = Array.from({ length: 6 }, () => patient.settle(world.pay()));
    // One is waiting for its block, and all the others were turned away.
    await expect.poll(requests).toBeGreaterThanOrEqual(6);
    world.hold(false);
    await world.mine();
    for (const settlement of await Promise.all(first)) expect(settlement).toMatchObject(settled);
    const soFar = requests();
    const next = await Promise.all([1, 2, 3, 4, 5].map(() => patient.settle(world.pay())));
    for (const settlement of next) expect(settlement).toMatchObject(settled);
    expect(requests()).toBe(soFar + 5);
    expect(await world.balance(world.terms.payTo)).toBe(before + 11n * PRICE);
  });

  test.each(['http500', 'garbage', 'down'] as const)(
    'behavior: %s for a while: asked again until it settles',
    async (fault) => {
      await server.mode(fault);
      const settlement = connect().settle(world.pay());
      if (fault === 'down') await new Promise((resolve) => setTimeout(resolve, 250));
      else await expect.poll(requests).toBeGreaterThan(1);
      await server.mode('none');
      expect(await settlement).toMatchObject(settled);
    },
  );

  test('behavior: what the chain has is not asked for again', async () => {
    await server.mode('settle-then-error');
    expect(await connect().settle(world.pay())).toMatchObject({ outcome: 'unknown' });
    expect(requests()).toBe(1);
  });

  test('behavior: a refusal is one', async () => {
    const dear = world.pay({ value: 10n ** 12n });
    expect(await connect().settle(dear)).toEqual({
      outcome: 'refused',
      code: 'insufficient_funds',
    });
    expect(requests()).toBe(1);
  });

  test('error: still unknown when patience ends', async () => {
    await server.mode('http500');
    expect(await connect(700).settle(world.pay())).toMatchObject({ outcome: 'unknown' });
    // One that takes all the time there is may still be at it.
    await server.mode('hang');
    const soFar = requests();
    expect(await connect(300).settle(world.pay())).toMatchObject({ outcome: 'unknown' });
    expect(requests()).toBe(soFar + 1);
  });
});
