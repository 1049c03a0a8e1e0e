import type { Config, FamilyConfig } from '../config/config.ts';
import type { Address } from '../domain/hex.ts';
import { need } from './ask.ts';
import type { FamilyReport } from './comparison.ts';
import { vaultOn } from './deployment.ts';
import type { Deployments } from './deployments.ts';
import { compareInvariant } from './invariants.ts';
import { NotReadable, readable } from './notReadable.ts';
import type { Served } from './served.ts';

const ROUND = 'latestRoundData() view returns (uint80, int256, uint256, uint256, uint80)';
const DECIMALS = 'decimals() view returns (uint8)';
/** One of two ways to round a product to a float. */
const FLOAT = 1e-12;

/** Compares the USD price of a snapshot with the feed at the snapshot's time. */
export async function compareFeedPrice(
  deployments: Deployments,
  { feeds, maxAgeSeconds }: Config['prices'],
  family: FamilyConfig,
  { stats }: Served,
): Promise<FamilyReport> {
  const feed = feeds.find(({ name }) => name === family.priceFeed);
  if (feed === undefined || feed.kind !== 'aggregator') return { compared: [], unchecked: [] };
  const { name, chainId, address, startBlock } = feed;
  const at = Math.floor(Date.parse(stats.updatedAt) / 1000);
  try {
    const reader = deployments.reader(chainId);
    const unit = await readable(() => unitOfAsset(deployments, family));
    const block = await readable(() => reader.blockAt(at, startBlock));
    const where = `feed ${name}, chain ${chainId}, block ${block ?? 'none'}`;
    const comparison = compareInvariant(family.slug, 10, where);
    const price = block === undefined ? null : await readable(() => priceAt(block));
    const usd = price && (Number(stats.tvl) / unit) * price;
    const served = stats.tvlUsd;
    const close =
      usd !== null && served !== null && Math.abs(usd - served) <= FLOAT * Math.abs(usd);
    comparison.same('tvlUsd', served, close ? served : usd);
    return { compared: [comparison], unchecked: [] };

    async function priceAt(atBlock: number): Promise<number | null> {
      const ask = reader.askAt(atBlock);
      const round = await ask<[bigint, bigint, bigint, bigint, bigint]>(address, ROUND);
      if (round === undefined) return null;
      const [, answer, , updatedAt] = round;
      if (answer <= 0n || at - Number(updatedAt) > maxAgeSeconds) return null;
      return Number(answer) / 10 ** (await need<number>(ask, address, DECIMALS));
    }
  } catch (error) {
    if (!(error instanceof NotReadable)) throw error;
    return { compared: [], unchecked: [`${family.slug}, feed ${name}: ${error.message}`] };
  }
}

/** Base units in one unit of the base asset, on the chain whose price the family uses. */
async function unitOfAsset(deployments: Deployments, family: FamilyConfig): Promise<number> {
  const { chainId } = family.chains.find(({ role }) => role === 'settlement')!;
  const reader = deployments.reader(chainId);
  const ask = reader.askAt((await reader.head()).number);
  const unit = family.chains.find((one) => one.chainId === chainId)?.rated?.unit;
  if (unit?.kind === 'currency') return 10 ** unit.decimals;
  if (unit?.kind === 'token') return 10 ** (await need<number>(ask, unit.token, DECIMALS));
  const vault = vaultOn(family, chainId);
  const asset = await need<Address>(ask, vault, 'asset() view returns (address)');
  return 10 ** (await need<number>(ask, asset, DECIMALS));
}
