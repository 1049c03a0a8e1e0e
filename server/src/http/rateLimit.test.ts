import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { clientKey, createClientAddress } from './clientAddress.ts';
import { BYTES_OF_ONE, createRateLimit } from './rateLimit.ts';

function from(remoteAddress: string, forwarded?: string): IncomingMessage {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return { socket: { remoteAddress }, headers } as unknown as IncomingMessage;
}

const config = { perSecond: 2, burst: 3, loopback: false, trustedProxies: [] };

describe('createRateLimit', () => {
  test('default', () => {
    let now = 0;
    const limit = createRateLimit(config, { clock: () => now });
    const ask = () => limit.take(from('192.0.2.1'));
    expect([ask(), ask(), ask(), ask()]).toEqual([undefined, undefined, undefined, 1]);
    expect(limit.take(from('192.0.2.2'))).toBeUndefined();
    now = 499;
    expect(ask()).toBe(1);
    now = 500;
    expect(ask()).toBeUndefined();
    expect(ask()).toBe(1);
    now = 60_000;
    expect([ask(), ask(), ask(), ask()]).toEqual([undefined, undefined, undefined, 1]);
  });

  test('behavior: not on loopback unless configured', () => {
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '127.1.2.3']) {
      const free = createRateLimit({ ...config, burst: 1 }, { clock: () => 0 });
      expect([free.take(from(address)), free.take(from(address))]).toEqual([undefined, undefined]);
      const strict = createRateLimit({ ...config, burst: 1, loopback: true }, { clock: () => 0 });
      expect([strict.take(from(address)), strict.take(from(address))]).toEqual([undefined, 1]);
    }
  });

  test('behavior: a large response counts even if the client disconnects before it is built', () => {
    const proxied = { ...config, trustedProxies: ['10.0.0.1'] };
    const limit = createRateLimit(proxied, { clock: () => 0 });
    const request = from('10.0.0.1', '192.0.2.1');
    const charge = limit.meter(request);
    Object.assign(request.socket, { remoteAddress: undefined });
    charge(2 * BYTES_OF_ONE);
    const ask = () => limit.take(from('10.0.0.1', '192.0.2.1'));
    expect([ask(), ask()]).toEqual([undefined, 1]);
    expect(limit.take(request)).toBeUndefined();
  });

  test('behavior: off', () => {
    const limit = createRateLimit({ ...config, perSecond: 0, burst: 1 }, { clock: () => 0 });
    expect([1, 2, 3].map(() => limit.take(from('192.0.2.1')))).toEqual(Array(3).fill(undefined));
  });

  test('behavior: remembers a bounded number of clients', () => {
    const limit = createRateLimit({ ...config, burst: 1 }, { clock: () => 0 });
    limit.take(from('192.0.2.1'));
    for (let i = 0; i < 49_999; i++) limit.take(from(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`));
    expect(limit.take(from('192.0.2.1'))).toBe(1);
    for (let i = 0; i < 50_000; i++) limit.take(from(`11.${i >> 16}.${(i >> 8) & 255}.${i & 255}`));
    expect(limit.take(from('192.0.2.1'))).toBeUndefined();
  });
});

describe('createClientAddress', () => {
  const addressOf = createClientAddress(['10.0.0.0/8', '::1', 'fd00::/8']);

  test.each([
    ['192.0.2.1', '198.51.100.7', '192.0.2.1'],
    ['10.0.0.1', undefined, '10.0.0.1'],
    ['10.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['::ffff:10.0.0.1', '203.0.113.9, 198.51.100.7, 10.2.2.2', '198.51.100.7'],
    ['fd00::5', '2001:db8::1', '2001:db8::1'],
    ['::1', 'nonsense', '::1'],
    ['10.0.0.1', '198.51.100.7, nonsense, 10.0.0.2', '10.0.0.2'],
    ['10.0.0.1', '', '10.0.0.1'],
  ])('default: %s with %s is %s', (socket, forwarded, address) => {
    expect(addressOf(from(socket, forwarded))).toBe(address);
  });
});

describe('clientKey', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0DB8:0001:0002::9', '2001:db8:1:2'],
    ['2001:db8::9', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::', 'fe80:0:0:0'],
  ])('default: %s', (address, key) => {
    expect(clientKey(address)).toBe(key);
  });
});
