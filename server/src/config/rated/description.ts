import type { Address, Hex } from '../../domain/hex.ts';
import type { FlowAction } from '../../domain/vault/event.ts';

/** A share token with a rate, as the file and its preset describe it: roles are addresses, signatures are offsets. */
export interface RatedConfig {
  readonly preset?: string;
  /** The keys that only the preset has; for messages. */
  readonly fromPreset: readonly string[];
  /** The addresses of the roles that are used. */
  readonly contracts: Readonly<Record<string, Address>>;
  readonly share: Address;
  readonly ledger: RatedLedger;
  readonly rate: RatedRate;
  readonly unit: RatedUnit;
  readonly flows: readonly RatedFlow[];
  /** Accounts that hold shares for others. */
  readonly custody: readonly Address[];
  /** How open requests are read from the contract; absent: they cannot be. */
  readonly queue?: RatedQueue;
  readonly watch: readonly RatedWatch[];
}

/** Position of a field in a log: a topic, from 1, or a word of its data, from 0. */
export type FieldPlace =
  | { readonly topic: number }
  /** `list`: the word has the offset of a list. */
  | { readonly word: number; readonly list?: true };

/** The layout of an event's log. */
export interface EventLayout {
  /** As written in the file; for messages. */
  readonly event: string;
  readonly topic: Hex;
  /** Number of topics of such a log, including the first. */
  readonly topics: number;
}

/** A call, ready to be sent. */
export interface RatedCall {
  readonly contract: Address;
  /** As written in the file; for messages. */
  readonly call: string;
  readonly data: Hex;
  /** The word of the result that is used. */
  readonly answer: number;
}

export const MINTS = ['free', 'received', 'bought'] as const;
/** Without cost, received at their value, or bought and paid out at it. */
export type Mints = (typeof MINTS)[number];

/** The event that moves shares, and the calls that read supply and balances. */
export interface RatedLedger extends EventLayout {
  readonly from: FieldPlace;
  readonly to: FieldPlace;
  readonly shares: FieldPlace;
  /** The event that burns shares without the event above; null: none. */
  readonly burn: (EventLayout & { readonly from: FieldPlace; readonly shares: FieldPlace }) | null;
  /** What shares minted or burned without another event are. */
  readonly mints: Mints;
  readonly supply: RatedCall;
  /** Only its selector: the wallet follows. */
  readonly balance: RatedCall;
}

/** Units per share; or, inverse, shares per unit. */
export type RatedRate = {
  /** Maximum age in seconds; null: a rate does not expire. */
  readonly maxAge: number | null;
  readonly inverse: boolean;
} & (
  | ({
      readonly kind: 'call';
      /** unit: the decimals of the unit. */
      readonly decimals: number | 'unit';
      /** The word of the result with its time; null: it has none and uses the block's. */
      readonly updatedAt: number | null;
      /** The word of the result that is nonzero while the rate must not be used. */
      readonly bad: number | null;
      /** Nonzero while the rate must not be used. */
      readonly paused: RatedCall | null;
      /** Whether the result is signed: a negative value is not a rate. */
      readonly signed: boolean;
    } & RatedCall)
  | {
      readonly kind: 'feed';
      readonly contract: Address;
    }
  | { readonly kind: 'fixed'; readonly value: string }
);

export type RatedUnit =
  | { readonly kind: 'token'; readonly token: Address }
  | { readonly kind: 'currency'; readonly currency: string; readonly decimals: number };

export const FLOW_FIELDS = [
  ...['owner', 'receiver', 'shares', 'assets', 'fee', 'assetsFee', 'asset', 'id', 'idFrom', 'idTo'],
] as const;
export type FlowField =
  | 'owner'
  | 'receiver'
  | 'shares'
  | 'assets'
  | 'fee'
  | 'assetsFee'
  | 'asset'
  | 'id'
  | 'idFrom'
  | 'idTo';

/** What an event reports about a wallet's shares. */
export interface RatedFlow extends EventLayout {
  readonly action: FlowAction;
  readonly contract: Address;
  readonly fields: Readonly<Partial<Record<FlowField, FieldPlace>>>;
}

/** Reads the open shares of a wallet or of a request; its argument follows the selector. */
export interface RatedQueue extends RatedCall {
  readonly by: 'wallet' | 'id';
}

/** Events that trigger an alert. */
export interface RatedWatch {
  readonly contract: Address;
  readonly events: readonly EventLayout[];
}
