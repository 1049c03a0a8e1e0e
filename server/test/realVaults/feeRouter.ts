import type { Address } from '../../src/domain/hex.ts';
import { createCast, HOUR, UNLIMITED } from './cast.ts';
import type { Receipt } from './chain.ts';
import { compareNotices } from './compareNotices.ts';
import { account } from './plainScenario.ts';
import type { Played } from './testScenario.ts';
import { createShortWorld, createVaultActs, UNIT } from './vaultActs.ts';

/** Shares and assets of a `Deposit` or `Withdraw`. */
interface Paid {
  readonly assets: bigint;
  readonly shares: bigint;
}

/** Plays a plain vault behind a router that takes a fee: in shares that it burns or sends on, or in assets. */
export async function playFeeRouter(): Promise<Played> {
  const world = await createShortWorld(31_374);
  const { chain, usd, deploy } = world;
  const { ann, bob, cleo, dan } = createCast();
  const treasury = account(0xfee7n);
  const vault = await deploy('BurnableVault', usd.address);
  const router = await deploy('FeeRouter', vault.address, treasury);
  const { family, acts, deposit } = await createVaultActs(world, vault, {
    ...{ slug: 'routed', kind: 'erc4626', wallets: [ann, bob, cleo, dan, treasury] },
    place: { routers: [router.address], virtualShares: 1n },
  });
  for (const wallet of [ann, bob, cleo, dan]) {
    await chain.together([
      { from: wallet, to: usd, fn: 'approve', args: [router.address, UNLIMITED] },
      { from: wallet, to: vault, fn: 'approve', args: [router.address, UNLIMITED] },
    ]);
  }
  await deposit(cleo, 3_000n * UNIT);
  for (let i = 0; i < 4; i++) await live(6 * HOUR);
  return {
    families: [family],
    book: world.book,
    goOn: () => live(20 * 60),
    more: (served) => compareNotices(served, {}),
  };

  async function live(wait: number): Promise<void> {
    chain.advance(wait);
    await chain.send(ann, usd, 'mint', [vault.address, 13n * UNIT + 7n]);
    await depositBurning(ann, 1_000n * UNIT + 1n);
    await depositTaxed(bob, 700n * UNIT + 3n);
    await depositSending(dan, 900n * UNIT + 9n);
    await redeemBurning(cleo, 100n * UNIT + 11n);
    await redeemSending(dan, 200n * UNIT + 17n);
    await redeemTaxed(dan, 150n * UNIT + 19n);
  }

  function call(from: Address, fn: string, amount: bigint): Promise<Receipt> {
    return chain.send(from, router, fn, [amount, from]);
  }

  /** The shares that are left cost the entire payment. */
  async function depositBurning(wallet: Address, amount: bigint): Promise<void> {
    const done = await call(wallet, 'depositBurning', amount);
    const { assets, shares } = noted(done, 'deposit', router.address);
    const kept = shares - shares / 100n;
    await acts.move(done, { wallet, kind: 'deposit', shares: kept, assets });
  }

  /** From outside, the treasury looks like any other receiver of a part of the deposit. */
  async function depositSending(wallet: Address, amount: bigint): Promise<void> {
    const done = await call(wallet, 'depositSending', amount);
    const { assets, shares } = noted(done, 'deposit', router.address);
    const fee = shares / 100n;
    const part = (assets * fee) / shares;
    await acts.move(done, { wallet: treasury, kind: 'deposit', shares: fee, assets: part });
    const rest = { shares: shares - fee, assets: assets - part };
    await acts.move(done, { wallet, kind: 'deposit', ...rest });
  }

  /** Only what reaches the vault is the payment. */
  async function depositTaxed(wallet: Address, amount: bigint): Promise<void> {
    const done = await call(wallet, 'depositTaxed', amount);
    const paid = noted(done, 'deposit', wallet);
    await acts.move(done, { wallet, kind: 'deposit', ...paid });
  }

  async function redeemBurning(wallet: Address, amount: bigint): Promise<void> {
    const done = await call(wallet, 'redeemBurning', amount);
    const paid = noted(done, 'withdraw', wallet);
    await acts.move(done, { wallet, kind: 'exit', shares: amount / 100n, assets: 0n });
    await acts.move(done, { wallet, kind: 'exit', ...paid });
  }

  async function redeemSending(wallet: Address, amount: bigint): Promise<void> {
    const done = await call(wallet, 'redeemSending', amount);
    const paid = noted(done, 'withdraw', wallet);
    await acts.pass(done, wallet, treasury, amount / 100n);
    await acts.move(done, { wallet, kind: 'exit', ...paid });
  }

  /** The vault pays the router, so that the fee is not visible in its event. */
  async function redeemTaxed(wallet: Address, amount: bigint): Promise<void> {
    const done = await call(wallet, 'redeemTaxed', amount);
    const paid = noted(done, 'withdraw', router.address);
    await acts.move(done, { wallet, kind: 'exit', ...paid });
  }

  /** Records the item of the vault's own event, which is the only one with so many topics, and returns its amounts. */
  function noted(done: Receipt, type: 'deposit' | 'withdraw', user: Address): Paid {
    const isOwn = ({ topics, data }: Receipt['logs'][number]) =>
      topics.length === (type === 'deposit' ? 3 : 4) && data.length === 2 + 2 * 64;
    const { data } = done.logs.find(isOwn)!;
    const paid = { assets: BigInt(data.slice(0, 66)), shares: BigInt(`0x${data.slice(66)}`) };
    acts.note(done, { type, vault: vault.address, user, ...paid });
    return paid;
  }
}
