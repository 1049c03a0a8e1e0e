import { type Address, lower } from '../../src/domain/hex.ts';
import { createRandom, type Random } from '../activity.ts';
import { createBook } from './book.ts';
import { createLocalChain } from './chain.ts';
import { createWallets, DAYS, OWNER, startOfPlay } from './plainScenario.ts';
import type { Family, Place } from './scenario.ts';
import type { Played } from './testScenario.ts';
import { createYoActs, type YoActs } from './yoActs.ts';
import { deployYo, type YoSetting, type YoVault } from './yoDeploy.ts';

const DAY = 86_400;
const WHOLE = 1_000_000n;
const SEED = 7_777;

/**
 * Plays one vault on two chains at the same address, with separate supplies and prices, and yoUSDT on the first chain.
 */
export async function playYo(): Promise<Played> {
  const random = createRandom(SEED);
  const wallets = createWallets(12);
  const book = createBook();
  const start = startOfPlay();
  const chains = [
    await createLocalChain({ chainId: 31_401, startTime: start }),
    // Starts a day later; until then the family is on one chain only.
    await createLocalChain({ chainId: 31_402, startTime: start }),
  ] as const;
  let now = start;
  const first = await deployYo(chains[0]);
  const main = createYoActs(first.setting, first.yoUsd, 'yousd', book);
  const usdt = createYoActs(first.setting, first.yoUsdt, 'yousdt', book);
  later(5_000);
  await begin(main, 1_000_000n);
  later(5_000);
  await begin(usdt, 1_031_415n);
  later(DAY);
  const second = await deployYo(chains[1]);
  const other = createYoActs(second.setting, second.yoUsd, 'yousd', book);
  later(8_000);
  await begin(other, 1_008_000n);
  const all = [main, main, other, usdt];
  for (const { setting, yoUsd } of [first, second]) {
    await yoUsd.chain.send(OWNER, yoUsd.vault, 'updateWithdrawFee', [5n * 10n ** 15n]);
    if (setting === first.setting) {
      await yoUsd.chain.send(OWNER, yoUsd.vault, 'updateDepositFee', [10n ** 15n]);
    }
  }
  while (now < start + DAYS * DAY) {
    later(600 * (1 + random.int(18)));
    await playOne(random.pick(all), wallets, random);
  }
  return {
    book,
    families: [
      { slug: 'yousd', kind: 'receiver-queue', places: [placeOf(first), placeOf(second)] },
      familyOf('yousdt', placeOf({ ...first, yoUsd: first.yoUsdt })),
    ],
    async goOn() {
      for (let i = 0; i < 8; i++) {
        now = Math.max(...chains.map(({ tip }) => tip.time));
        later(60 * random.int(12));
        await playOne(all[i % all.length]!, wallets, random);
      }
    },
    more: async (served) => {
      const answer = await served.get<{ authority: string | null }>('/v1/vaults/yousd');
      const expected = first.setting.authority.address;
      if (answer.authority !== null && lower(answer.authority) === expected) return [];
      return [`yousd: authority is ${answer.authority}, the vault says ${expected}`];
    },
  };

  /** Both chains share one clock; before a chain is used, it catches up. */
  function later(seconds: number): void {
    now = Math.max(now, ...chains.map(({ tip }) => tip.time)) + seconds;
  }

  async function begin(acts: YoActs, price: bigint): Promise<void> {
    catchUp(acts);
    await acts.publish(price);
    for (const wallet of wallets) await acts.fund(wallet, 10_000_000n * WHOLE);
    const [a, b, c, d] = wallets as [Address, Address, Address, Address];
    await acts.deposit(a, 60_000n * WHOLE);
    await acts.mint(b, 8_000n * WHOLE + 1n);
    await acts.routeDeposit(c, 30_000n * WHOLE, d);
    await acts.invest(((await acts.held()) * 9n) / 10n);
    await acts.transferBeside(a, c, 5_000n * WHOLE, price + 1_733n, true);
    await acts.transferBeside(a, d, 4_000n * WHOLE, price + 2_911n, false);
    // The amount exceeds the vault's assets, so it is queued, also for others and through the gateway.
    await acts.redeem(a, 40_000n * WHOLE, b);
    await acts.routeRedeem(d, 20_000n * WHOLE, a);
    await acts.transfer(c, acts.vault, 11n * WHOLE);
    const queued = await acts.pendingOf(b);
    await acts.bringBack(30_000n * WHOLE);
    await acts.fulfil(b, queued.shares / 3n, queued.assets / 3n);
    await acts.cancel(b, queued.shares / 4n, queued.assets / 4n);
    await acts.redeem(c, 10n * WHOLE);
    await acts.routeRedeem(c, 5n * WHOLE, d);
  }

  async function playOne(acts: YoActs, people: readonly Address[], chance: Random): Promise<void> {
    catchUp(acts);
    const wallet = chance.pick(people);
    const receiver = chance.int(3) === 0 ? chance.pick(people) : wallet;
    const amount = (WHOLE * BigInt(1 + chance.int(4_000_000))) / 1000n;
    const held = await acts.balance(wallet);
    const part = held / BigInt(2 + chance.int(5));
    const pending = await acts.pendingOf(wallet);
    switch (chance.int(12)) {
      case 0:
        return acts.deposit(wallet, amount, receiver);
      case 1:
        return acts.routeDeposit(wallet, amount, receiver);
      case 2:
      case 3:
        return acts.publish(((await acts.price()) * BigInt(9_990 + chance.int(30))) / 10_000n);
      case 4:
        if (part === 0n) return acts.mint(wallet, amount);
        await acts.redeem(wallet, part, receiver);
        return;
      case 5:
        if (part === 0n) return acts.deposit(wallet, 1n + BigInt(chance.int(5)));
        await acts.routeRedeem(wallet, part, receiver);
        return;
      case 6:
        if (part === 0n) return acts.deposit(wallet, amount);
        return acts.transfer(wallet, chance.pick(people), part);
      case 7:
      case 8: {
        if (pending.shares < 2n) return acts.bringBack(amount);
        if ((await acts.held()) < pending.assets) await acts.bringBack(pending.assets);
        const whole = chance.int(2) === 0;
        const [shares, assets] = whole
          ? [pending.shares, pending.assets]
          : [pending.shares / 2n, pending.assets / 2n];
        return acts.fulfil(wallet, shares, assets);
      }
      case 9:
        if (pending.shares < 3n) return acts.deposit(wallet, amount);
        return acts.cancel(wallet, pending.shares / 3n, pending.assets / 3n);
      default: {
        const idle = await acts.held();
        return idle > 100n ? acts.invest((idle * 4n) / 5n) : acts.bringBack(amount);
      }
    }
  }

  function catchUp({ chain }: YoActs): void {
    chain.advance(Math.max(0, now - chain.tip.time));
  }
}

function placeOf({ setting, yoUsd }: { setting: YoSetting; yoUsd: YoVault }): Place {
  return {
    chain: yoUsd.chain,
    vaults: [yoUsd.vault.address],
    share: yoUsd.vault.address,
    asset: yoUsd.asset.address,
    startBlock: yoUsd.startBlock,
    custody: [yoUsd.vault.address],
    routers: [setting.gateway.address],
  };
}

function familyOf(slug: string, place: Place): Family {
  return { slug, kind: 'receiver-queue', places: [place] };
}
