import type { Address } from 'viem';
import type { DevChain } from './chain.ts';
import type { FamilyChainPlan, FamilyPlan, FeedPlan, PoolPlan, PoolStatus } from './plan.ts';
import type { Path } from './prices.ts';
import type { Random } from './random.ts';
import type { Wallet } from './wallet.ts';

/** All actors, the same on every chain. */
export interface Cast {
  readonly deployer: Wallet;
  readonly operator: Wallet;
  readonly treasury: Wallet;
  /** Wallets whose keys are in demo.json. */
  readonly named: readonly Wallet[];
  readonly crowd: readonly Wallet[];
  readonly blocked: Wallet;
  readonly payTo: Wallet;
  readonly facilitators: readonly Wallet[];
}

/** Contracts with the same address on every chain. */
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
  /** Number of changes announced so far. */
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
  /** Possible holders and possible receivers in the queue. Hints, checked on chain before use. */
  readonly holders: Set<Address>;
  readonly queue: Set<Address>;
}

export interface SceneFeed {
  readonly plan: FeedPlan;
  readonly address: Address;
  readonly path: Path;
  /** Time of the last published value. */
  publishedAt: number;
}

/** Vaults of other kinds, on one chain only. */
export interface Extras {
  readonly asyncVault: Address;
  readonly plainVault: Address;
  readonly nestedVault: Address;
  readonly contractWallet: Address;
}

/** One chain of the world, with the state of the scenario. */
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
  /** Known allowances, as `owner token spender`. Complete while the history is built. */
  readonly approved: Set<string>;
  /** The history is built: other clients can act too, and reorgs can happen. */
  live: boolean;
  /** Possibly open requests at the asynchronous vault. Hints, checked on chain before use. */
  readonly requests: Map<
    bigint,
    { readonly controller: Address; readonly kind: 'deposit' | 'redeem' }
  >;
  /** Accounts that already have a transaction in the next block. */
  readonly busy: Set<Address>;
  /** Time of the last published share prices. */
  pricedAt: number;
}

/** Returns the progress of the scenario, from 0 at its start to 1 at the end of the history. */
export function progress(scene: Scene, time: number): number {
  return (time - scene.startTime) / (scene.endTime - scene.startTime);
}
