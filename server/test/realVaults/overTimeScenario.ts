import type { Address } from '../../src/domain/hex.ts';
import { createRandom, type Random } from '../activity.ts';
import { createBook } from './book.ts';
import { DAY, HOUR } from './cast.ts';
import { createLocalChain, type LocalChain } from './chain.ts';
import { type EthenaActs, openEthena } from './ethenaActs.ts';
import { createWallets, startOfPlay } from './plainScenario.ts';
import type { Played } from './testScenario.ts';
import { openYearn, type YearnActs } from './yearnActs.ts';

const DOLLAR = 10n ** 6n;
const ETHER = 10n ** 18n;

interface Story {
  readonly chain: LocalChain;
  readonly yearn: YearnActs;
  readonly ethena: EthenaActs;
  readonly wallets: readonly Address[];
}

/**
 * Plays five days of two vaults whose prices change every second: one locks its profit, the other's redemptions cool
 * down.
 */
export async function playOverTime(): Promise<Played> {
  const chain = await createLocalChain({ chainId: 31_338, startTime: startOfPlay(5) });
  const book = createBook();
  const wallets = createWallets(8);
  const yearn = await openYearn(chain, book);
  const ethena = await openEthena(chain, book);
  const story: Story = { chain, yearn: yearn.acts, ethena: ethena.acts, wallets };
  for (const wallet of wallets) {
    await yearn.acts.fund(wallet, 10_000_000n * DOLLAR);
    await ethena.acts.fund(wallet, 10_000_000n * ETHER);
  }
  await begin(story);
  await lockAndCool(story);
  await loseAndChange(story);
  const random = createRandom(4_321);
  return {
    families: [yearn.family, ethena.family],
    book,
    async goOn() {
      for (let i = 0; i < 6; i++) {
        chain.advance(60 * random.int(20));
        await (i % 2 === 0 ? liveOnYearn(story, random) : liveOnEthena(story, random));
      }
    },
  };
}

async function begin({ chain, yearn, ethena, wallets }: Story): Promise<void> {
  const [a, b, c, d] = wallets as [Address, Address, Address, Address];
  await yearn.deposit(a, 100_000n * DOLLAR);
  await yearn.mint(b, 5_000n * DOLLAR + 1n);
  await yearn.invest(90_000n * DOLLAR);
  await ethena.deposit(a, 50_000n * ETHER);
  await ethena.deposit(b, 7_000n * ETHER + 7n, c);
  chain.advance(7 * HOUR);
  await yearn.gain(1_234n * DOLLAR + 5n);
  await ethena.reward(300n * ETHER);
  chain.advance(2 * HOUR);
  // Halfway through the vesting, and early in the unlocking.
  await yearn.deposit(c, 20_000n * DOLLAR, d);
  await yearn.transfer(a, c, 10_000n * DOLLAR);
  await ethena.deposit(d, 12_345n * ETHER);
  await ethena.transfer(a, d, 5_000n * ETHER);
  await ethena.coolDown(a, 10_000n * ETHER);
  chain.advance(DAY);
}

async function lockAndCool({ chain, yearn, ethena, wallets }: Story): Promise<void> {
  const [a, b, c, d] = wallets as [Address, Address, Address, Address];
  // The amount exceeds the idle assets, so the rest comes from the strategy.
  await yearn.redeem(a, 60_000n * DOLLAR, b);
  await yearn.gain(777n * DOLLAR);
  await yearn.withdraw(d, 3_000n * DOLLAR + 3n);
  // The second cooldown adds to the first and restarts its time.
  await ethena.coolDown(a, 1_000n * ETHER + 1n);
  await ethena.coolDown(c, 3_000n * ETHER);
  await ethena.reward(111n * ETHER);
  chain.advance(2 * DAY + HOUR);
  await ethena.unstake(a);
  await ethena.unstake(c, b);
  // Everything is unlocked by now, but nothing is burned yet.
  chain.advance(DAY);
  await yearn.transfer(c, b, 1_000n * DOLLAR);
}

async function loseAndChange({ chain, yearn, ethena, wallets }: Story): Promise<void> {
  const [a, b, c, d] = wallets as [Address, Address, Address, Address];
  await yearn.gain(400n * DOLLAR);
  chain.advance(6 * HOUR);
  // Locked shares absorb the first loss; all holders bear the second.
  await yearn.lose(50n * DOLLAR);
  await yearn.redeem(b, 500n * DOLLAR);
  await yearn.lose(2_000n * DOLLAR);
  await yearn.deposit(b, 2_500n * DOLLAR);
  await ethena.coolDown(d, 2_000n * ETHER);
  await ethena.setCooldown(0);
  await ethena.redeem(a, 4_000n * ETHER, b);
  await ethena.withdraw(c, 500n * ETHER + 5n);
  await ethena.setCooldown(2 * DAY);
  await ethena.reward(99n * ETHER);
  await ethena.coolDown(d, 100n * ETHER);
  await yearn.gain(321n * DOLLAR);
  chain.advance(5 * HOUR);
  await chain.mine();
}

async function liveOnYearn({ yearn, wallets }: Story, random: Random): Promise<void> {
  const [wallet, other] = [random.pick(wallets), random.pick(wallets)];
  const held = await yearn.balance(wallet);
  const amount = DOLLAR * BigInt(1 + random.int(3_000));
  const chance = random.int(5);
  if (chance === 0) return yearn.gain(amount / 10n);
  if (chance === 1 && held > 3n) return yearn.redeem(wallet, held / 3n, other);
  if (chance === 2 && held > 3n) return yearn.transfer(wallet, other, held / 2n);
  return yearn.deposit(wallet, amount, other);
}

async function liveOnEthena({ ethena, wallets }: Story, random: Random): Promise<void> {
  const [wallet, other] = [random.pick(wallets), random.pick(wallets)];
  const held = await ethena.balance(wallet);
  const amount = ETHER * BigInt(1 + random.int(3_000));
  if (await ethena.canUnstake(wallet)) return ethena.unstake(wallet, other);
  const chance = random.int(5);
  if (chance === 0) return ethena.reward(amount / 10n);
  if (chance < 3 && held > 0n) return ethena.coolDown(wallet, held / 3n + 1n);
  if (chance === 3 && held > 0n) return ethena.transfer(wallet, other, held / 2n);
  return ethena.deposit(wallet, amount, other);
}
