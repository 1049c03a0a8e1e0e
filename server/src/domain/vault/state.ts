import type { Hex } from '../hex.ts';

/** What a family holds on one chain at one block, in base units of its base asset there. */
export interface FamilyState {
  readonly idle: bigint;
  readonly invested: bigint;
  readonly pendingExits: bigint;
  readonly pendingRedemptionAssets: bigint;
  readonly shareSupply: bigint;
  /** Base units for one whole share; null while none is published. */
  readonly sharePrice: bigint | null;
  readonly pools: readonly PoolState[];
}

/** A venue's share price is taken for so many base units of its shares, whatever its decimals. */
export const POOL_SHARES = 10n ** 18n;

export interface PoolState {
  readonly poolId: Hex;
  readonly value: bigint;
  readonly pendingExit: bigint;
  /** What could be taken out at once; null where it was not read. */
  readonly availableLiquidity: bigint | null;
  /** Assets for POOL_SHARES base units of the venue's shares. */
  readonly sharePrice: bigint;
  /** The venue's own yearly rate × 10^18; null where it states none or was not asked. */
  readonly statedRate: bigint | null;
  /** Base units streamed to this holding in a year. */
  readonly rewardPerYear: bigint;
}
