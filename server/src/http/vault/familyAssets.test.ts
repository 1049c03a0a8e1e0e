import { describe, expect, test } from 'vitest';
import type { FamilyConfig } from '../../config/config.ts';
import type { Address } from '../../domain/hex.ts';
import type { VaultRow } from '../../store/vaults/vaults.ts';
import { checksummed } from '../checksum.ts';
import { assetsOn, baseAddressOn } from './familyAssets.ts';

const address = (digit: string): Address => `0x${digit.repeat(40)}`;
const HOME = 8453;
const READ = 42161;
const UNREAD = 10;
const NAMED = 1;

const family: FamilyConfig = {
  slug: 'svcusd',
  name: 'svcUSD',
  address: address('1'),
  adapter: 'erc4626',
  feederOf: null,
  bindingDeclarationAddress: address('1'),
  baseAsset: { marketDataId: 'usd-coin', symbol: 'USDX' },
  shareAsset: { marketDataId: 'svcusd' },
  priceFeed: null,
  chains: [
    chain(HOME, address('1')),
    chain(READ, address('2')),
    chain(UNREAD, address('3')),
    { ...chain(NAMED, address('4')), asset: address('a') },
  ],
  pools: [],
};

function chain(chainId: number, vault: Address): FamilyConfig['chains'][number] {
  const lists = { vaults: [], routers: [], custody: [] };
  return { chainId, role: 'settlement', address: vault, startBlock: 0, ...lists };
}

function row(chainId: number, vault: Address, share: Address, asset: Address): VaultRow {
  return {
    familyId: 1,
    chainId,
    address: vault,
    authority: null,
    asset,
    assetSymbol: 'USDC',
    assetName: 'USD Coin',
    assetDecimals: 6,
    share,
    shareSymbol: 'svc',
    shareName: 'Svc',
    shareDecimals: 18,
  };
}

describe('assetsOn', () => {
  const own = [
    row(HOME, address('1'), address('1'), address('c')),
    row(READ, address('2'), address('2'), address('d')),
  ];
  const addressesOn = (chainId: number, rows: readonly VaultRow[]) => {
    const assets = assetsOn(family, chainId, rows)!;
    return [assets.base.address, assets.share.address];
  };

  test('default', () => {
    expect(assetsOn(family, HOME, [])).toBeUndefined();
    expect(addressesOn(HOME, own)).toEqual([checksummed(address('c')), address('1')]);
    expect(addressesOn(READ, own)).toEqual([checksummed(address('d')), address('2')]);
  });

  test('behavior: on a chain that was never read, its own vault and what the file names', () => {
    expect(addressesOn(UNREAD, own)).toEqual([null, address('3')]);
    expect(addressesOn(NAMED, own)).toEqual([checksummed(address('a')), address('4')]);
    expect(assetsOn(family, UNREAD, own)).toMatchObject({
      base: { chainId: UNREAD, symbol: 'USDX', decimals: 6 },
      share: { symbol: 'svc', decimals: 18 },
    });
  });

  test('behavior: a share token apart is unknown where it was never read', () => {
    const apart = [row(HOME, address('1'), address('e'), address('c'))];
    expect(addressesOn(HOME, apart)[1]).toBe(checksummed(address('e')));
    expect(addressesOn(UNREAD, apart)).toEqual([null, null]);
    expect(addressesOn(NAMED, apart)).toEqual([checksummed(address('a')), null]);
  });

  test('behavior: what the chain says wins over the file', () => {
    const named = [row(NAMED, address('4'), address('4'), address('b'))];
    expect(baseAddressOn(family, NAMED, named)).toBe(address('b'));
    expect(baseAddressOn(family, NAMED, [])).toBe(address('a'));
    expect(baseAddressOn(family, UNREAD, named)).toBeUndefined();
  });
});
