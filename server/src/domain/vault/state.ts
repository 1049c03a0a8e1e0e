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

export interface PoolState {
  readonly poolId: Hex;
  readonly value: bigint;
  readonly pendingExit: bigint;
  readonly availableLiquidity: bigint;
  /** Assets for one whole share of the venue. */
  readonly sharePrice: bigint | null;
  /** The venue's own yearly rate × 10^18. */
  readonly statedRate: bigint | null;
  /** Base units streamed to this holding in a year. */
  readonly rewardPerYear: bigint;
}
