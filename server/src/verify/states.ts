import type { Address } from '../domain/hex.ts';
import { type Ask, need } from './ask.ts';
import type { FamilyOnChain } from './familyOnChain.ts';
import { type PoolFigures, poolsAt, readPool } from './pools.ts';

/** What a family has on one chain at one block, in base units. */
export interface State {
  readonly idle: bigint;
  readonly invested: bigint;
  readonly pendingExits: bigint;
  readonly pendingRedemptionAssets: bigint;
  readonly shareSupply: bigint;
  readonly sharePrice: bigint | null;
  readonly rewardPerYear: bigint;
  readonly pools: readonly PoolFigures[];
}

const BALANCE = 'balanceOf(address) view returns (uint256)';
const SUPPLY = 'totalSupply() view returns (uint256)';

/** By one plain call after the other, nothing taken from the store. */
export function readState(part: FamilyOnChain, block: number): Promise<State> {
  const ask = part.askAt(block);
  if (part.family.adapter !== 'receiver-queue') return readStandardVault(part, ask);
  return part.master === null
    ? readQueuedVault(part, ask, block)
    : readFeeder(part, ask, part.master.address);
}

async function readQueuedVault(part: FamilyOnChain, ask: Ask, block: number): Promise<State> {
  const vault = part.family.address;
  const own = await readOwn(part, ask);
  const pools = await Promise.all(poolsAt(part, block).map((pool) => readPool(ask, vault, pool)));
  const sum = (pick: (pool: PoolFigures) => bigint) => pools.reduce((t, p) => t + pick(p), 0n);
  return {
    ...own,
    invested: sum((pool) => pool.value),
    pendingExits: sum((pool) => pool.pendingExit),
    rewardPerYear: sum((pool) => pool.rewardPerYear),
    pools,
  };
}

/** A feeder has its stake in the master, and what it queued there. */
async function readFeeder(part: FamilyOnChain, ask: Ask, master: Address): Promise<State> {
  const vault = part.family.address;
  const own = await readOwn(part, ask);
  const shares = await need<bigint>(ask, master, BALANCE, vault);
  const decimals = await need<number>(ask, master, 'decimals() view returns (uint8)');
  const signature = 'pendingRedeemRequest(address) view returns (uint256, uint256)';
  const [pendingExits] = await need<[bigint, bigint]>(ask, master, signature, vault);
  const invested = (shares * (own.sharePrice ?? 0n)) / 10n ** BigInt(decimals);
  return { ...own, invested, pendingExits, rewardPerYear: 0n, pools: [] };
}

/** Base units of the base asset for one whole share; null while no price is published. */
export function readSharePrice(part: FamilyOnChain, block: number): Promise<bigint | null> {
  const ask = part.askAt(block);
  return part.family.adapter === 'receiver-queue' ? readPublished(part, ask) : readWorth(part, ask);
}

async function readPublished(
  { family, chain, master }: FamilyOnChain,
  ask: Ask,
): Promise<bigint | null> {
  const signature = 'getLatestPrice(address) view returns (uint256, uint64)';
  const priced = (master ?? family).address;
  const published = await ask<[bigint, bigint]>(chain.oracle!, signature, priced);
  // The oracle answers zero, or nothing, until a price is published.
  return published?.[0] || null;
}

function readWorth({ family, shareDecimals }: FamilyOnChain, ask: Ask): Promise<bigint> {
  const signature = 'convertToAssets(uint256) view returns (uint256)';
  return need<bigint>(ask, family.address, signature, 10n ** BigInt(shareDecimals));
}

async function readOwn(part: FamilyOnChain, ask: Ask) {
  const vault = part.family.address;
  const asset = await need<Address>(ask, vault, 'asset() view returns (address)');
  const pending = 'totalPendingAssets() view returns (uint256)';
  return {
    idle: await need<bigint>(ask, asset, BALANCE, vault),
    pendingRedemptionAssets: await need<bigint>(ask, vault, pending),
    shareSupply: await need<bigint>(ask, vault, SUPPLY),
    sharePrice: await readPublished(part, ask),
  };
}

/** ERC-4626, and ERC-7540, where shares that stand in the vault wait to be paid. */
async function readStandardVault(part: FamilyOnChain, ask: Ask): Promise<State> {
  const { family, share, shareDecimals } = part;
  const vault = family.address;
  const wholeShare = 10n ** BigInt(shareDecimals);
  const asset = await need<Address>(ask, vault, 'asset() view returns (address)');
  const held = await need<bigint>(ask, asset, BALANCE, vault);
  const total = await need<bigint>(ask, vault, 'totalAssets() view returns (uint256)');
  const sharePrice = await readWorth(part, ask);
  let pendingRedemptionAssets = 0n;
  if (family.adapter === 'erc7540') {
    const waiting = await need<bigint>(ask, share, BALANCE, vault);
    pendingRedemptionAssets = (waiting * sharePrice) / wholeShare;
  }
  // What a vault holds beyond its own total is not its own.
  const idle = held > total ? total : held;
  return {
    idle,
    invested: total - idle,
    pendingExits: 0n,
    pendingRedemptionAssets,
    shareSupply: await need<bigint>(ask, share, SUPPLY),
    sharePrice,
    rewardPerYear: 0n,
    pools: [],
  };
}
