import type { Call, ChainClient, RawLog } from '../chain/chainClient.ts';
import type { AdapterName, FamilyChainConfig, FamilyConfig } from '../config/config.ts';
import type { Address, Hex } from '../domain/hex.ts';
import type { LogPlace } from '../domain/order.ts';
import type { PoolDeclaration, VaultEvent } from '../domain/vault/event.ts';
import type { ExitTerms } from '../domain/vault/exitTerms.ts';
import type { Ratio } from '../domain/vault/ratio.ts';
import type { FamilyState } from '../domain/vault/state.ts';
import type { Allocator } from './allocators/allocator.ts';
import type { ExitVault } from './exitTerms.ts';
import type { Look } from './recognize/readContract.ts';

/** A family's contracts on one chain, as the file names them and the chain shows them. */
export interface VaultOnChain {
  readonly family: FamilyConfig;
  readonly chain: FamilyChainConfig;
  /** Set for a feeder: the vault that it routes deposits into. */
  readonly master: Address | null;
  /** Null if the shares are valued in a currency, which is no token. */
  readonly asset: Address | null;
  readonly assetDecimals: number;
  readonly share: Address;
  readonly shareDecimals: number;
  readonly found: Found;
}

/** What reading the contracts adds to the file. */
export interface Found {
  /** Every vault over the share, starting with the family's own. */
  readonly vaults: readonly Address[];
  /** The vaults whose asset is the family's base asset. */
  readonly sameAsset: ReadonlySet<Address>;
  /** Accounts that hold shares or assets for others. */
  readonly custody: readonly Address[];
  /** Accounts that hold shares taken as fees, which have no owner. */
  readonly feeHolders?: readonly Address[];
  /** A queue of redemptions that have left the vault: it holds neither shares nor assets, and reports what it owes. */
  readonly outsideQueue?: Address | null;
  /** The amounts for which the share price is read, largest first; one share (10^decimals) last. */
  readonly ratioAmounts: readonly bigint[];
  /** Whether the vault lists several assets that it accepts and pays. */
  readonly severalAssets: boolean;
  /** Reads where the assets are. */
  readonly allocator: Allocator | null;
  /** Where share prices are published, and under which address. */
  readonly oracle: { readonly address: Address; readonly entry: Address } | null;
}

/** Contracts to read logs from, and the first topics that matter; without topics, all of them. */
export interface WantedLogs {
  readonly addresses: readonly Address[];
  readonly topics?: readonly Hex[];
}

export type CallResult = Hex | null;

/** `full` also reads what only the present needs: liquidity and reported rates. */
export type Detail = 'full' | 'lean';

/** A vault's last balance in each venue: a guess that usually avoids a second batch. */
export type LastBalances = Map<Address, bigint>;

/**
 * A read at one block in batches of calls, each of which may depend on the results before. Returns a value, or null if it
 * cannot be read there.
 */
export type Rounds<T> = Generator<readonly Call[], T, readonly CallResult[]>;

/** The input of a state read. */
export interface StateInput {
  readonly block: number;
  /** The block's time. */
  readonly time: number;
  readonly detail: Detail;
  /** Declared by a registry and in force at the block. */
  readonly pools: readonly PoolDeclaration[];
  readonly lastBalances: LastBalances;
  /** What all wallets have queued at the block, according to the store. */
  readonly queued: QueueTotals;
  /** Wallets with pending amounts, according to the store. */
  readonly waiters: readonly Waiter[];
}

/** Why a state cannot be read at a block, as a text for the operator. */
export interface Unread {
  readonly unread: string;
}

export interface QueueTotals {
  readonly pendingShares: bigint;
  readonly claimableAssets: bigint;
  /** Deposits: assets that are pending, and those whose shares are claimable. */
  readonly pendingDeposits: bigint;
  readonly claimableDeposits: bigint;
}

/** A wallet with pending amounts. */
export interface Waiter {
  readonly wallet: Address;
  readonly ids: RequestIds;
}

/** One kind of vault, with everything that differs between kinds. One folder each; nothing else knows its ABI. */
export interface VaultKind {
  readonly name: AdapterName;
  /** Returns the evidence that the contract is of this kind, or null. */
  recognize(look: Look, vault: Address): Promise<string | null>;
  /** Keys of the file's chain entries that apply to this kind. */
  readonly keys: readonly (keyof FamilyChainConfig)[];
  /**
   * The version of the rules for its rows, part of a source's identity: a change reads the source again. Undefined for
   * the first version.
   */
  rules(chain: FamilyChainConfig): number | undefined;
  /** `published`: prices come from an oracle's events. `converted`: the vault reports them at any block. */
  readonly price: 'published' | 'converted';
  /** What a wrapper holds of its asset, and its shares in all, after the block; null if it is none. */
  holding?(vault: VaultOnChain): Rounds<{ readonly held: bigint; readonly shares: bigint } | null>;
  /** The value of shares at a block whose time is given; absent: what the vault converts them to. */
  ratio?(vault: VaultOnChain, time: number): Rounds<Ratio | null>;
  /** How the owners of shares in custody are known; `requests`: from events that number the requests. */
  readonly queue: 'events' | 'transfers' | 'calls' | 'requests';
  /** Reads a wallet's queue from the contract; null if it has none. */
  readonly walletQueue: ReadQueue | null;
  /** Whether a wallet's queue has a claimable part, and deposits can be queued too. */
  readonly hasClaims: boolean;
  /**
   * Whether the assets of every deposit and redemption move in its own transaction, so that they can be found there.
   */
  readonly paysAtOnce: boolean;
  /** Throws UnfitVault if the contracts cannot be read as this kind. */
  discover(client: ChainClient, block: number, named: Omit<VaultOnChain, 'found'>): Promise<Found>;
  wantedLogs(vault: VaultOnChain): WantedLogs;
  /** Undefined for a log that is not of this family. */
  decode(log: RawLog, place: LogPlace, vault: VaultOnChain): VaultEvent | undefined;
  state(vault: VaultOnChain, input: StateInput): Rounds<FamilyState | Unread | null>;
  /** Returns what the contracts state about exits at a block. */
  exitTerms(vault: ExitVault): Rounds<ExitTerms>;
}

/** `ids`: the wallet's requests, if the vault numbers them. Null: the vault did not respond. */
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

/** The contract's responses; null if it reports no value, as a paused vault may. */
export interface QueueRead {
  readonly pendingRedeem: bigint | null;
  readonly claimableRedeem: bigint | null;
  readonly claimableRedeemAssets: bigint | null;
  readonly depositShares: bigint | null;
  readonly depositAssets: bigint;
  readonly returning: bigint;
  readonly pendingDeposit: bigint | null;
  /** Assets of cancelled deposits, ready to be withdrawn; null for a vault without cancellation. */
  readonly returnableAssets: bigint | null;
  /** The amount reserved for the pending shares, if requests reserve one. */
  readonly reservedAssets: bigint | null;
  /** The requested IDs with an open amount. */
  readonly openIds: RequestIds;
}

/** The contracts in the file are not what it describes; the message names the key and the fix. */
export class UnfitVault extends Error {
  override readonly name = 'UnfitVault';
}
