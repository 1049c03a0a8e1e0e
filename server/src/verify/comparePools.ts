import type { FamilyConfig } from '../config/config.ts';
import type { Queryable } from '../store/store.ts';
import { type Comparison, compareAt, type FamilyReport } from './comparison.ts';
import { type Deployment, vaultOn } from './deployment.ts';
import type { Deployments } from './deployments.ts';
import { compareInvariant } from './invariants.ts';
import { NotReadable, readable } from './notReadable.ts';
import { poolsAt, readAdapters, readHolding, readLiquidity, readPool } from './pools.ts';
import { readLiquidityBlocks } from './rows.ts';
import { amount, type Served, type ServedPool } from './served.ts';

interface TruePool {
  readonly chainId: number;
  readonly offchainId: string;
  readonly value: bigint;
  /** Undefined if no reading of it is served. */
  readonly liquidity: bigint | null | undefined;
  readonly fromFile: boolean;
}

interface ReadPools {
  readonly pools: readonly TruePool[];
  /** The assets that a vault's adapters report, if it has any. */
  readonly real: bigint;
}

export interface PoolsToCheck {
  readonly deployments: Deployments;
  readonly store: Queryable;
  readonly family: FamilyConfig;
  readonly served: Served;
  /** Read from the chains; undefined if one could not be read. */
  readonly totals: { readonly tvl: bigint; readonly invested: bigint } | undefined;
}

/**
 * Compares every pool's value, share of the total, and liquidity with the venues, at the blocks where they were read.
 */
export async function comparePools(given: PoolsToCheck): Promise<FamilyReport> {
  const { store, family, served, totals } = given;
  const { poolFamily, poolChains, stats } = served;
  const isFeeder = poolFamily.slug !== family.slug;
  const readAt = await readLiquidityBlocks(store, poolFamily.slug, poolChains);
  const compared: Comparison[] = [];
  const unchecked: string[] = [];
  const found = await Promise.all(
    poolChains.map((chain) =>
      readPools(given, chain, readAt).catch((error: unknown) => {
        if (!(error instanceof NotReadable)) throw error;
        unchecked.push(`${family.slug}, pools on chain ${chain.chainId}: ${error.message}`);
        return undefined;
      }),
    ),
  );
  if (isFeeder && (totals === undefined || found.includes(undefined))) {
    const reason = `at least one chain of ${poolFamily.slug} or of the family could not be read`;
    return { compared, unchecked: [...unchecked, `${family.slug}, pools: ${reason}`] };
  }
  const masterInvested = found
    .flatMap((one) => one?.pools ?? [])
    .reduce((sum, { value }) => sum + value, 0n);
  const notices: string[] = [];
  poolChains.forEach(({ chainId, block }, i) => {
    if (found[i] === undefined) return;
    const { pools: truth, real } = found[i];
    const where = `pools on chain ${chainId}, block ${block}`;
    const comparison = compareInvariant(family.slug, 7, where);
    const rows = stats.pools.filter((pool) => pool.chainId === chainId);
    const scale = isFeeder ? { masterInvested, stake: totals!.invested } : null;
    const registered = truth.length > 0 && !truth.some(({ fromFile }) => fromFile);
    comparePoolRows(comparison, rows, truth, { scale, tvl: totals?.tvl, registered });
    const chain = stats.chains.find((one) => one.chainId === chainId);
    if (!registered && !isFeeder && rows.length > 0 && chain !== undefined) {
      // Each pool may be rounded up by one unit. A vault that records gains late has more in its pools than it reports.
      const invested = BigInt(chain.invested);
      const most = (real > invested ? real : invested) + BigInt(rows.length);
      const sum = rows.reduce((all, { value }) => all + BigInt(value), 0n);
      comparison.atMost('value of all pools', sum, most);
      const others = rows.filter(({ offchainId }) =>
        truth.every((pool) => pool.offchainId !== offchainId),
      );
      if (others.length > 0) {
        notices.push(
          `${family.slug}, ${where}: ${others.length} pools of an allocator, their sum only`,
        );
      }
    }
    if (comparison.figures > 0) compared.push(comparison);
  });
  if (isFeeder && stats.pools.length > 0) {
    const comparison = compareAt(`${family.slug}, pools over all chains`);
    const sum = stats.pools.reduce((all, { value }) => all + BigInt(value), 0n);
    comparison.same('value of all pools', sum, totals!.invested);
    compared.push(comparison);
  }
  return { compared, unchecked, notices };
}

async function readPools(
  { deployments, served: { poolFamily } }: PoolsToCheck,
  { chainId, block }: Served['poolChains'][number],
  readAt: ReadonlyMap<string, number>,
): Promise<ReadPools> {
  const deployment = await deployments.load(poolFamily, chainId, { block });
  const vault = vaultOn(poolFamily, chainId);
  const declared = poolsAt(deployment, block);
  if (declared.length === 0) {
    return readable(async () => ({
      pools: await readFilePools(deployment, block),
      real: await readAdapters(deployment.askAt(block), vault),
    }));
  }
  return readable(async () => {
    const pools = await Promise.all(
      declared.map(async (pool): Promise<TruePool> => {
        const { value, availableLiquidity } = await readPool(deployment.askAt(block), vault, pool);
        const liquidityBlock = readAt.get(`${chainId} ${pool.poolId.toLowerCase()}`);
        let liquidity: bigint | null | undefined = availableLiquidity;
        if (liquidityBlock === undefined) liquidity = undefined;
        else if (liquidityBlock !== block) {
          liquidity = await readLiquidity(deployment.askAt(liquidityBlock), vault, pool.venue);
        }
        return { chainId, offchainId: pool.offchainId, value, liquidity, fromFile: false };
      }),
    );
    return { pools, real: 0n };
  });
}

/** Holdings that only the configuration lists. */
async function readFilePools(deployment: Deployment, block: number): Promise<TruePool[]> {
  const { chainId, address } = deployment.chain;
  const named = deployment.family.pools.flatMap(({ offchainId, position }) =>
    position?.chainId === chainId ? [{ offchainId, position }] : [],
  );
  return Promise.all(
    named.map(async ({ offchainId, position }) => {
      const value = await readHolding(deployment.askAt(block), position, address);
      return { chainId, offchainId, value, liquidity: undefined, fromFile: true };
    }),
  );
}

interface Scale {
  readonly masterInvested: bigint;
  readonly stake: bigint;
}

/** A feeder's pools are its master's, scaled to its stake: the value may be rounded either way, the liquidity down. */
function comparePoolRows(
  comparison: Comparison,
  rows: readonly ServedPool[],
  truth: readonly TruePool[],
  {
    scale,
    tvl,
    registered,
  }: {
    readonly scale: Scale | null;
    readonly tvl: bigint | undefined;
    /** Whether the registry's pools are the only ones. */
    readonly registered: boolean;
  },
): void {
  for (const pool of truth) {
    const name = `pool ${pool.offchainId}`;
    const row = rows.find(({ offchainId }) => offchainId === pool.offchainId);
    if (row === undefined) {
      comparison.same(name, 'missing', pool.value);
      continue;
    }
    const cut = (value: bigint) =>
      scale === null
        ? value
        : scale.masterInvested === 0n
          ? 0n
          : (value * scale.stake) / scale.masterInvested;
    const value = BigInt(row.value);
    const least = cut(pool.value);
    const rounded = scale !== null && value === least + 1n;
    const trueValue = rounded ? value : least;
    comparison.same(`${name}: value`, value, trueValue);
    if (tvl !== undefined) {
      const { allocationBps } = row;
      const truePart = partOf(trueValue, tvl, allocationBps);
      comparison.same(`${name}: allocationBps`, allocationBps, truePart);
    }
    if (pool.liquidity !== undefined) {
      const liquidity = pool.liquidity === null ? null : cut(pool.liquidity);
      const unknown = scale !== null && scale.masterInvested === 0n;
      const served = amount(row.availableLiquidity);
      comparison.same(`${name}: availableLiquidity`, served, unknown ? null : liquidity);
    }
  }
  if (!registered && scale === null) return;
  for (const { offchainId, value } of rows) {
    if (truth.some((pool) => pool.offchainId === offchainId)) continue;
    comparison.same(`pool ${offchainId}`, BigInt(value), 'missing');
  }
}

/** In basis points of the total; may be rounded either way, so that they add up. */
function partOf(value: bigint, tvl: bigint, served: number): number {
  if (tvl === 0n) return 0;
  const least = Number((value * 10_000n) / tvl);
  return served === least + 1 ? served : least;
}
