import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { FacilitatorFault } from '../../../test/facilitatorServer.ts';
import { useFacilitatorServer, useTokenChain } from '../../../test/paidTests.ts';
import { PRICE } from '../../../test/tokenChain.ts';
import { createPaymentChain } from '../chain/chainReads.ts';
import { FacilitatorUnavailable } from './facilitator.ts';
import { createRemoteFacilitator, type RemoteFacilitator } from './remote.ts';

describe('remote facilitator', () => {
  const world = useTokenChain();
  const { nodes, server } = useFacilitatorServer(world);
  let remote: RemoteFacilitator;
  beforeAll(() => {
    remote = connect();
  });
  afterEach(() => server.mode('none'));

  function connect(timeoutMs = 20_000): RemoteFacilitator {
    return createRemoteFacilitator({
      url: server.url,
      terms: world.terms,
      headers: { authorization: 'Bearer of-the-test' },
      verifyTimeoutMs: timeoutMs,
      settleTimeoutMs: timeoutMs,
    });
  }

  test('default: verifies and settles, with its credentials', async () => {
    const payment = world.pay();
    const before = await world.balance(world.terms.payTo);
    expect(await remote.supports()).toBe(true);
    expect(await remote.verify(payment)).toEqual({ ok: true });
    expect(await remote.settle(payment)).toMatchObject({ outcome: 'settled' });
    expect(await world.balance(world.terms.payTo)).toBe(before + PRICE);
    const last = server.requests.slice(-3);
    expect(last.map(({ path }) => path)).toEqual(['supported', 'verify', 'settle']);
    for (const { headers } of last) expect(headers.authorization).toBe('Bearer of-the-test');
  });

  test('behavior: its codes are passed on if they have the format of codes', async () => {
    const unaffordable = world.pay({ value: 10n ** 12n });
    expect(await remote.verify(unaffordable)).toEqual({ ok: false, code: 'insufficient_funds' });
    expect(await remote.settle(unaffordable)).toEqual({
      outcome: 'refused',
      code: 'insufficient_funds',
    });
  });

  test('behavior: it does not settle on this network', async () => {
    const elsewhere = createRemoteFacilitator({
      url: server.url,
      terms: { ...world.terms, chainId: 1 },
    });
    expect(await elsewhere.supports()).toBe(false);
    // The result names another network than requested.
    expect(await elsewhere.settle(world.pay())).toEqual({ outcome: 'unknown' });
  });

  const broken: FacilitatorFault[] = ['down', 'hang', 'garbage', 'half', 'http500'];
  test.each(broken)('error: %s', async (fault) => {
    await server.mode(fault);
    // Only one that hangs is late.
    const hasty = connect(fault === 'hang' ? 200 : 20_000);
    await expect(hasty.verify(world.pay())).rejects.toThrow(FacilitatorUnavailable);
    expect(await hasty.settle(world.pay())).toEqual({
      outcome: 'unknown',
      retryable: fault !== 'hang',
    });
  });

  test('error: an endless response ends well before the timeout', async () => {
    await server.mode('endless');
    await expect(remote.verify(world.pay())).rejects.toThrow(FacilitatorUnavailable);
    await expect(remote.supports()).rejects.toThrow(FacilitatorUnavailable);
    // The service responded in time, so it is not still working and can be called again.
    expect(await remote.settle(world.pay())).toEqual({ outcome: 'unknown', retryable: true });
  });

  const late: FacilitatorFault[] = [
    'settle-then-500',
    'settle-then-error',
    'settle-then-garbage',
    'settle-then-hang',
  ];
  test.each(late)('error: %s is unknown, and the chain has the result', async (fault) => {
    await server.mode(fault);
    const payment = world.pay();
    const hasty = connect(1_000);
    const retryable = fault !== 'settle-then-hang';
    expect(await hasty.settle(payment)).toEqual({ outcome: 'unknown', retryable });
    const chain = createPaymentChain({ nodes, terms: world.terms });
    await expect
      .poll(() => chain.getOnChainStatus(payment.authorization, 0), { timeout: 20_000 })
      .toMatchObject({ status: 'paid' });
  });

  test('error: success without a transaction', async () => {
    await server.mode('lie');
    expect(await remote.settle(world.pay())).toEqual({ outcome: 'unknown' });
  });

  test('behavior: a slow service works', async () => {
    await server.mode({ slowMs: 100 });
    expect(await remote.verify(world.pay())).toEqual({ ok: true });
  });
});
