import type { Address } from '../../src/domain/hex.ts';
import { createBook, type Move } from './book.ts';
import { type Contract, createLocalChain, type Receipt } from './chain.ts';
import { compareNotices } from './compareNotices.ts';
import { npmCompiled } from './contracts.ts';
import { createPlainActs } from './plainActs.ts';
import { createWallets, OWNER, startOfPlay } from './plainScenario.ts';
import type { Family } from './scenario.ts';
import type { Played } from './testScenario.ts';

const ETHER = 10n ** 18n;
/** The value of one satoshi in base units, so that 2 BTC are 60 ETH. */
const BTC_RATE = 3n * 10n ** 29n;
/** Units of staked ether that replace one satoshi in the variant without BTC. */
const STAKED_PER_SAT = 3n * 10n ** 11n;
/** So close to the base asset that only the asset transfers distinguish them. */
const STAKED_RATE = (ETHER * 1_001n) / 1_000n;

/**
 * Plays YieldNest with and without its list of assets: deposits and exits in the base asset, in BTC, and in a staked
 * ether. The last vault takes the base asset and the staked ether, whose price is within 0.1% of it, and lists nothing.
 */
export async function playYieldNest(days = 3): Promise<Played & { readonly dora: Address }> {
  const chain = await createLocalChain({ chainId: 31_337, startTime: startOfPlay(days) });
  const book = createBook();
  const token = async (name: string, decimals: number) =>
    chain.deploy(OWNER, await npmCompiled('Token'), [name, decimals]);
  const [ether, bitcoin, staked] = [
    await token('WETH', 18),
    await token('WBTC', 8),
    await token('stETH', 18),
  ];
  const [alice, bob, carol, dora] = createWallets(4) as [Address, Address, Address, Address];
  const families: Family[] = [];
  const lives: (() => Promise<void>)[] = [];
  for (const [slug, name] of [
    ['listed', 'YieldNestVault'],
    ['silent', 'SilentNestVault'],
    ['near', 'SilentNestVault'],
  ] as const) {
    const vault = await chain.deploy(OWNER, await npmCompiled(name), [ether.address]);
    const startBlock = chain.tip.number;
    const acts = createPlainActs({ chain, family: slug, vault, asset: ether, book });
    const isNear = slug === 'near';
    const second = isNear ? staked : bitcoin;
    const of = (sats: bigint) => (isNear ? sats * STAKED_PER_SAT : sats);
    if (!isNear) await chain.send(OWNER, vault, 'addAsset', [bitcoin.address, BTC_RATE]);
    await chain.send(OWNER, vault, 'addAsset', [staked.address, STAKED_RATE]);
    for (const wallet of [alice, bob, carol, dora]) {
      await acts.fund(wallet, 10_000n * ETHER);
      await fund(wallet, bitcoin, vault, 1_000n * 10n ** 8n);
      await fund(wallet, staked, vault, 10_000n * ETHER);
    }
    const kit = { vault, slug };
    // The first deposit is in another asset, so no price is known before it.
    await enter(kit, alice, second, of(200_000_007n));
    await acts.deposit(bob, 40n * ETHER + 3n);
    chain.advance(7_200);
    await acts.profit(5n * ETHER + 1n);
    await enter(kit, carol, staked, 11n * ETHER);
    await enter(kit, alice, second, of(31_415_927n));
    // Dora never sends or receives shares, so her payments can be proven.
    await enter(kit, dora, second, of(50_000_000n));
    await acts.transfer(alice, carol, (await acts.balance(alice)) / 3n);
    await chain.send(OWNER, vault, 'fillBuffer', [20n * ETHER]);
    await acts.redeem(bob, (await acts.balance(bob)) / 5n);
    await leave(kit, alice, second, of(12_345_678n));
    // The price jumps by a tenth, which must not change the payments.
    await acts.profit((await chain.read(vault, 'totalAssets')) / 10n);
    await acts.deposit(carol, 7n * ETHER + 9n);
    await acts.withdraw(bob, ETHER + 1n);
    const place = { chain, vaults: [vault.address], share: vault.address, asset: ether.address };
    const kept = { startBlock, custody: [vault.address], virtualShares: 1n };
    families.push({ slug, kind: 'erc4626', places: [{ ...place, ...kept }] });
    lives.push(async () => {
      await acts.deposit(bob, 2n * ETHER + 5n);
      await enter(kit, carol, second, of(1_234_567n));
      await leave(kit, carol, second, of(543_210n));
      await acts.redeem(bob, (await acts.balance(bob)) / 50n);
    });
  }
  while (chain.tip.time < startOfPlay(days) + days * 86_400) {
    chain.advance(8 * 3_600);
    await chain.mine();
  }
  return {
    families,
    book,
    dora,
    more: (served) => {
      const codes = ['other-asset'];
      return compareNotices(served, { listed: codes, silent: codes, near: codes });
    },
    async goOn() {
      for (const live of lives) {
        chain.advance(600);
        await live();
      }
    },
  };

  async function fund(wallet: Address, asset: Contract, vault: Contract, amount: bigint) {
    await chain.together([
      { from: wallet, to: asset, fn: 'mint', args: [wallet, amount] },
      { from: wallet, to: asset, fn: 'approve', args: [vault.address, 2n ** 256n - 1n] },
    ]);
  }

  async function enter(kit: Kit, user: Address, asset: Contract, amount: bigint): Promise<void> {
    const args = [asset.address, amount, user];
    await note(kit, user, await chain.send(user, kit.vault, 'depositAsset', args), 'deposit');
  }

  async function leave(kit: Kit, user: Address, asset: Contract, amount: bigint): Promise<void> {
    const args = [asset.address, amount, user];
    await note(kit, user, await chain.send(user, kit.vault, 'withdrawAsset', args), 'exit');
  }

  /** An amount in another asset counts at the value of the shares in that block. */
  async function note({ vault, slug }: Kit, user: Address, receipt: Receipt, kind: Move['kind']) {
    const { block, time, hash } = receipt;
    const after = await chain.read(vault, 'balanceOf', [user], block);
    const change = after - (await chain.read(vault, 'balanceOf', [user], block - 1));
    const shares = change < 0n ? -change : change;
    const assets = await chain.read(vault, 'convertToAssets', [shares], block);
    const placed = { family: slug, chainId: chain.chainId, block, time, assets, shares };
    const type = kind === 'deposit' ? 'deposit' : 'withdraw';
    book.note({ ...placed, type, user, vault: vault.address, tx: hash, slack: 1n });
    book.move({ ...placed, wallet: user, kind, slack: 1n });
  }
}

interface Kit {
  readonly vault: Contract;
  readonly slug: string;
}
