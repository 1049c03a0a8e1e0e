import type { Call, ChainClient, RawLog } from '../chain/chainClient.ts';
import type { AdapterName, FamilyChainConfig, FamilyConfig } from '../config/config.ts';
import type { Address, Hex } from '../domain/hex.ts';
import type { LogPlace } from '../domain/order.ts';
import type { PoolDeclaration, VaultEvent } from '../domain/vault/event.ts';
import type { FamilyState } from '../domain/vault/state.ts';
import type { Allocator } from './allocators/allocator.ts';
import type { Look } from './recognise/look.ts';

/** A family's contracts on one chain, as the file names them and the chain shows them. */
export interface VaultOnChain {
  readonly family: FamilyConfig;
  readonly chain: FamilyChainConfig;
  /** Set for a feeder: the vault that it routes deposits into. */
  readonly master: Address | null;
  readonly asset: Address;
  readonly assetDecimals: number;
  readonly share: Address;
  readonly shareDecimals: number;
  readonly found: Found;
}

/** What a look at the contracts adds to the file. */
export interface Found {
  /** Every vault over the share, the family's own first. */
  readonly vaults: readonly Address[];
  /** Those of them whose asset is the family's base asset. */
  readonly sameAsset: ReadonlySet<Address>;
  /** Accounts that hold shares or assets for others. */
  readonly custody: readonly Address[];
  /** What the share price is read for, the most digits first; one whole share last. */
  readonly ratioAmounts: readonly bigint[];
  /** Who says where the assets are. */
  readonly allocator: Allocator | null;
  /** Where share prices are published, and under whose name. */
  readonly oracle: { readonly address: Address; readonly entry: Address } | null;
}

/** Contracts to read logs from, and the first topics that matter; without topics, all of them. */
export interface WantedLogs {
  readonly addresses: readonly Address[];
  readonly topics?: readonly Hex[];
}

export type CallResult = Hex | null;

/** `full` asks also for what only the present needs: liquidity and stated rates. */
export type Detail = 'full' | 'lean';

/** What a vault held in each venue when it was last read: a guess that mostly spares a second round. */
export type LastBalances = Map<Address, bigint>;

/**
 * A read in rounds at one block: each asks for calls, the next may depend on their answers. In the end a value, or
 * null where it cannot be read there.
 */
export type Rounds<T> = Generator<readonly Call[], T, readonly CallResult[]>;

/** Of what a state is read. */
export interface StateInput {
  readonly block: number;
  /** The block's own time. */
  readonly time: number;
  readonly detail: Detail;
  /** Declared by a registry and in force at the block. */
  readonly pools: readonly PoolDeclaration[];
  readonly lastBalances: LastBalances;
  /** What all wallets have queued at the block, as far as the store keeps it. */
  readonly queued: QueueTotals;
  /** Who has something waiting now, as far as the store knows. */
  readonly waiters: readonly Waiter[];
}

export interface QueueTotals {
  readonly pendingShares: bigint;
  readonly claimableAssets: bigint;
  /** Of deposits: assets that wait to become shares, and those whose shares wait to be claimed. */
  readonly pendingDeposits: bigint;
  readonly claimableDeposits: bigint;
}

/** Somebody who has something waiting. */
export interface Waiter {
  readonly wallet: Address;
  readonly ids: RequestIds;
}

/** One kind of vault: all that differs between vaults. One folder each; nothing else knows its ABI. */
export interface VaultKind {
  readonly name: AdapterName;
  /** By what the contract at an address is known to be of this kind; null when it is not. */
  recognise(look: Look, vault: Address): Promise<string | null>;
  /** Keys of the file's chain entries that mean something to this kind. */
  readonly keys: readonly (keyof FamilyChainConfig)[];
  /**
   * Which rules its rows were made by, part of what a source is known by: a change reads the source anew. Undefined
   * for the first ones.
   */
  rules(chain: FamilyChainConfig): number | undefined;
  /** `published`: prices come from an oracle's events. `converted`: the vault itself says at any block. */
  readonly price: 'published' | 'converted';
  /** Where it is told whose shares in custody are. */
  readonly queue: 'events' | 'transfers' | 'calls';
  /** What a wallet has waiting, asked of the contract; null where it keeps no queue. */
  readonly walletQueue: ReadQueue | null;
  /** Whether a wallet's queue has a claimable part, and deposits can be queued too. */
  readonly hasClaims: boolean;
  /** Throws UnfitVault where the contracts cannot be read as this kind. */
  discover(client: ChainClient, block: number, named: Omit<VaultOnChain, 'found'>): Promise<Found>;
  wantedLogs(vault: VaultOnChain): WantedLogs;
  /** Undefined for a log that is not of this family. */
  decode(log: RawLog, place: LogPlace, vault: VaultOnChain): VaultEvent | undefined;
  state(vault: VaultOnChain, input: StateInput): Rounds<FamilyState | null>;
}

/** `ids`: of the wallet's requests, where the vault numbers them. Null: the vault did not answer. */
export type ReadQueue = (
  vault: Address,
  wallet: Address,
  ids: RequestIds,
) => Rounds<QueueRead | null>;

export interface RequestIds {
  readonly redeem: readonly bigint[];
  readonly deposit: readonly bigint[];
}

export const NO_IDS: RequestIds = { redeem: [], deposit: [] };

/** As the contract answers; null where it does not say, as a paused vault may. */
export interface QueueRead {
  readonly pendingRedeem: bigint | null;
  readonly claimableRedeem: bigint | null;
  readonly claimableRedeemAssets: bigint | null;
  readonly depositShares: bigint | null;
  readonly depositAssets: bigint;
  readonly returning: bigint;
  readonly pendingDeposit: bigint | null;
  /** Of cancelled deposits, ready to be taken back; null for a vault that cannot cancel. */
  readonly returnableAssets: bigint | null;
  /** What the pending shares were promised, where a request reserves an amount. */
  readonly reservedAssets: bigint | null;
  /** Of the numbers asked for, those under which something waits. */
  readonly openIds: RequestIds;
}

/** The contracts that the file names are not what it says they are; the message names the key and the fix. */
export class UnfitVault extends Error {
  override readonly name = 'UnfitVault';
}
