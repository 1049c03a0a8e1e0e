import type { Address } from '../domain/hex.ts';
import { type Ask, need } from './ask.ts';
import { type DeploymentReads, vaultOn } from './deployment.ts';
import { kindOf } from './kinds/index.ts';
import type { ReportedState } from './kinds/kind.ts';
import { type DeclaredPool, type PoolFigures, poolsAt, readPool } from './pools.ts';
import { readRatedState } from './rated.ts';

/** A family's assets on one chain at one block, in base units. */
export interface State {
  /** Exact, or an upper bound: see `idleIsExact`. */
  readonly idle: bigint;
  readonly idleIsExact: boolean;
  readonly invested: bigint;
  readonly pendingExits: bigint;
  readonly pendingRedemptionAssets: bigint | null;
  readonly shareSupply: bigint;
  readonly sharePrice: bigint | null;
  readonly rewardPerYear: bigint;
  readonly pools: readonly PoolFigures[];
}

const BALANCE = 'balanceOf(address) view returns (uint256)';
const CONVERT = 'convertToAssets(uint256) view returns (uint256)';

/** Read by calls at that block; uses nothing from the store. */
export async function readState(deployment: DeploymentReads, block: number): Promise<State> {
  const { chain, family, share } = deployment;
  if (chain.rated !== undefined) return readRatedState(deployment, block);
  const ask = deployment.askAt(block);
  const asset = await need<Address>(ask, chain.address, 'asset() view returns (address)');
  const [reported, held, shareSupply, sharePrice] = await Promise.all([
    kindOf(family.adapter).read(deployment, block),
    need<bigint>(ask, asset, BALANCE, chain.address),
    need<bigint>(ask, share, 'totalSupply() view returns (uint256)'),
    readSharePrice(deployment, ask),
  ]);
  const worth = await readWorth(deployment, ask, block, { held, reported });
  const { pendingRedemptionAssets } = reported;
  return { ...worth, pendingRedemptionAssets, shareSupply, sharePrice };
}

export function worthOf({ idle, invested, pendingExits }: State): bigint {
  return idle + invested + pendingExits;
}

/** Base units of the base asset for one share (10^decimals), as the vault reports it; null while it has no price. */
async function readSharePrice(
  { chain, shareDecimals }: DeploymentReads,
  ask: Ask,
): Promise<bigint | null> {
  return (await ask<bigint>(chain.address, CONVERT, 10n ** BigInt(shareDecimals))) ?? null;
}

interface Held {
  readonly held: bigint;
  readonly reported: ReportedState;
}

type Worth = Omit<State, 'pendingRedemptionAssets' | 'shareSupply' | 'sharePrice'>;

/** The registry's pools, otherwise a feeder's stake, otherwise the vault's reported state. */
async function readWorth(
  deployment: DeploymentReads,
  ask: Ask,
  block: number,
  own: Held,
): Promise<Worth> {
  const declared = poolsAt(deployment, block);
  if (declared.length > 0) return readDeclared(deployment, ask, declared, own);
  const stake = await readStake(deployment, ask);
  if (stake !== undefined) {
    return { ...stake, idle: own.held, idleIsExact: true, rewardPerYear: 0n, pools: [] };
  }
  const total = await need<bigint>(
    ask,
    deployment.chain.address,
    'totalAssets() view returns (uint256)',
  );
  const { reserved, holdsOwnOnly } = own.reported;
  const free = own.held > reserved ? own.held - reserved : 0n;
  // A balance beyond the vault's own total does not belong to it.
  const idle = free > total ? total : free;
  const rest = { pendingExits: 0n, rewardPerYear: 0n, pools: [] };
  return { ...rest, idle, idleIsExact: holdsOwnOnly, invested: total - idle };
}

async function readDeclared(
  { chain }: DeploymentReads,
  ask: Ask,
  declared: readonly DeclaredPool[],
  { held }: Held,
): Promise<Worth> {
  const pools = await Promise.all(declared.map((pool) => readPool(ask, chain.address, pool)));
  const sum = (pick: (pool: PoolFigures) => bigint) => pools.reduce((t, p) => t + pick(p), 0n);
  return {
    idle: held,
    idleIsExact: true,
    invested: sum((pool) => pool.value),
    pendingExits: sum((pool) => pool.pendingExit),
    rewardPerYear: sum((pool) => pool.rewardPerYear),
    pools,
  };
}

/** A feeder's shares of its master, and those it queued there; undefined if it has neither. */
async function readStake({ chain, master }: DeploymentReads, ask: Ask) {
  if (master === null) return undefined;
  const at = vaultOn(master, chain.chainId);
  const shares = await ask<bigint>(at, BALANCE, chain.address);
  const signature = 'pendingRedeemRequest(address) view returns (uint256, uint256)';
  const [pendingExits] = (await ask<[bigint, bigint]>(at, signature, chain.address)) ?? [0n];
  if (!shares && pendingExits === 0n) return undefined;
  return { invested: shares ? await need<bigint>(ask, at, CONVERT, shares) : 0n, pendingExits };
}
