import type { Address } from '../../src/domain/hex.ts';
import { createRandom, type Random } from '../activity.ts';
import { type Book, createBook } from './book.ts';
import {
  type Contract,
  createLocalChain,
  type LocalChain,
  type Receipt,
  Refused,
} from './chain.ts';
import { createPlainActs, type PlainActs } from './plainActs.ts';
import { createWallets, startOfPlay } from './plainScenario.ts';
import type { Place } from './scenario.ts';
import type { Played } from './testScenario.ts';

export interface TurnWorld {
  readonly random: Random;
  readonly acts: PlainActs;
  readonly book: Book;
}

/** A package's ERC-4626 vault, deployed with the protocol that it needs. */
export interface DeployedVault {
  readonly vault: Contract;
  readonly asset: Contract;
  readonly startBlock: number;
  /** An account that gains shares without a deposit and can lose them without a withdrawal. */
  readonly treasury?: Address;
  readonly place?: Partial<Place>;
  /** Acts in the protocol, other than deposits and withdrawals, and returns the transactions. */
  turn(world: TurnWorld): Promise<readonly Receipt[]>;
}

export interface PackagePlan {
  readonly slug: string;
  readonly chainId: number;
  readonly decimals: number;
  deploy(chain: LocalChain): Promise<DeployedVault>;
}

const DAYS = 2;
const HOUR = 3_600;

/** Plays two days with five wallets: enough to cover each behavior of the package. */
export async function playPackage(plan: PackagePlan): Promise<Played> {
  const startTime = startOfPlay(DAYS);
  const chain = await createLocalChain({ chainId: plan.chainId, startTime });
  const random = createRandom(plan.chainId);
  const book = createBook();
  const wallets = createWallets(5);
  const unit = 10n ** BigInt(plan.decimals);
  const { vault, asset, startBlock, treasury, place, turn } = await plan.deploy(chain);
  const acts = createPlainActs({
    ...{ chain, family: plan.slug, vault, asset, book },
    ...(treasury && { feeRecipient: treasury }),
  });
  for (const wallet of wallets) await acts.fund(wallet, 1_000_000n * unit);
  await acts.deposit(wallets[0]!, 50_000n * unit);
  await acts.mint(
    wallets[1]!,
    20_000n * 10n ** BigInt(await chain.read<number>(vault, 'decimals')),
  );
  // Plays each kind of turn at least once.
  for (let i = 0; i < 5; i++) {
    chain.advance(HOUR);
    await playTurn();
  }
  while (chain.tip.time < startTime + DAYS * 24 * HOUR) await step(HOUR * (1 + random.int(4)));
  return {
    book,
    families: [
      {
        slug: plan.slug,
        kind: 'erc4626',
        places: [
          {
            ...{ chain, vaults: [vault.address], share: vault.address, asset: asset.address },
            ...{ startBlock, custody: [vault.address] },
            ...place,
          },
        ],
      },
    ],
    async goOn() {
      for (let i = 0; i < 5; i++) await step(60 * random.int(12));
    },
  };

  async function step(seconds: number): Promise<void> {
    chain.advance(seconds);
    const wallet = random.pick(wallets);
    const other = random.pick(wallets);
    const amount = (unit * BigInt(1 + random.int(3_000_000))) / 1000n;
    const held = await acts.balance(wallet);
    const kind = random.int(8);
    if (kind < 2 || (held < 10n && kind < 6)) return acts.deposit(wallet, amount, other);
    if (kind === 2) return tryOut(() => acts.redeem(wallet, held / 3n, other));
    if (kind === 3) return tryOut(() => acts.withdraw(wallet, 1n + amount / 100n, other));
    if (kind === 4) return tryOut(() => acts.redeem(wallet, held));
    if (kind === 5) return acts.transfer(wallet, other, held / 2n);
    return playTurn();
  }

  /** Ignores an act that the protocol rejects for lack of liquidity. */
  async function tryOut(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  }

  async function playTurn(): Promise<void> {
    const receipts = await turn({ random, acts, book });
    if (treasury === undefined) return;
    for (const { block, time } of receipts) {
      const balance = (at: number) => chain.read(vault, 'balanceOf', [treasury], at);
      const grown = (await balance(block)) - (await balance(block - 1));
      const kind = grown > 0n ? 'minted' : 'sent';
      const shares = grown > 0n ? grown : -grown;
      if (shares === 0n) continue;
      const at = { family: plan.slug, chainId: chain.chainId, block, time };
      book.move({ ...at, wallet: treasury, kind, shares, assets: 0n });
    }
  }
}
