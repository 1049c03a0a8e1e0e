import { describe, expect, test } from 'vitest';
import type { Config } from '../../../config/config.ts';
import { BadParameters, NotFound } from '../../problem.ts';
import { getKnownDeployment } from './knownDeployment.ts';

const VAULT = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';
const FURTHER = '0x1f98431c8ad98523631ae4a59f267346ea31f984';
const USER = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

const config = {
  chains: [
    { chainId: 8453, name: 'base' },
    { chainId: 1, name: 'ethereum' },
  ],
  families: [
    { slug: 'svcusd', chains: [{ chainId: 8453, address: VAULT, vaults: [FURTHER] }] },
    { slug: 'other', chains: [{ chainId: 1, address: VAULT, vaults: [] }] },
  ],
} as unknown as Config;

function find(network: string, vaultAddress: string, userAddress?: string) {
  return getKnownDeployment(config, { network, vaultAddress, ...(userAddress && { userAddress }) });
}

describe('getKnownDeployment', () => {
  test('default', () => {
    const deployment = find('Base', VAULT.toUpperCase().replace('0X', '0x'), USER.toLowerCase());
    expect(deployment.family.slug).toBe('svcusd');
    expect(deployment.chain.chainId).toBe(8453);
    expect(deployment.familyChain.address).toBe(VAULT);
    expect(deployment.wallet).toBe(USER);
  });

  test('behavior: one address on two chains is the vault of two families', () => {
    expect(find('1', VAULT).family.slug).toBe('other');
  });

  test.each([
    ['nowhere', VAULT, 'The network "nowhere" is unknown here'],
    ['base', USER, 'is unknown here'],
    ['ethereum', FURTHER, 'The family svcusd is not on ethereum'],
    // Its asset is different and may have other decimals.
    ['base', FURTHER, 'The vault of svcusd on base is 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'],
  ])('error: %s %s', (network, vault, words) => {
    expect(() => find(network, vault)).toThrow(NotFound);
    expect(() => find(network, vault)).toThrow(words);
  });

  test('error: a missing wallet is reported first', () => {
    expect(() => find('nowhere', VAULT, '0x12')).toThrow(BadParameters);
  });
});
