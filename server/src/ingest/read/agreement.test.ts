import { expect, test } from 'vitest';
import { describeAnyEngine } from '../../../test/database.ts';
import type { FamilyConfig } from '../../config/config.ts';
import type { Address } from '../../domain/hex.ts';
import { families } from '../../store/families/families.ts';
import type { Store } from '../../store/store.ts';
import { type VaultRow, vaults } from '../../store/vaults/vaults.ts';
import { ChainsDisagree, keepFacts } from './agreement.ts';

const address = (digit: string): Address => `0x${digit.repeat(40)}`;

/** Chain 2 is the first settlement chain. */
const chains = [
  { chainId: 1, role: 'execution', address: address('a') },
  { chainId: 2, role: 'settlement', address: address('a') },
] as unknown as FamilyConfig['chains'];

async function register(store: Store, slug: string) {
  const rows = await store.transaction((tx) => families.register(tx, [slug]));
  const { familyId } = rows.find((row) => row.slug === slug)!;
  const family = { slug, chains } as FamilyConfig;
  const facts = (chainId: number, change: Partial<VaultRow> = {}): VaultRow => ({
    familyId,
    chainId,
    address: address('a'),
    authority: null,
    asset: address('b'),
    assetSymbol: 'USDC',
    assetName: 'USD Coin',
    assetDecimals: 6,
    share: address('a'),
    shareSymbol: 'S',
    shareName: 'Share',
    shareDecimals: 18,
    ...change,
  });
  const keep = async (row: VaultRow, of = family) => {
    const all = [{ family: of, facts: row }];
    const refused = await store.transaction((tx) => keepFacts(tx, all));
    const error = refused.get(familyId);
    if (error !== undefined) throw error;
  };
  const kept = async () => (await vaults.getAll(store)).filter((row) => row.familyId === familyId);
  return { family, facts, keep, kept };
}

describeAnyEngine('keepFacts', (open) => {
  test('default', async () => {
    const { facts, keep, kept } = await register(await open(), 'alike');
    await keep(facts(1));
    await keep(facts(2, { assetSymbol: 'USDbC' }));
    expect(await kept()).toEqual([facts(1), facts(2, { assetSymbol: 'USDbC' })]);
  });

  test.each(['assetDecimals', 'shareDecimals'] as const)(
    'error: %s differ from those stored before',
    async (key) => {
      const { facts, keep, kept } = await register(await open(), `differing-${key.toLowerCase()}`);
      await keep(facts(1));
      const refused = keep(facts(2, { [key]: 8 }));
      await expect(refused).rejects.toThrow(ChainsDisagree);
      await expect(refused).rejects.toThrow(
        `${key} is ${facts(1)[key]} on chain 1 and 8 on chain 2; they must agree`,
      );
      expect(await kept()).toEqual([facts(1)]);
    },
  );

  test('behavior: a vault with a different address on each chain is compared as well', async () => {
    const { facts, keep, family } = await register(await open(), 'apart');
    const apart = {
      ...family,
      chains: family.chains.map((chain) =>
        chain.chainId === 2 ? { ...chain, address: address('c') } : chain,
      ),
    };
    await keep(facts(1), apart);
    const other = facts(2, { address: address('c'), assetDecimals: 18 });
    await expect(keep(other, apart)).rejects.toThrow(ChainsDisagree);
  });

  test('behavior: if two are known, the first settlement chain counts', async () => {
    const store = await open();
    const { facts, keep } = await register(store, 'known');
    await vaults.upsert(store, [facts(1, { assetDecimals: 18 })]);
    await vaults.upsert(store, [facts(2)]);
    await keep(facts(2));
    await expect(keep(facts(1, { assetDecimals: 18 }))).rejects.toThrow(ChainsDisagree);
  });

  test('behavior: a removed deployment does not count', async () => {
    const { family, facts, keep, kept } = await register(await open(), 'gone');
    await keep(facts(1, { assetDecimals: 18 }));
    await keep(facts(2), { ...family, chains: chains.slice(1) });
    const moved = { address: address('c') };
    const elsewhere = { ...family, chains: chains.map((chain) => ({ ...chain, ...moved })) };
    await keep(facts(1, { ...moved, assetDecimals: 8 }), elsewhere);
    await keep(facts(2, { ...moved, assetDecimals: 8 }), elsewhere);
    expect((await kept()).map(({ assetDecimals }) => assetDecimals)).toEqual([8, 8]);
  });
});
