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
import { assetsOn, firstSettlementChain, mainAssets } from './familyAssets.ts';
import type { LoadedSnapshot, ReadPool } from './loadSnapshot.ts';

export interface Presented extends LoadedSnapshot {
  readonly family: FamilyConfig;
  /** Texts of the pools; earlier ones take precedence. */
  readonly poolTexts: readonly PoolText[];
}

/** The response of GET /v1/vaults/{slug}. */
export function presentSnapshot(given: Presented) {
  const { family, vaults, tick } = given;
  const mainChain = firstSettlementChain(family);
  const main = vaults.find(({ chainId }) => chainId === mainChain) ?? vaults[0]!;
  const authority = main.authority ?? vaults.find((vault) => vault.authority)?.authority ?? null;
  const assets = mainAssets(family, vaults)!;
  // A feeder has no rows: its master's are scaled to its stake.
  const pools = family.feederOf === null ? given.pools : stakeIn(given);
  return {
    slug: family.slug,
    name: family.name,
    address: checksummed(family.address),
    authority: authority && checksummed(authority),
    assets,
    feederOf: family.feederOf,
    bindingDeclarationAddress: checksummed(family.bindingDeclarationAddress),
    chains: family.chains.flatMap(({ chainId, role, address }) => {
      const own = assetsOn(family, chainId, vaults);
      return own === undefined ? [] : { chainId, role, vault: checksummed(address), assets: own };
    }),
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

/** The values over all chains, the same in the snapshot and in the list. */
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
    // Null while nothing can be measured: the yield is unknown.
    apy: tick.apy7d,
    apy1d: tick.apy1d,
    apy7d: tick.apy7d,
    apy30d: tick.apy30d,
    // Its own tick has only its own rewards.
    rewardApr: masterTick === null ? tick.rewardApr : feederRewardApr(tick, masterTick),
  };
}

function presentChain(chain: ChainTickRow) {
  return {
    chainId: chain.chainId,
    block: chain.block.toString(),
    at: toIso(chain.at),
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
      name: text?.name ?? pool.found?.name ?? pool.offchainId,
      protocolName: text?.protocolName ?? pool.found?.protocolName ?? '',
      poolUrl: text?.poolUrl ?? '',
      description: text?.description ?? '',
      value: pool.value.toString(),
      allocationBps: bps,
      availableLiquidity: pool.availableLiquidity?.toString() ?? null,
      ...poolRates(pool.prices, pool.statedRate),
      // The registry stores a byte; the scale ends at 100.
      riskScore: Math.min(100, pool.riskScore),
      status: pool.status === POOL_STATUS.active ? 'active' : 'exit-only',
      idleOnly: pool.idleOnly,
    };
  });
}

function presentExposure(pools: readonly ReadPool[], { tick, poolTexts }: Presented) {
  const exposure = exposureOf({
    pools: pools.map(({ value, offchainId, found }) => {
      const declared = poolTexts.find((text) => text.offchainId === offchainId)?.composition ?? [];
      return { value, composition: declared.length > 0 ? declared : (found?.composition ?? []) };
    }),
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
