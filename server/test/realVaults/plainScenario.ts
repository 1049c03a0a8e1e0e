import { type Address, lower } from '../../src/domain/hex.ts';
import { createRandom, type Random } from '../activity.ts';
import { type Book, createBook } from './book.ts';
import { type Contract, createLocalChain, type LocalChain } from './chain.ts';
import { createPlainActs, type PlainActs, playOne } from './plainActs.ts';
import type { Family } from './scenario.ts';
import type { Played } from './testScenario.ts';

/** A plain vault to deploy and use in a scenario. */
export interface PlainPlan {
  readonly slug: string;
  readonly decimals: number;
  readonly virtualShares?: bigint;
  asset(chain: LocalChain): Promise<Contract>;
  vault(chain: LocalChain, asset: Contract): Promise<Contract>;
}

export interface PlainWorld {
  readonly chain: LocalChain;
  readonly book: Book;
  readonly random: Random;
  readonly wallets: readonly Address[];
}

const DAY = 86_400;
export const DAYS = 11;
/** An account that only deploys. */
export const OWNER: Address = '0x00000000000000000000000000000000000a11ce';

/** Returns wallets with distinct addresses. They need no keys, because the chain sends from any account. */
export function createWallets(count: number, mark = 1): Address[] {
  return Array.from({ length: count }, (_, i) =>
    account(BigInt(mark) * 0x10_0000n + BigInt(i + 1)),
  );
}

export function account(number: bigint): Address {
  return lower(`0x7e57${number.toString(16).padStart(36, '0')}`);
}

/**
 * Returns a full hour, so that the play ends a day before now: as independent of the clock as a chain near the present
 * can be.
 */
export function startOfPlay(days = DAYS): number {
  return Math.floor(Date.now() / 1000 / 3600) * 3600 - (days + 1) * DAY;
}

/** Plays several plain vaults on one chain, each with its own asset, and the same wallets in all of them. */
export async function playPlainVaults(options: {
  readonly seed: number;
  readonly plans: readonly PlainPlan[];
  readonly multicall?: boolean;
}): Promise<Played> {
  const chain = await createLocalChain({
    chainId: 31_337,
    startTime: startOfPlay(),
    ...(options.multicall !== undefined && { multicall: options.multicall }),
  });
  const world: PlainWorld = {
    chain,
    book: createBook(),
    random: createRandom(options.seed),
    wallets: createWallets(12),
  };
  const parts: { plan: PlainPlan; family: Family; acts: PlainActs }[] = [];
  for (const plan of options.plans) parts.push({ plan, ...(await open(world, plan)) });
  const end = startOfPlay() + DAYS * DAY;
  while (chain.tip.time < end) {
    chain.advance(600 * (1 + world.random.int(20)));
    await play();
  }
  return {
    families: parts.map(({ family }) => family),
    book: world.book,
    async goOn() {
      for (let i = 0; i < 6; i++) {
        chain.advance(60 * world.random.int(12));
        await play();
      }
    },
  };

  async function play(): Promise<void> {
    const { plan, acts } = world.random.pick(parts);
    await playOne(acts, world.wallets, 10n ** BigInt(plan.decimals), world.random);
  }
}

/** Deploys a vault, funds every wallet, and plays the rare cases that random acts would miss. */
async function open(
  { chain, book, wallets }: PlainWorld,
  plan: PlainPlan,
): Promise<{ family: Family; acts: PlainActs }> {
  const asset = await plan.asset(chain);
  const vault = await plan.vault(chain, asset);
  const startBlock = chain.tip.number;
  const acts = createPlainActs({ chain, family: plan.slug, vault, asset, book });
  const unit = 10n ** BigInt(plan.decimals);
  for (const wallet of wallets) await acts.fund(wallet, 10_000_000n * unit);
  const [first, second, third] = wallets as [Address, Address, Address];
  await acts.deposit(first, 100_000n * unit);
  await acts.mint(second, 5_000n * 10n ** BigInt(await chain.read<number>(vault, 'decimals')));
  chain.advance(7_200);
  await acts.profit(1_234n * unit + 1n);
  // The dust trade just before must not change the value of the shares.
  await acts.dustIn(third, 1n);
  await acts.transfer(first, third, (await acts.balance(first)) / 3n);
  await acts.transfer(second, second, 1n);
  await acts.dustOut(third, 1n);
  await acts.transfer(first, second, (await acts.balance(first)) / 7n);
  await acts.transfer(second, vault.address, (await acts.balance(second)) / 11n);
  await acts.withdraw(first, 777n * unit + 7n, third);
  chain.advance(3_600);
  await acts.loss(400n * unit);
  await acts.transfer(third, first, (await acts.balance(third)) / 2n);
  const place = {
    chain,
    vaults: [vault.address],
    share: vault.address,
    asset: asset.address,
    startBlock,
    custody: [vault.address],
    ...(plan.virtualShares !== undefined && { virtualShares: plan.virtualShares }),
  };
  return { family: { slug: plan.slug, kind: 'erc4626', places: [place] }, acts };
}
