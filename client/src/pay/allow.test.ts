import { describe, expect, test } from 'vitest';
import { type Allow, allowDemo } from './allow.ts';
import { createMemoryStore } from './memoryStore.ts';
import { createPayer, type PayerOptions } from './payer.ts';

const OWN = '0x00000000000000000000000000000000000000AA';
const DEMO = {
  apiUrl: 'http://127.0.0.1:1',
  stablecoin: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  payTo: '0x00000000000000000000000000000000000000BB',
  wallets: [
    { address: '0x00000000000000000000000000000000000000CC' },
    { address: '0x00000000000000000000000000000000000000DD' },
  ],
};
const ALLOW: Allow = {
  networks: ['eip155:8453'],
  assets: [DEMO.stablecoin],
  recipients: [DEMO.payTo],
  hosts: ['127.0.0.1:1', 'localhost:1', '[::1]:1', 'shop.localhost:1'],
};

function payerOf(address: string, allow: Allow, more: Partial<PayerOptions> = {}) {
  const signTypedData = () => Promise.reject(new Error('it must not be asked to sign'));
  return createPayer({
    signer: { address, signTypedData },
    allow,
    budget: { perCall: 1n, total: 1n },
    store: createMemoryStore(),
    ...more,
  });
}

describe('the demo', () => {
  test("default: the demo's wallets may pay it", async () => {
    const address = DEMO.wallets[1]!.address.toLowerCase();
    const payer = payerOf(address, allowDemo(DEMO));
    // The request is sent, but no server is there.
    await expect(payer.buy(`${DEMO.apiUrl}/x`)).rejects.toMatchObject({ type: 'network' });
  });

  test('error: any other key is rejected, with the reason', () => {
    expect(() => payerOf(OWN, allowDemo(DEMO))).toThrow(
      expect.objectContaining({ type: 'demo_key', address: OWN }),
    );
    expect(() => payerOf(OWN, allowDemo(DEMO))).toThrow(/real chain.*could be charged there/);
  });

  test.each(ALLOW.hosts)(
    'error: a seller on this machine (%s) without allowLoopback',
    async (host) => {
      const payer = payerOf(OWN, ALLOW);
      const url = `http://${host}/x`;
      await expect(payer.buy(url)).rejects.toMatchObject({ type: 'demo_key' });
      await expect(payer.quote(url)).rejects.toMatchObject({ type: 'demo_key' });
      const real = payerOf(OWN, { ...ALLOW, allowLoopback: true });
      await expect(real.buy(url)).rejects.toMatchObject({ type: 'network' });
    },
  );
});

describe('the options of a payer', () => {
  test.each<[string, Partial<Record<keyof Allow, unknown>>]>([
    ['no list', { recipients: undefined }],
    ['a text instead of a list', { hosts: 'api.example.com' }],
    ['a URL instead of a host', { hosts: ['https://api.example.com'] }],
    ['a number instead of a network', { networks: ['8453'] }],
    ['half an address', { assets: ['0x1234'] }],
  ])('error: %s', (_, changes) => {
    const allow = { ...ALLOW, ...changes } as Allow;
    expect(() => payerOf(OWN, allow)).toThrow(expect.objectContaining({ type: 'config' }));
  });

  test.each<[string, Partial<PayerOptions>]>([
    ['caps that are numbers', { budget: { perCall: 1 as never, total: 1n } }],
    ['a negative cap', { budget: { perCall: 1n, total: -1n } }],
    ['a missing cap', { budget: { perCall: 1n } as never }],
    [
      'a period without an end',
      { budget: { perCall: 1n, total: 1n, perPeriod: { amount: 1n, seconds: 0 } } },
    ],
    ['signatures that expire at once', { validitySeconds: 1 }],
    ['a signer without an address', { signer: { address: 'me', signTypedData: async () => '0x' } }],
  ])('error: %s', (_, changes) => {
    expect(() => payerOf(OWN, ALLOW, changes)).toThrow(expect.objectContaining({ type: 'config' }));
  });
});
