import { type Address, lower } from '../../src/domain/hex.ts';
import { createRandom } from '../activity.ts';
import { createCast, HOUR } from './cast.ts';
import { compareNotices } from './compareNotices.ts';
import { account } from './plainScenario.ts';
import type { Played } from './testScenario.ts';
import { createShortWorld, createVaultActs, type ShortWorld, UNIT } from './vaultActs.ts';

type Story = Awaited<ReturnType<typeof createVaultActs>> & { live(): Promise<void> };

/** Plays vaults that take fees in shares, each in a different way. */
export async function playFeesInShares(): Promise<Played> {
  const world = await createShortWorld(31_340);
  const stories = [await ipor(world), await morphoV2(world), await superform(world)];
  const random = createRandom(30_03);
  for (let i = 0; i < 4; i++) {
    world.chain.advance(6 * HOUR);
    for (const story of stories) await story.live();
  }
  return {
    families: stories.map(({ family }) => family),
    book: world.book,
    more: (served) => compareNotices(served, {}),
    async goOn() {
      world.chain.advance(60 * random.int(30));
      for (const story of stories) await story.live();
    },
  };
}

async function ipor(world: ShortWorld): Promise<Story> {
  const { chain, usd, deploy } = world;
  const { ann, bob } = createCast();
  const vault = await deploy('IporVault', usd.address);
  const fees = [10n ** 16n, 5n * 10n ** 15n];
  const manager = await deploy('IporWithdrawManager', vault.address, ...fees);
  await chain.send(ann, vault, 'setWithdrawManager', [manager.address]);
  const vaultActs = await createVaultActs(world, vault, {
    ...{ slug: 'ipor', kind: 'erc4626', wallets: [ann, bob] },
    place: { custody: [vault.address, manager.address], virtualShares: 100n },
  });
  const { acts, send, deposit } = vaultActs;
  await deposit(ann, 5_000n * UNIT);
  await deposit(bob, 7_000n * UNIT);
  return { ...vaultActs, live };

  async function live(): Promise<void> {
    await chain.send(ann, usd, 'mint', [vault.address, 11n * UNIT + 1n]);
    await deposit(ann, 50n * UNIT);
    // The fee is burned in addition to the shares that are paid out, and no event names it.
    await withdraw();
    await redeem();
    await request();
  }

  async function withdraw(): Promise<void> {
    const assets = 20n * UNIT;
    const done = await send(ann, 'withdraw', [assets, ann, ann]);
    const [paid, fee] = burnsIn(done);
    acts.note(done, { type: 'withdraw', vault: vault.address, user: ann, assets, shares: paid! });
    await acts.move(done, { wallet: ann, kind: 'exit', shares: paid!, assets });
    await acts.move(done, { wallet: ann, kind: 'exit', shares: fee!, assets: 0n });
  }

  async function redeem(): Promise<void> {
    const shares = 1_000n * UNIT;
    const before = await chain.read(usd, 'balanceOf', [bob]);
    const done = await send(bob, 'redeem', [shares, bob, bob]);
    const assets = (await chain.read(usd, 'balanceOf', [bob])) - before;
    acts.note(done, { type: 'withdraw', vault: vault.address, user: bob, assets, shares });
    await acts.move(done, { wallet: bob, kind: 'exit', shares, assets });
  }

  /** The manager receives the fee and burns it later; the rest is paid without another fee. */
  async function request(): Promise<void> {
    const asked = await send(bob, 'requestShares', [2_000n * UNIT], manager);
    const fee = 20n * UNIT;
    await acts.move(asked, { wallet: bob, kind: 'exit', shares: fee, assets: 0n });
    const shares = 1_980n * UNIT;
    const before = await chain.read(usd, 'balanceOf', [bob]);
    const done = await send(bob, 'redeemFromRequest', [shares, bob, bob]);
    const assets = (await chain.read(usd, 'balanceOf', [bob])) - before;
    acts.note(done, { type: 'withdraw', vault: vault.address, user: bob, assets, shares });
    await acts.move(done, { wallet: bob, kind: 'exit', shares, assets });
    await send(ann, 'burnRequestFee', [fee / 2n]);
  }
}

/** Returns the shares of each burn in a transaction, in order. */
function burnsIn({ logs }: { logs: readonly { topics: readonly string[]; data: string }[] }) {
  return logs
    .filter(({ topics }) => topics.length === 3 && BigInt(topics[2]!) === 0n)
    .map(({ data }) => BigInt(data));
}

async function morphoV2(world: ShortWorld): Promise<Story> {
  const { chain, usd, deploy } = world;
  const { cleo, dan } = createCast();
  const vault = await deploy('MorphoV2Vault', usd.address);
  const adapter = await chain.read<Address>(vault, 'adapter');
  const vaultActs = await createVaultActs(world, vault, {
    ...{ slug: 'morpho-v2', kind: 'erc4626', wallets: [cleo, dan] },
    place: { virtualShares: 10n ** 12n },
  });
  const { acts, send, deposit } = vaultActs;
  await deposit(cleo, 9_000n * UNIT);
  await deposit(dan, 3_000n * UNIT);
  await send(dan, 'invest', [8_000n * UNIT]);
  return { ...vaultActs, live };

  async function live(): Promise<void> {
    await send(dan, 'accrue', [3n * UNIT]);
    const done = await send(cleo, 'forceDeallocate', [adapter, '0x', 100n * UNIT, cleo]);
    const [shares] = burnsIn(done);
    const user = cleo;
    acts.note(done, { type: 'withdraw', vault: vault.address, user, assets: 0n, shares: shares! });
    await acts.move(done, { wallet: cleo, kind: 'exit', shares: shares!, assets: 0n });
  }
}

async function superform(world: ShortWorld): Promise<Story> {
  const { chain, usd, deploy } = world;
  const { eve, fay, gus } = createCast();
  const vault = await deploy('SuperVault', usd.address, account(0xfee6n));
  const escrow = await chain.read<Address>(vault, 'escrow');
  const vaultActs = await createVaultActs(world, vault, {
    ...{ slug: 'superform', kind: 'erc7540', wallets: [eve, fay, gus] },
    place: { custody: [vault.address, lower(escrow)], depositsAtOnce: true },
  });
  const { acts, send, deposit } = vaultActs;
  let price = UNIT;
  await send(fay, 'setOperator', [gus, true]);
  await deposit(eve, 10_000n * UNIT);
  await deposit(fay, 4_000n * UNIT);
  return { ...vaultActs, live };

  async function live(): Promise<void> {
    price += 2_345n;
    await send(eve, 'setPrice', [price]);
    // The yield goes to the strategy.
    await chain.send(eve, usd, 'mint', [await chain.read(vault, 'strategy'), 100n * UNIT]);
    await cancel();
    await fulfil();
  }

  async function request(wallet: Address, shares: bigint): Promise<void> {
    const done = await send(wallet, 'requestRedeem', [shares, wallet, wallet]);
    const assets = await acts.worth(shares, done);
    const entry = { type: 'redeem', vault: vault.address, user: wallet } as const;
    acts.note(done, { ...entry, assets, shares, slack: 1n });
  }

  /** The event names no amount, and an operator receives the shares. */
  async function cancel(): Promise<void> {
    for (const by of [fay, gus]) {
      await request(fay, 30n * UNIT + 3n);
      // The amount is larger if a reorg removed an earlier cancel.
      const shares = await chain.read(vault, 'pendingRedeemRequest', [0n, fay]);
      const done = await send(by, 'cancelRedeem', [fay]);
      const assets = await acts.worth(shares, done);
      const entry = { type: 'cancel', vault: vault.address, user: by } as const;
      acts.note(done, { ...entry, assets, shares, slack: 1n });
      if (by !== fay) await acts.pass(done, fay, by, shares);
    }
  }

  /** The vault keeps a part of the profit, so fewer shares can be claimed than were requested. */
  async function fulfil(): Promise<void> {
    const shares = 500n * UNIT + 7n;
    await request(eve, shares);
    const ready = await send(eve, 'fulfill', [eve]);
    await acts.move(ready, { wallet: eve, kind: 'exit', assets: 0n });
    const owed = await chain.read(vault, 'maxWithdraw', [eve]);
    for (const assets of [owed / 3n, owed - owed / 3n]) {
      const done = await send(eve, 'withdraw', [assets, eve, eve]);
      const [named] = done.logs.slice(-1);
      const said = BigInt(`0x${named!.data.slice(66)}`);
      const entry = { type: 'withdraw', vault: vault.address, user: eve } as const;
      acts.note(done, { ...entry, assets, shares: said });
      await acts.move(done, { wallet: eve, kind: 'exit', assets });
    }
  }
}
