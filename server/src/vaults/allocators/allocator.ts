import type { FoundPool, PoolState } from '../../domain/vault/state.ts';
import type { Rounds } from '../kind.ts';

/** Says where a vault's assets are: its markets or strategies as pools. */
export interface Allocator {
  readonly name: string;
  /** Null where it does not answer at this block. */
  read(time: number): Rounds<Allocation | null>;
}

export interface Allocation {
  readonly pools: readonly AllocatedPool[];
  /** What the vault holds itself by its own word; null where its balance tells. */
  readonly idle: bigint | null;
}

export interface AllocatedPool {
  readonly pool: FoundPool;
  readonly state: PoolState;
}
