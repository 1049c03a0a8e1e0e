import type { Address } from 'viem';
import type { DevChain } from './chain.ts';
import type { FamilyChainPlan, FamilyPlan, FeedPlan, PoolPlan, PoolStatus } from './plan.ts';
import type { Path } from './prices.ts';
import type { Random } from './random.ts';
import type { Wallet } from './wallet.ts';

/** Everyone who acts, the same on every chain. */
export interface Cast {
  readonly deployer: Wallet;
  readonly operator: Wallet;
  readonly treasury: Wallet;
  /** Wallets that a reader of the demo is given the keys of. */
  readonly named: readonly Wallet[];
  readonly crowd: readonly Wallet[];
  readonly blocked: Wallet;
  readonly payTo: Wallet;
  readonly facilitators: readonly Wallet[];
}

/** Contracts that stand at one address on every chain. */
export interface Core {
  readonly authority: Address;
  readonly oracle: Address;
  readonly registry: Address;
  readonly router: Address;
  /** By slug. */
  readonly vaults: ReadonlyMap<string, Address>;
}

export interface ScenePool {
  readonly plan: PoolPlan;
  readonly venue: Address;
  status: PoolStatus | null;
  /** How many of the plan's changes were announced. */
  announced: number;
}

export interface SceneFamily {
  readonly plan: FamilyPlan;
  readonly chainPlan: FamilyChainPlan;
  readonly vault: Address;
  readonly master: SceneFamily | null;
  readonly token: Address;
  readonly typical: bigint;
  readonly pools: readonly ScenePool[];
  readonly price: Path;
  priced: boolean;
  /** Who may hold shares and who may wait in the queue: hints, checked on chain before use. */
  readonly holders: Set<Address>;
  readonly queue: Set<Address>;
}

export interface SceneFeed {
  readonly plan: FeedPlan;
  readonly address: Address;
  readonly path: Path;
  /** Of the last published value. */
  publishedAt: number;
}

/** Vaults of the other adapters, on one chain only. */
export interface Extras {
  readonly asyncVault: Address;
  readonly plainVault: Address;
  readonly nestedVault: Address;
  readonly contractWallet: Address;
}

/** One chain of the world with what the story needs to go on. */
export interface Scene {
  readonly chain: DevChain;
  readonly chainId: number;
  readonly startTime: number;
  readonly endTime: number;
  readonly cast: Cast;
  readonly core: Core;
  /** Base assets by symbol. */
  readonly tokens: ReadonlyMap<string, Address>;
  readonly families: readonly SceneFamily[];
  readonly feeds: readonly SceneFeed[];
  readonly extras: Extras | null;
  readonly random: Random;
  /** Allowances known to be given, as `owner token spender`; while the history is told, all there are. */
  readonly approved: Set<string>;
  /** The history is told: others may act too, and blocks may be taken back. */
  live: boolean;
  /** Requests at the asynchronous vault that may be open: hints, checked on chain before use. */
  readonly requests: Map<
    bigint,
    { readonly controller: Address; readonly kind: 'deposit' | 'redeem' }
  >;
  /** Accounts that already have a transaction in the block being made. */
  readonly busy: Set<Address>;
  /** Of the last published share prices. */
  pricedAt: number;
}

/** How far the story is, from 0 at its start to 1 at the end of the history. */
export function progress(scene: Scene, time: number): number {
  return (time - scene.startTime) / (scene.endTime - scene.startTime);
}
