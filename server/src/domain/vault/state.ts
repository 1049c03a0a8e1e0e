import type { Hex } from '../hex.ts';
import type { PoolDeclaration } from './event.ts';
import type { CompositionPart } from './exposure.ts';
import type { Ratio } from './ratio.ts';

/** What a family holds on one chain at one block, in base units of its base asset there. */
export interface FamilyState {
  readonly idle: bigint;
  readonly invested: bigint;
  readonly pendingExits: bigint;
  readonly pendingRedemptionAssets: bigint;
  readonly shareSupply: bigint;
  /** Base units for one whole share; null while none is published. */
  readonly sharePrice: bigint | null;
  /** The same with all the digits that the vault has. */
  readonly ratio: Ratio | null;
  /** When the contract last updated the rate; absent where it states no time. */
  readonly rateUpdatedAt?: number;
  readonly pools: readonly PoolState[];
  /** Pools that no event declares: what an allocator or the file says they are. */
  readonly found?: readonly FoundPool[];
}

/** A pool found by looking, with what is known of it. */
export interface FoundPool extends PoolDeclaration {
  readonly name: string;
  readonly protocolName: string;
  /** Null: nobody can tell what it holds. */
  readonly composition: readonly CompositionPart[] | null;
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
