/**
 * Where a payer's spend is kept. Whatever shares a store shares its caps: several payers, processes or pages. Write
 * another with these two functions.
 */
export interface SpendStore {
  /**
   * Runs `change` on the book as it is, with nobody else changing it meanwhile, and resolves when what it returned can
   * not be lost any more. It may run more than once, and only the last run counts. What it throws is thrown here, and
   * nothing is written.
   */
  transact<Result>(change: (book: Book | undefined) => Change<Result>): Promise<Result>;
  /** All that was ever recorded, oldest first. */
  getRecords(): Promise<readonly PaymentRecord[]>;
}

export interface Change<Result> {
  readonly result: Result;
  /** The book from now on; absent: as it was. */
  readonly book?: Book;
  /** To be recorded with it. */
  readonly record?: PaymentRecord;
}

/** What was spent, and what may be. It is plain JSON: amounts are decimal digits, times Unix seconds. */
export interface Book {
  readonly version: 1;
  readonly spent: string;
  readonly spentByHost: Readonly<Record<string, string>>;
  /** What was spent when: from, to, amount; oldest first. */
  readonly recent: readonly (readonly [from: number, to: number, amount: string])[];
  /** Payments of which the end is not known: each counts in full. */
  readonly open: readonly OpenPayment[];
}

/** What a payment is of, whatever became of it. */
export interface PaymentTerms {
  readonly id: string;
  readonly url: string;
  readonly host: string;
  readonly network: string;
  readonly asset: string;
  readonly payTo: string;
  readonly payer: string;
  /** The most that its signatures allow to be taken. */
  readonly amount: string;
  /** All signatures of a payment share it, so the chain takes one of them at most. */
  readonly nonce: string;
  /** What is sent: the same bytes each time. */
  readonly header?: string;
}

export interface OpenPayment extends PaymentTerms {
  /**
   * reserved: nothing was signed that left this process. signed: its header may have been sent, and is sent again.
   * doubtful: the seller does not take it, but could still charge it.
   */
  readonly state: 'reserved' | 'signed' | 'doubtful';
  readonly reservedAt: number;
  /** When the last of its signatures is dead. */
  readonly validBefore: number;
  /** How many were made. */
  readonly signatures: number;
}

/** Money that was spent. */
export interface PaymentRecord extends PaymentTerms {
  /** paid: for an answer that was had. charged: the chain says so, and the seller does not hand out an answer. */
  readonly outcome: 'paid' | 'charged';
  readonly at: number;
  /** Null where the seller sent none, or one that is not about this payment. */
  readonly receipt: Receipt | null;
}

/** The seller's word about a settlement. */
export interface Receipt {
  readonly transaction: string;
  readonly network: string;
  readonly payer: string;
}
