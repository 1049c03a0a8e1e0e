import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { useFacilitatorServer, useTokenChain } from '../../../test/paidTests.ts';
import { PRICE } from '../../../test/tokenChain.ts';
import { createPaymentChain } from '../chain/chainReads.ts';
import type { Facilitator } from './facilitator.ts';
import { createRemoteFacilitator } from './remote.ts';
import { createRetryingFacilitator } from './retryingFacilitator.ts';

describe('retrying facilitator', () => {
  const world = useTokenChain();
  const { nodes, server } = useFacilitatorServer(world);
  let asked: number;
  beforeEach(() => {
    asked = server.requests.length;
  });
  afterEach(() => server.mode('none'));

  const requests = () => server.requests.length - asked;
  const settled = { outcome: 'settled' };

  function connect(timeoutMs = 20_000): Facilitator {
    const { isUnused } = createPaymentChain({ nodes, terms: world.terms });
    const facilitator = createRemoteFacilitator({ url: server.url, terms: world.terms });
    return createRetryingFacilitator({ facilitator, isUnused, timeoutMs });
  }

  test('default: settles with one request', async () => {
    expect(await connect().settle(world.pay())).toMatchObject(settled);
    expect(requests()).toBe(1);
  });

  test('behavior: a service that fails on concurrent requests gets one at a time', async () => {
    const patient = connect();
    await server.mode('busy');
    const before = await world.balance(world.terms.payTo);
    world.hold(true);
    const first = Array.from({ length: 6 }, () => patient.settle(world.pay()));
    // One settlement waits for its block; all others were rejected.
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
    'behavior: %s for a while: requested again until it settles',
    async (fault) => {
      await server.mode(fault);
      const settlement = connect().settle(world.pay());
      if (fault === 'down') await new Promise((resolve) => setTimeout(resolve, 250));
      else await expect.poll(requests).toBeGreaterThan(1);
      await server.mode('none');
      expect(await settlement).toMatchObject(settled);
    },
  );

  test('behavior: a payment that the chain has is not requested again', async () => {
    await server.mode('settle-then-error');
    expect(await connect().settle(world.pay())).toMatchObject({ outcome: 'unknown' });
    expect(requests()).toBe(1);
  });

  test('behavior: a rejection is final', async () => {
    const unaffordable = world.pay({ value: 10n ** 12n });
    expect(await connect().settle(unaffordable)).toEqual({
      outcome: 'refused',
      code: 'insufficient_funds',
    });
    expect(requests()).toBe(1);
  });

  test('error: still unknown at the timeout', async () => {
    await server.mode('http500');
    expect(await connect(700).settle(world.pay())).toMatchObject({ outcome: 'unknown' });
    // A service that uses the entire timeout may still be working.
    await server.mode('hang');
    const soFar = requests();
    expect(await connect(300).settle(world.pay())).toMatchObject({ outcome: 'unknown' });
    expect(requests()).toBe(soFar + 1);
  });
});
