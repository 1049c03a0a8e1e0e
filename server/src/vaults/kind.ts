import type { Call, RawLog } from '../chain/chainClient.ts';
import type { FamilyChainConfig, FamilyConfig } from '../config/config.ts';
import type { Address, Hex } from '../domain/hex.ts';
import type { LogPlace } from '../domain/order.ts';
import type { PoolDeclaration, VaultEvent } from '../domain/vault/event.ts';
import type { FamilyState } from '../domain/vault/state.ts';

/** A family's contracts on one chain, and what the chain says of them. */
export interface VaultOnChain {
  readonly family: FamilyConfig;
  readonly chain: FamilyChainConfig;
  /** Set for a feeder: the family it routes deposits into. */
  readonly master: FamilyConfig | null;
  readonly asset: Address;
  readonly assetDecimals: number;
  readonly share: Address;
  readonly shareDecimals: number;
}

/** Contracts to read logs from, and the first topics that matter. */
export interface WantedLogs {
  readonly addresses: readonly Address[];
  readonly topics: readonly Hex[];
}

export type CallResult = Hex | null;

/** `full` asks also for what only the present needs: liquidity and stated rates. */
export type Detail = 'full' | 'lean';

/** What a vault held in each venue when it was last read: a guess that mostly spares a second round. */
export type LastBalances = Map<Address, bigint>;

/** A state read in two rounds at one block: what the second asks for depends on the first. */
export interface StateRead {
  readonly first: readonly Call[];
  second(first: readonly CallResult[]): readonly Call[];
  /** Null: the family cannot be read at this block. */
  state(first: readonly CallResult[], second: readonly CallResult[]): FamilyState | null;
}

/** One kind of vault: its logs, and how its state is read. One folder each; nothing else knows its ABI. */
export interface Adapter {
  readonly priceRule: 'published' | 'traded';
  wantedLogs(vault: VaultOnChain): WantedLogs;
  /** Undefined for a log that is not of this family. */
  decode(log: RawLog, place: LogPlace, vault: VaultOnChain): VaultEvent | undefined;
  read(
    vault: VaultOnChain,
    pools: readonly PoolDeclaration[],
    detail: Detail,
    lastBalances: LastBalances,
  ): StateRead;
}
