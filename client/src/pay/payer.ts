import { failure } from '../wire/errors.ts';
import { createWire, type WireOptions } from '../wire/send.ts';
import { type Allow, createJudge } from './allow.ts';
import type { Signer } from './authorization.ts';
import { type Budget, EMPTY, reservedIn } from './book.ts';
import { createChainProof } from './chainProof.ts';
import { createLedger } from './ledger.ts';
import { createPurchases } from './purchase.ts';
import { createReviews, type Reviewed } from './review.ts';
import { createSigning } from './signing.ts';
import type { OpenPayment, PaymentRecord, SpendStore } from './store.ts';

export interface PayerOptions extends WireOptions {
  readonly signer: Signer;
  readonly budget: Budget;
  readonly allow: Allow;
  readonly store: SpendStore;
  /** Who can prove that a payment was not charged. Without any, what was signed and not answered stays reserved. */
  readonly proof?: {
    /** A node for each network: { 'eip155:8453': 'https://…' } */
    readonly rpc?: Readonly<Record<string, string>>;
    /** The block from which a chain's word is final; `finalized` unless told. */
    readonly finality?: 'finalized' | 'safe' | 'latest';
    /** Hosts whose own word is taken, because they are yours. */
    readonly hosts?: readonly string[];
  };
  /** The longest that a signature is good for, whatever the seller asks; 120 unless told. */
  readonly validitySeconds?: number;
  /** Unix seconds. */
  readonly now?: () => number;
}

export interface PayOptions {
  readonly signal?: AbortSignal | undefined;
}

/** An answer with what it cost. */
export interface Bought<Answer = unknown> {
  readonly answer: Answer;
  /** Null when the seller asked for nothing. */
  readonly payment: Payment | null;
}

/** Money that was spent, with its receipt. */
export interface Payment extends Omit<PaymentRecord, 'amount' | 'header'> {
  readonly amount: bigint;
}

export interface Price {
  readonly amount: bigint;
  readonly network: string;
  readonly asset: string;
  readonly payTo: string;
}

export interface Report {
  readonly spent: bigint;
  readonly spentByHost: Readonly<Record<string, bigint>>;
  /** Held back for payments whose end is not known. */
  readonly reserved: bigint;
  readonly open: readonly Omit<OpenPayment, 'header'>[];
  /** Every one, oldest first. */
  readonly payments: readonly Payment[];
}

/** Pays for answers, within its budget and to whom it may. */
export interface Payer {
  readonly address: string;
  /** The answer at a URL, paid for when the seller asks. A payment that was left open for it is used first. */
  buy(url: string, options?: PayOptions): Promise<Bought>;
  /**
   * The answer of a payment in the report, once more and for nothing, as long as the seller keeps it: for who had it
   * and lost it.
   */
  again(paymentId: string, options?: PayOptions): Promise<unknown>;
  /** What an answer would cost, without paying; null when it is free. */
  quote(url: string, options?: PayOptions): Promise<Price | null>;
  /** Looks into payments that were left open and can be charged no more; with the answers that were found. */
  review(options?: PayOptions): Promise<readonly Reviewed[]>;
  report(): Promise<Report>;
}

export function createPayer(options: PayerOptions): Payer {
  const { signer, budget, store, proof = {}, validitySeconds = 120 } = options;
  checkBudget(budget);
  if (!(validitySeconds >= 10)) throw failure('config', 'validitySeconds must be at least 10', {});
  const now = options.now ?? (() => Math.floor(Date.now() / 1000));
  const wire = createWire(options);
  const judge = createJudge(options.allow, signer.address);
  const ledger = createLedger(store, budget, now);
  const believed = new Set(proof.hosts);
  const isBelieved = (host: string) => believed.has(host);
  const { rpc = {}, finality = 'finalized' } = proof;
  const { fetch, timeoutMs } = wire;
  const chain = createChainProof({ fetch, timeoutMs, rpc, finality });
  const reviews = createReviews({
    ledger,
    proof: chain,
    purchases: () => purchases,
    isBelieved,
    now,
  });
  const { freeUnused } = reviews;
  const signing = createSigning({ signer, judge, ledger, validitySeconds, freeUnused, now });
  const payer = signer.address;
  const purchases = createPurchases({ wire, payer, judge, ledger, signing, isBelieved, now });

  return {
    address: payer,
    async buy(url, { signal } = {}) {
      const { answer, record } = await purchases.buy(new URL(url), signal);
      return { answer, payment: record && paymentOf(record) };
    },
    async again(paymentId, { signal } = {}) {
      const record = (await store.getRecords()).find(({ id }) => id === paymentId);
      if (record) return purchases.again(record, signal);
      throw failure('config', `there is no payment ${paymentId} in the report`, {});
    },
    async quote(url, { signal } = {}) {
      const way = await purchases.quote(new URL(url), signal);
      return way && { amount: way.units, network: way.network, asset: way.asset, payTo: way.payTo };
    },
    review: ({ signal } = {}) => reviews.review(signal),
    report,
  };

  async function report(): Promise<Report> {
    const book = await store.transact((found = EMPTY) => ({ result: found }));
    const hosts = Object.entries(book.spentByHost).map(([host, sum]) => [host, BigInt(sum)]);
    return {
      spent: BigInt(book.spent),
      spentByHost: Object.fromEntries(hosts),
      reserved: reservedIn(book),
      open: book.open.map(({ header: _, ...payment }) => payment),
      payments: (await store.getRecords()).map(paymentOf),
    };
  }
}

function paymentOf({ header: _, ...record }: PaymentRecord): Payment {
  return { ...record, amount: BigInt(record.amount) };
}

function checkBudget({ perCall, total, perHost = 1n, perPeriod }: Budget): void {
  const { amount, seconds } = perPeriod ?? { amount: 1n, seconds: 1 };
  const isRight = [perCall, total, perHost, amount].every(
    (cap) => typeof cap === 'bigint' && cap >= 0n,
  );
  if (isRight && seconds > 0) return;
  throw failure(
    'config',
    'the caps of a budget are bigints of base units, and a period has seconds',
    {},
  );
}
