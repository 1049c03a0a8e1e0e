import type { Address, Hex } from 'viem';
import { createBridge } from './bridge.ts';
import { createChain, type DevChain } from './chain.ts';
import { type Artifacts, loadArtifacts } from './compile.ts';
import { deployScene } from './deploy.ts';
import { coreAddresses } from './deployment.ts';
import { tellHistory } from './history.ts';
import { CHAINS, FAMILIES, MULTICALL, type PoolPlan, type Role, STABLECOIN } from './plan.ts';
import type { Cast, Extras, Scene } from './scene.ts';
import { deriveWallet, deriveWallets, type Wallet } from './wallet.ts';

export interface WorldOptions {
  readonly seed: string;
  /** Unix seconds at which the history ends. */
  readonly anchor: number;
  readonly days?: number;
  /** Number of wallets in addition to the twelve named ones. */
  readonly wallets?: number;
  readonly blocksPerChain?: number;
  readonly chainIds?: readonly number[];
  /** Slugs; a feeder includes its master. */
  readonly families?: readonly string[];
  /** For blocks that are mined for external transactions. */
  readonly clock?: () => number;
}

export interface WorldChain {
  readonly chainId: number;
  readonly name: string;
  readonly chain: DevChain;
  readonly scene: Scene;
  /** Null until served. */
  url: string | null;
}

export interface WorldFamily {
  readonly slug: string;
  readonly name: string;
  readonly address: Address;
  readonly decimals: number;
  readonly feederOf: string | null;
  /** The address whose pool declarations and price entry it uses. */
  readonly bindingDeclarationAddress: Address;
  readonly priceFeed: string;
  readonly marketDataId: string;
  readonly chains: readonly {
    readonly chainId: number;
    readonly role: Role;
    readonly startBlock: number;
    readonly asset: Address;
  }[];
  readonly pools: readonly (PoolPlan & {
    readonly venue: Address;
    readonly asset: Address;
    readonly assetSymbol: string;
  })[];
}

export interface World {
  readonly seed: string;
  readonly startTime: number;
  readonly anchor: number;
  readonly chains: readonly WorldChain[];
  readonly families: readonly WorldFamily[];
  readonly feeds: readonly {
    readonly name: string;
    readonly chainId: number;
    readonly address: Address;
    readonly startBlock: number;
  }[];
  readonly authority: Address;
  readonly oracle: Address;
  readonly registry: Address;
  readonly router: Address;
  readonly stablecoin: Address;
  readonly multicall: Address;
  /** Each has positions, gas, and 1,000 units of the stablecoin. Never used by the live activity. */
  readonly wallets: readonly Wallet[];
  readonly blockedWallet: Wallet;
  readonly payTo: Wallet;
  readonly facilitators: readonly Wallet[];
  readonly operator: Wallet;
  /** Vaults of other kinds, on chain 8453; null without that chain. */
  readonly extras: Extras | null;
  readonly artifacts: Artifacts;
  chain(chainId: number): WorldChain;
}

export class UnknownChain extends Error {
  override readonly name = 'UnknownChain';
  readonly chainId: number;

  constructor(chainId: number) {
    super(`The world has no chain ${chainId}.`);
    this.chainId = chainId;
  }
}

const NAMED_WALLETS = 12;
const FACILITATORS = 4;
const GAS_MONEY = 10n ** 21n;
const DAY = 86_400;
/** The block that creates the vaults and the aggregators; the tokens are created one block earlier. */
const CONTRACTS_BLOCK = 2;

/** Builds the chains with their full history. The same options give the same blocks, hash for hash. */
export async function buildWorld(options: WorldOptions): Promise<World> {
  const { seed, anchor, days = 90, wallets = 150, blocksPerChain = 1_520 } = options;
  const startTime = anchor - days * DAY;
  const artifacts = await loadArtifacts();
  const plans = CHAINS.filter(({ chainId }) => options.chainIds?.includes(chainId) ?? true);
  const families = chooseFamilies(options);
  const cast = createCast(seed, wallets);
  const bridge = createBridge(
    plans.map(({ chainId }) => chainId),
    families.map(({ slug }) => slug),
  );
  const chains = await Promise.all(
    plans.map(async ({ chainId, name }): Promise<WorldChain> => {
      const scene = await buildScene(chainId);
      return { chainId, name, chain: scene.chain, scene, url: null };
    }),
  );
  return describeWorld({ seed, startTime, anchor, chains, cast, artifacts });

  async function buildScene(chainId: number): Promise<Scene> {
    const localDeployer = deriveWallet(seed, `local deployer ${chainId}`);
    const chain = await openChain({ chainId, cast, localDeployer, artifacts, startTime, options });
    const scene = await deployScene({
      chain,
      artifacts,
      seed,
      cast,
      localDeployer,
      families,
      startTime,
      endTime: anchor,
    });
    await tellHistory(scene, bridge, blocksPerChain);
    return scene;
  }
}

/** Builds a few days of two chains and one family with its feeder: enough for a test, ready in about a second. */
export function buildSmallWorld(options: Partial<WorldOptions> & { seed: string }): Promise<World> {
  return buildWorld({
    anchor: 1_790_000_000,
    days: 4,
    wallets: 16,
    blocksPerChain: 96,
    chainIds: [8453, 42161],
    families: ['svcusd', 'svcusd-edge'],
    ...options,
  });
}

function chooseFamilies({ families, chainIds }: WorldOptions) {
  const masters = FAMILIES.filter(({ slug }) => families?.includes(slug)).map((p) => p.feederOf);
  return FAMILIES.filter(
    ({ slug, chains }) =>
      (!families || families.includes(slug) || masters.includes(slug)) &&
      chains.some(({ chainId }) => chainIds?.includes(chainId) ?? true),
  );
}

function createCast(seed: string, wallets: number): Cast {
  return {
    deployer: deriveWallet(seed, 'deployer'),
    operator: deriveWallet(seed, 'operator'),
    treasury: deriveWallet(seed, 'treasury'),
    named: deriveWallets(seed, 'named', NAMED_WALLETS),
    crowd: deriveWallets(seed, 'crowd', wallets),
    blocked: deriveWallet(seed, 'blocked'),
    payTo: deriveWallet(seed, 'payTo'),
    facilitators: deriveWallets(seed, 'facilitator', FACILITATORS),
  };
}

function openChain(setup: {
  chainId: number;
  cast: Cast;
  localDeployer: Wallet;
  artifacts: Artifacts;
  startTime: number;
  options: WorldOptions;
}): Promise<DevChain> {
  const { chainId, cast, artifacts, options } = setup;
  const actors = [cast.deployer, cast.operator, cast.treasury, setup.localDeployer];
  const story = [...actors, ...cast.named, ...cast.crowd];
  const funded = [...story, cast.blocked, cast.payTo, ...cast.facilitators];
  const placed: { address: Address; code: Hex }[] = [
    { address: MULTICALL, code: artifacts.Multicall3!.deployedBytecode },
  ];
  if (chainId === 8453) {
    placed.push({ address: STABLECOIN, code: artifacts.Stablecoin!.deployedBytecode });
  }
  return createChain({
    chainId,
    genesisTime: setup.startTime - 1,
    actors: story.map(({ address }) => address),
    balances: funded.map(({ address }) => ({ address, wei: GAS_MONEY })),
    code: placed,
    ...(options.clock && { clock: options.clock }),
  });
}

function describeWorld(parts: {
  seed: string;
  startTime: number;
  anchor: number;
  chains: readonly WorldChain[];
  cast: Cast;
  artifacts: Artifacts;
}): World {
  const { seed, startTime, anchor, chains, cast, artifacts } = parts;
  const core = coreAddresses(cast.deployer.address);
  return {
    seed,
    startTime,
    anchor,
    chains,
    families: FAMILIES.flatMap(({ slug }) => describeFamily(slug, chains)),
    feeds: chains.flatMap(({ chainId, scene }) =>
      scene.feeds.map(({ plan, address }) => ({
        name: plan.name,
        chainId,
        address,
        startBlock: CONTRACTS_BLOCK,
      })),
    ),
    authority: core.authority,
    oracle: core.oracle,
    registry: core.registry,
    router: core.router,
    stablecoin: STABLECOIN,
    multicall: MULTICALL,
    wallets: cast.named,
    blockedWallet: cast.blocked,
    payTo: cast.payTo,
    facilitators: cast.facilitators,
    operator: cast.operator,
    extras: chains.find(({ scene }) => scene.extras)?.scene.extras ?? null,
    artifacts,
    chain(chainId) {
      const found = chains.find((chain) => chain.chainId === chainId);
      if (!found) throw new UnknownChain(chainId);
      return found;
    },
  };
}

function describeFamily(slug: string, chains: readonly WorldChain[]): WorldFamily[] {
  const parts = chains.flatMap(({ scene }) =>
    scene.families.filter(({ plan }) => plan.slug === slug),
  );
  const first = parts[0];
  if (!first) return [];
  const { plan } = first;
  return [
    {
      slug,
      name: plan.name,
      address: first.vault,
      decimals: plan.decimals,
      feederOf: plan.feederOf,
      bindingDeclarationAddress: first.master?.vault ?? first.vault,
      priceFeed: plan.feed,
      marketDataId: plan.marketDataId,
      // In the plan's order: the first settlement chain is the family's main chain.
      chains: plan.chains.flatMap(({ chainId, role }) =>
        parts
          .filter(({ chainPlan }) => chainPlan.chainId === chainId)
          .map(({ token }) => ({ chainId, role, startBlock: CONTRACTS_BLOCK, asset: token })),
      ),
      pools: parts.flatMap(({ pools, token, chainPlan }) =>
        pools.map((pool) => ({
          ...pool.plan,
          venue: pool.venue,
          asset: token,
          assetSymbol: chainPlan.asset.symbol,
        })),
      ),
    },
  ];
}
