/**
 * Stores a payer's spend. Payers, processes, or pages that share a store share its caps. To write your own, implement
 * these two functions.
 */
export interface SpendStore {
  /**
   * Runs `change` on the current state while no other change can run, and resolves when the result is durable. `change`
   * may run more than once; only the last run counts. If it throws, so does this, and nothing is written.
   */
  transact<Result>(change: (book: SpendState | undefined) => Change<Result>): Promise<Result>;
  /** Returns all records, oldest first. */
  getRecords(): Promise<readonly PaymentRecord[]>;
}

export interface Change<Result> {
  readonly result: Result;
  /** The new state; absent: unchanged. */
  readonly book?: SpendState;
  /** A record to store with it. */
  readonly record?: PaymentRecord;
}

/** The spend state, as plain JSON. Amounts are decimal strings, times Unix seconds. */
export interface SpendState {
  readonly version: 1;
  readonly spent: string;
  readonly spentByHost: Readonly<Record<string, string>>;
  /** Amounts spent per period (from, to, amount), oldest first. */
  readonly recent: readonly (readonly [from: number, to: number, amount: string])[];
  /** Payments whose outcome is unknown. Each counts in full. */
  readonly open: readonly OpenPayment[];
  /** Payments charged without a response. They count as spent; the next call for the same request sends them again. */
  readonly unanswered?: readonly OpenPayment[];
}

/** The terms of a payment, regardless of its outcome. */
export interface PaymentTerms {
  readonly id: string;
  readonly url: string;
  /** The method and the SHA-256 of the body; absent for a GET. */
  readonly request?: string | undefined;
  readonly host: string;
  readonly network: string;
  readonly asset: string;
  readonly payTo: string;
  readonly payer: string;
  /** Maximum amount that its signatures allow. */
  readonly amount: string;
  /** Shared by all signatures of a payment, so that the chain accepts one of them at most. */
  readonly nonce: string;
  /** The payment header, sent unchanged each time. */
  readonly header?: string;
}

export interface OpenPayment extends PaymentTerms {
  /**
   * reserved: no signature was sent. signed: its header may have been sent. doubtful: the seller rejected it, but could
   * still charge it. charged: the chain shows that it was used.
   */
  readonly state: 'reserved' | 'signed' | 'doubtful' | 'charged';
  readonly reservedAt: number;
  /** When its last signature expires. */
  readonly validBefore: number;
  /** Number of signatures. */
  readonly signatures: number;
  /** The caller bought the same request again despite this payment. */
  readonly replaced?: true;
}

/** A payment whose outcome is known. */
export interface PaymentRecord extends PaymentTerms {
  /**
   * paid: the response was delivered. charged: the chain shows that it was used, but the seller delivers no response.
   * written-off: the caller wrote it off after it expired; it does not count as spent.
   */
  readonly outcome: 'paid' | 'charged' | 'written-off';
  readonly at: number;
  /** Null if the seller sent none, or one for another payment. */
  readonly receipt: Receipt | null;
}

/** The seller's report of a settlement. */
export interface Receipt {
  readonly transaction: string;
  readonly network: string;
  readonly payer: string;
}
