import type { FamilyConfig, PoolText } from '../../config/config.ts';
import { toIso } from '../../domain/time.ts';
import { POOL_STATUS } from '../../domain/vault/event.ts';
import { type ExposureEntry, exposureOf } from '../../domain/vault/exposure.ts';
import {
  allocationBps,
  feederRewardApr,
  poolRates,
  scaleToStake,
} from '../../domain/vault/poolFigures.ts';
import type { ChainTickRow } from '../../store/ticks/chainTicks.ts';
import { checksummed } from '../checksum.ts';
import { assetsOn, firstSettlementChain } from './familyAssets.ts';
import type { LoadedSnapshot, ReadPool } from './loadSnapshot.ts';

export interface Presented extends LoadedSnapshot {
  readonly family: FamilyConfig;
  /** Texts of the pools, those that come first winning. */
  readonly poolTexts: readonly PoolText[];
}

/** As GET /v1/vaults/{slug} answers. */
export function presentSnapshot(given: Presented) {
  const { family, vaults, tick } = given;
  const mainChain = firstSettlementChain(family);
  const main = vaults.find(({ chainId }) => chainId === mainChain) ?? vaults[0]!;
  const authority = main.authority ?? vaults.find((vault) => vault.authority)?.authority ?? null;
  const assets = assetsOn(family, mainChain, vaults)!;
  // A feeder has no rows of its own: its master's are cut to its stake.
  const pools = family.feederOf === null ? given.pools : stakeIn(given);
  return {
    slug: family.slug,
    name: family.name,
    address: checksummed(family.address),
    authority: authority && checksummed(authority),
    assets,
    feederOf: family.feederOf,
    bindingDeclarationAddress: checksummed(family.bindingDeclarationAddress),
    chains: family.chains.map(({ chainId, role, address }) => ({
      chainId,
      role,
      vault: checksummed(address),
      assets: assetsOn(family, chainId, vaults)!,
    })),
    stats: {
      updatedAt: toIso(tick.at),
      importedFromLegacy: given.imported,
      baseAsset: assets.base.address,
      baseAssetDecimals: assets.base.decimals,
      shareDecimals: assets.share.decimals,
      ...presentFigures(given),
      chains: given.chains.map(presentChain),
      pools: presentPools(pools, given),
    },
    exposure: presentExposure(pools, given),
  };
}

function stakeIn({ pools, poolChains, tick }: Presented): ReadPool[] {
  const masterInvested = poolChains.reduce((sum, { invested }) => sum + invested, 0n);
  return scaleToStake(pools, tick.invested, masterInvested);
}

/** The figures over all chains, alike in the snapshot and in the list. */
export function presentFigures({ tick, masterTick }: Pick<LoadedSnapshot, 'tick' | 'masterTick'>) {
  return {
    tvl: tick.tvl.toString(),
    idle: tick.idle.toString(),
    invested: tick.invested.toString(),
    pendingExits: tick.pendingExits.toString(),
    pendingRedemptionAssets: tick.pendingRedemptionAssets.toString(),
    totalShares: tick.totalShares.toString(),
    assetsPerShare: tick.assetsPerShare?.toString() ?? null,
    tvlUsd: tick.usd,
    // Where nothing can be measured yet, nobody knows what was earned.
    apy: tick.apy7d,
    apy1d: tick.apy1d,
    apy7d: tick.apy7d,
    apy30d: tick.apy30d,
    // Its own tick knows only what is streamed to itself.
    rewardApr: masterTick === null ? tick.rewardApr : feederRewardApr(tick, masterTick),
  };
}

function presentChain(chain: ChainTickRow) {
  return {
    chainId: chain.chainId,
    block: chain.block.toString(),
    idle: chain.idle.toString(),
    invested: chain.invested.toString(),
    pendingExits: chain.pendingExits.toString(),
    tvl: (chain.idle + chain.invested + chain.pendingExits).toString(),
    shareSupply: chain.shareSupply.toString(),
  };
}

function presentPools(pools: readonly ReadPool[], { tick, poolTexts }: Presented) {
  const allocation = allocationBps(
    pools.map(({ value }) => value),
    tick.tvl,
  );
  const rows = pools.map((pool, i) => ({ pool, bps: allocation[i]! }));
  rows.sort((a, b) => (a.pool.value < b.pool.value ? 1 : a.pool.value > b.pool.value ? -1 : 0));
  return rows.map(({ pool, bps }) => {
    const text = poolTexts.find(({ offchainId }) => offchainId === pool.offchainId);
    return {
      offchainId: pool.offchainId,
      chainId: pool.chainId,
      name: text?.name ?? pool.offchainId,
      protocolName: text?.protocolName ?? '',
      poolUrl: text?.poolUrl ?? '',
      description: text?.description ?? '',
      value: pool.value.toString(),
      allocationBps: bps,
      availableLiquidity: pool.availableLiquidity?.toString() ?? null,
      ...poolRates(pool.prices, pool.statedRate),
      // The registry holds a byte; the scale ends at 100.
      riskScore: Math.min(100, pool.riskScore),
      status: pool.status === POOL_STATUS.active ? 'active' : 'exit-only',
      idleOnly: pool.idleOnly,
    };
  });
}

function presentExposure(pools: readonly ReadPool[], { tick, poolTexts }: Presented) {
  const exposure = exposureOf({
    pools: pools.map(({ value, offchainId }) => ({
      value,
      composition: poolTexts.find((text) => text.offchainId === offchainId)?.composition ?? [],
    })),
    invested: tick.invested,
    tvl: tick.tvl,
    tvlUsd: tick.usd,
  });
  return {
    at: toIso(tick.at),
    ...exposure,
    underlying: exposure.underlying.map(presentEntry),
    collateral: exposure.collateral.map(presentEntry),
  };
}

function presentEntry(entry: ExposureEntry) {
  return { ...entry, address: checksummed(entry.address) };
}
