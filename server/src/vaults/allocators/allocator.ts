import type { FoundPool, PoolState } from '../../domain/vault/state.ts';
import type { Rounds } from '../kind.ts';

/** Reads where a vault's assets are: its markets or strategies as pools. */
export interface Allocator {
  readonly name: string;
  /** Null if the contract does not respond at this block. */
  read(time: number): Rounds<Allocation | null>;
}

export interface Allocation {
  readonly pools: readonly AllocatedPool[];
  /** The idle assets that the vault reports; null if its balance is used. */
  readonly idle: bigint | null;
}

export interface AllocatedPool {
  readonly pool: FoundPool;
  readonly state: PoolState;
}
