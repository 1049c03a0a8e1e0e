import { describe, expect, test } from 'vitest';
import { carriesKey, rpcReference } from './rpcReference.ts';

describe('rpcReference', () => {
  test('default', () => {
    expect(rpcReference('base', 'https://mainnet.base.org', 0)).toEqual({
      variable: 'BASE_RPC_URL',
      text: `\${BASE_RPC_URL:-https://mainnet.base.org}`,
      bare: false,
    });
    expect(rpcReference('chain-31337', 'http://127.0.0.1:8545', 1)).toMatchObject({
      variable: 'CHAIN_31337_RPC_URL_2',
      bare: false,
    });
  });

  test('behavior: a URL with a key stays out of the file', () => {
    expect(rpcReference('base', 'https://rpc.example/v2/abcdefghijklmnop12345', 0)).toEqual({
      variable: 'BASE_RPC_URL',
      text: `\${BASE_RPC_URL}`,
      bare: true,
    });
  });
});

describe('carriesKey', () => {
  test.each([
    ['https://user:secret@rpc.example', true],
    ['https://rpc.example/?apikey=1', true],
    ['https://rpc.example/v3/0123456789abcdef0123456789abcdef', true],
    ['https://a1b2c3d4e5f6a7b8c9.rpc.example/', true],
    ['https://mainnet.base.org', false],
    ['https://ethereum-rpc.publicnode.com', false],
    ['https://rpc.example/eth/mainnet', false],
    ['http://127.0.0.1:8545', false],
    ['http://[::1]:8545/', false],
  ])('behavior: %s', (url, expected) => {
    expect(carriesKey(url)).toBe(expected);
  });
});
