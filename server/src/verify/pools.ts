import type { PoolPosition } from '../config/config.ts';
import type { Address, Hex } from '../domain/hex.ts';
import { type Ask, need } from './ask.ts';
import { type DeploymentReads, sameAddress } from './deployment.ts';

/** A decoded PoolDeclared event of the registry. */
export interface Declaration {
  readonly address: Address;
  readonly blockNumber: number;
  readonly logIndex: number;
  readonly args: {
    readonly vault: Address;
    readonly id: Hex;
    readonly offchainId: string;
    readonly chainId: bigint;
    readonly venue: Address;
    readonly venueKind: number;
    readonly idleOnly: boolean;
    readonly status: number;
    readonly riskScore: number;
    readonly epoch: bigint;
  };
}

export interface DeclaredPool {
  readonly chainId: number;
  readonly blockNumber: number;
  readonly logIndex: number;
  readonly poolId: Hex;
  readonly offchainId: string;
  readonly venue: Address;
  readonly venueKind: number;
  readonly idleOnly: boolean;
  readonly status: number;
  readonly riskScore: number;
  readonly epoch: number;
}

export interface PoolFigures {
  readonly poolId: Hex;
  readonly value: bigint;
  readonly pendingExit: bigint;
  readonly availableLiquidity: bigint | null;
  readonly sharePrice: bigint;
  readonly statedRate: bigint | null;
  readonly rewardPerYear: bigint;
}

const EXIT_QUEUE = 2;
const REWARDS = 3;
const REMOVED = 0;
const YEAR = 365n * 86_400n;

/** Declarations of a family's pools on one chain; a feeder mirrors its master's and has none. */
export function declaredPools({
  declarations,
  chain,
  family,
  master,
}: DeploymentReads): DeclaredPool[] {
  if (master !== null) return [];
  return declarations.flatMap(({ address, blockNumber, logIndex, args }) => {
    if (!sameAddress(address, chain.registry)) return [];
    const { vault, id: poolId, chainId, epoch, ...rest } = args;
    if (!sameAddress(vault, family.bindingDeclarationAddress)) return [];
    if (Number(chainId) !== chain.chainId) return [];
    const location = { chainId: chain.chainId, blockNumber, logIndex };
    return [{ ...location, ...rest, poolId, epoch: Number(epoch) }];
  });
}

/** The newest epoch of each pool declared up to a block, without removed pools. */
export function poolsAt(deployment: DeploymentReads, block: number): DeclaredPool[] {
  const inForce = new Map<Hex, DeclaredPool>();
  const declared = declaredPools(deployment).filter((pool) => pool.blockNumber <= block);
  for (const pool of declared.sort((a, b) => a.epoch - b.epoch)) inForce.set(pool.poolId, pool);
  return [...inForce.values()].filter((pool) => pool.status !== REMOVED);
}

/** A vault's holdings in a venue, read by separate calls. */
export async function readPool(
  ask: Ask,
  vault: Address,
  { venue, venueKind, poolId }: DeclaredPool,
): Promise<PoolFigures> {
  const held = await need<bigint>(ask, venue, 'balanceOf(address) view returns (uint256)', vault);
  const worth = (shares: bigint) =>
    need<bigint>(ask, venue, 'convertToAssets(uint256) view returns (uint256)', shares);
  const rate = await ask<bigint>(venue, 'statedRate() view returns (uint256)');
  let pendingExit = 0n;
  if (venueKind === EXIT_QUEUE) {
    const signature = 'pendingExitAssets(address) view returns (uint256)';
    pendingExit = await need<bigint>(ask, venue, signature, vault);
  }
  let rewardPerYear = 0n;
  if (venueKind === REWARDS && held > 0n) {
    const perSecond = await need<bigint>(ask, venue, 'rewardRate() view returns (uint256)');
    const supply = await need<bigint>(ask, venue, 'totalSupply() view returns (uint256)');
    rewardPerYear = (perSecond * YEAR * held) / supply;
  }
  return {
    poolId,
    value: await worth(held),
    pendingExit,
    availableLiquidity: await readLiquidity(ask, vault, venue),
    sharePrice: await worth(10n ** 18n),
    statedRate: rate ?? null,
    rewardPerYear,
  };
}

/** Null if the venue does not report it. */
export async function readLiquidity(
  ask: Ask,
  vault: Address,
  venue: Address,
): Promise<bigint | null> {
  const signature = 'maxWithdraw(address) view returns (uint256)';
  return (await ask<bigint>(venue, signature, vault)) ?? null;
}

/** The value of a holding that the configuration lists. */
export async function readHolding(
  ask: Ask,
  { kind, address, holder }: PoolPosition,
  vault: Address,
): Promise<bigint> {
  const signature = 'balanceOf(address) view returns (uint256)';
  const held = await need<bigint>(ask, address, signature, holder ?? vault);
  switch (kind) {
    case 'token':
      return held;
    case 'erc4626':
      return need<bigint>(ask, address, 'convertToAssets(uint256) view returns (uint256)', held);
    default:
      return kind satisfies never;
  }
}

/** The total that a vault's adapters (Morpho Vault V2) report; 0 for a vault without any. */
export async function readAdapters(ask: Ask, vault: Address): Promise<bigint> {
  const length = (await ask<bigint>(vault, 'adaptersLength() view returns (uint256)')) ?? 0n;
  const values = await Promise.all(
    Array.from({ length: Number(length) }, async (_, i) => {
      const at = 'adapters(uint256) view returns (address)';
      const adapter = await need<Address>(ask, vault, at, BigInt(i));
      return need<bigint>(ask, adapter, 'realAssets() view returns (uint256)');
    }),
  );
  return values.reduce((sum, value) => sum + value, 0n);
}
