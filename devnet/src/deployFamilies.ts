import type { Address } from 'viem';
import type { Deployment } from './deployment.ts';
import { FAMILIES, type FamilyPlan, type PoolPlan } from './plan.ts';
import { sharePricePath } from './prices.ts';
import type { SceneFamily, ScenePool } from './scene.ts';

const EXIT_DELAY = 2 * 86_400;
const BUFFER_BPS = 500;
const YEAR = 31_536_000n;

/** Creates the vault of a family, if the family is on this chain. `tokens` are the base assets by symbol. */
export function createVault(
  deployment: Deployment,
  tokens: ReadonlyMap<string, Address>,
  plan: FamilyPlan,
): void {
  const { chain, core, plans } = deployment;
  const on = plan.chains.find(({ chainId }) => chainId === chain.chainId);
  if (!on || !plans.includes(plan)) {
    deployment.skipShared();
    return;
  }
  const settings = {
    name: plan.name,
    symbol: plan.shareSymbol,
    asset: tokens.get(on.asset.symbol)!,
    authority: core.authority,
    oracle: core.oracle,
    priceEntry: core.vaults.get(plan.feederOf ?? plan.slug)!,
    exitFeeBps: plan.exitFeeBps,
  };
  if (plan.feederOf === null) deployment.createShared('ReceiverQueueVault', [settings]);
  else deployment.createShared('FeederVault', [settings, BUFFER_BPS]);
}

/** Returns the families of this chain, and creates their pools. */
export function createFamilies(
  deployment: Deployment,
  tokens: ReadonlyMap<string, Address>,
): SceneFamily[] {
  const families: SceneFamily[] = [];
  for (const plan of deployment.plans) {
    const master = families.find((other) => other.plan.slug === plan.feederOf) ?? null;
    families.push(createFamily(deployment, tokens, plan, master));
  }
  return families;
}

function createFamily(
  deployment: Deployment,
  tokens: ReadonlyMap<string, Address>,
  plan: FamilyPlan,
  master: SceneFamily | null,
): SceneFamily {
  const { chain, core, seed, startTime } = deployment;
  const chainPlan = plan.chains.find(({ chainId }) => chainId === chain.chainId)!;
  const token = tokens.get(chainPlan.asset.symbol)!;
  const typical = (BigInt(plan.typicalMilli) * 10n ** BigInt(plan.decimals)) / 1000n;
  const pools: ScenePool[] = [];
  for (const pool of plan.pools) {
    if (pool.chainId !== chain.chainId) continue;
    const venue = createPool(deployment, plan, pool, token, typical);
    pools.push({ plan: pool, venue, status: null, announced: 0 });
  }
  const priced = FAMILIES.find(({ slug }) => slug === (plan.feederOf ?? plan.slug))!;
  return {
    plan,
    chainPlan,
    vault: core.vaults.get(plan.slug)!,
    master,
    token,
    typical,
    pools,
    price: sharePricePath(seed, priced, startTime),
    priced: false,
    holders: new Set(),
    queue: new Set(),
  };
}

function createPool(
  { createLocal }: Deployment,
  family: FamilyPlan,
  plan: PoolPlan,
  asset: Address,
  typical: bigint,
): Address {
  const settings = {
    name: plan.name,
    symbol: `p${plan.offchainId.split(':')[2]!.toUpperCase()}`,
    asset,
    rate: (BigInt(family.growthPpm) * BigInt(plan.ratePercent) * 10n ** 18n) / 100_000_000n,
    statesRate: plan.statesRate,
    lentBps: plan.lentBps,
    decimalsOffset: 0,
  };
  if (plan.kind === 2) return createLocal('ExitQueuePool', [settings, EXIT_DELAY]);
  // About 3% per year on a pool of 300 typical deposits.
  if (plan.kind === 3) return createLocal('RewardsPool', [settings, (typical * 9n) / YEAR]);
  return createLocal('YieldPool', [settings]);
}
