import { describe, expect, test } from 'vitest';
import type { SignedAuthorization } from '../authorization/payment.ts';
import { Crowded } from './fairSemaphore.ts';
import { createNewPayers } from './newPayers.ts';
import { createIsSigned } from './signed.ts';

const FROM = `0x${'11'.repeat(20)}` as const;
const PAYMENT: SignedAuthorization = {
  authorization: {
    from: FROM,
    to: FROM,
    value: 1n,
    validAfter: 0n,
    validBefore: 1n,
    nonce: `0x${'22'.repeat(32)}`,
  },
  signature: '0x00',
};

const newPayers = () => createNewPayers({ perSecond: 0, burst: 0 });

describe('isSigned', () => {
  test('default: a plain key needs no chain', async () => {
    const chain = { isSignedByWallet: () => Promise.reject(new Error('asked')) };
    const isSigned = createIsSigned(() => FROM, chain, newPayers());
    expect(await isSigned(PAYMENT, 'a')).toBe(true);
  });

  test('behavior: unsigned payments wait, a few are verified at once, and too many are rejected', async () => {
    const asked: ((is: boolean) => void)[] = [];
    let own: typeof FROM | undefined;
    const chain = {
      isSignedByWallet: () => new Promise<boolean>((resolve) => asked.push(resolve)),
    };
    const isSigned = createIsSigned(() => own, chain, newPayers());
    const waiting = Array.from({ length: 208 }, () => isSigned(PAYMENT, 'a'));
    await expect(isSigned(PAYMENT, 'a')).rejects.toThrow(Crowded);
    expect(asked.length).toBe(8);
    // A plain key's payment does not wait behind them.
    own = FROM;
    expect(await isSigned(PAYMENT, 'a')).toBe(true);
    own = undefined;
    for (let i = 0; i < 208; i++) {
      await expect.poll(() => asked.length, { interval: 1 }).toBeGreaterThan(i);
      asked[i]!(i % 2 === 0);
    }
    const results = await Promise.all(waiting);
    expect(results.filter(Boolean).length).toBe(104);
    const next = isSigned(PAYMENT, 'a');
    await expect.poll(() => asked.length, { interval: 1 }).toBe(209);
    asked[208]!(true);
    expect(await next).toBe(true);
  });

  test('behavior: a flood blocks only its own client', async () => {
    const asked: (() => void)[] = [];
    const chain = {
      isSignedByWallet: () => new Promise<boolean>((resolve) => asked.push(() => resolve(false))),
    };
    const isSigned = createIsSigned(() => undefined, chain, newPayers());
    const flood = Array.from({ length: 300 }, () => isSigned(PAYMENT, 'flood').catch(String));
    const others = ['b', 'c', 'd'].map((client) => isSigned(PAYMENT, client));
    // Those in flight, one more of the flood, whose turn was next, and then all other clients.
    for (let i = 0; i < 8 + 1 + others.length; i++) {
      await expect.poll(() => asked.length, { interval: 1 }).toBeGreaterThan(i);
      asked[i]!();
    }
    expect(await Promise.all(others)).toEqual([false, false, false]);
    const turnedAway = (one: unknown) => String(one).startsWith('Crowded');
    for (let i = 12; i < 208; i++) {
      await expect.poll(() => asked.length, { interval: 1 }).toBeGreaterThan(i);
      asked[i]!();
    }
    expect((await Promise.all(flood)).filter(turnedAway)).toHaveLength(300 - 205);
  });
});
