import { describe, expect, test } from 'vitest';
import type { FamilyConfig } from '../../config/config.ts';
import type { RatedConfig } from '../../config/rated/description.ts';
import type { Address } from '../../domain/hex.ts';
import type { VaultRow } from '../../store/vaults/vaults.ts';
import { checksummed } from '../checksum.ts';
import { assetsOn, baseAddressOn, baseSymbolOn, mainAssets } from './familyAssets.ts';

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
    { ...chain(NAMED, address('4')), asset: address('a'), share: address('f') },
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

  test('behavior: on an unread chain, its own vault and the configured addresses', () => {
    expect(addressesOn(NAMED, own)).toEqual([address('a'), address('f')].map(checksummed));
    expect(assetsOn(family, NAMED, own)).toMatchObject({
      base: { chainId: NAMED, symbol: 'USDX', decimals: 6 },
      share: { symbol: 'svc', decimals: 18 },
    });
  });

  test('behavior: a separate share token is unknown if it was never read and the file lacks it', () => {
    const apart = [row(HOME, address('1'), address('e'), address('c'))];
    expect(addressesOn(HOME, apart)[1]).toBe(checksummed(address('e')));
    expect(assetsOn(family, UNREAD, apart)).toBeUndefined();
    expect(addressesOn(NAMED, apart)).toEqual([address('a'), address('f')].map(checksummed));
  });

  test('behavior: without a configured or on-chain address, there is no entry, and another chain represents the family', () => {
    expect(assetsOn(family, UNREAD, own)).toBeUndefined();
    expect(baseSymbolOn(family, UNREAD, own)).toBe('USDX');
    const late = [row(READ, address('2'), address('2'), address('d'))];
    expect(assetsOn(family, HOME, late)).toBeUndefined();
    expect(mainAssets(family, late)).toEqual(assetsOn(family, READ, late));
    expect(mainAssets(family, [])).toBeUndefined();
  });

  test('behavior: a currency has no address anywhere, also if the file names a token beside it', () => {
    const rated = { unit: { kind: 'currency', currency: 'USD', decimals: 18 } } as RatedConfig;
    const chains = family.chains.map((one) => ({ ...one, rated }));
    const paid = [{ ...row(HOME, address('1'), address('1'), address('c')), asset: null }];
    const baseOn = (chainId: number) => assetsOn({ ...family, chains }, chainId, paid)!.base;
    expect([HOME, UNREAD, NAMED].map((chainId) => baseOn(chainId).address)).toEqual([
      null,
      null,
      null,
    ]);
    expect(baseAddressOn({ ...family, chains }, NAMED, paid)).toBeUndefined();
  });

  test("behavior: the chain's value overrides the file", () => {
    const named = [row(NAMED, address('4'), address('4'), address('b'))];
    expect(baseAddressOn(family, NAMED, named)).toBe(address('b'));
    expect(baseAddressOn(family, NAMED, [])).toBe(address('a'));
    expect(baseAddressOn(family, UNREAD, named)).toBeUndefined();
  });
});
