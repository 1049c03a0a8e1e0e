import { failure } from '../wire/errors.ts';
import { createWire, type SendOptions, type WireOptions } from '../wire/send.ts';
import { type Allow, createJudge } from './allow.ts';
import type { SellerAnswer } from './answer.ts';
import type { Signer } from './authorization.ts';
import { type Budget, readBook, reservedIn } from './book.ts';
import { type CallLimits, callOf, fetchCallOf, responseOf } from './call.ts';
import { createChainProof } from './chainProof.ts';
import type { BeforeSign } from './hooks.ts';
import { createLedger } from './ledger.ts';
import { type Payment, paymentOf } from './payment.ts';
import { createPresenting, type Purchased, recordOf } from './present.ts';
import { createPurchases } from './purchase.ts';
import { type PurchaseResult, resultOf } from './result.ts';
import { createReviews, type Reviewed } from './review.ts';
import { createSigning } from './signing.ts';
import type { OpenPayment, PaymentRecord, SpendStore } from './store.ts';

export interface PayerOptions extends WireOptions {
  readonly signer: Signer;
  readonly budget: Budget;
  readonly allow: Allow;
  readonly store: SpendStore;
  /** Sources of proof that a payment was not charged. Without one, a signed payment without a response stays reserved. */
  readonly proof?: {
    /** An RPC endpoint per network: { 'eip155:8453': 'https://…' } */
    readonly rpc?: Readonly<Record<string, string>>;
    /** Block tag from which on-chain state is treated as final. Default: `finalized`. */
    readonly finality?: 'finalized' | 'safe' | 'latest';
    /** Hosts that are trusted to report that a payment was not charged, because they are yours. */
    readonly hosts?: readonly string[];
  };
  readonly beforeSign?: BeforeSign | undefined;
  /** Maximum validity of a signature, also if the seller asks for more. Default: `120`. */
  readonly validitySeconds?: number;
  /** Unix seconds. */
  readonly now?: () => number;
}

export interface BuyOptions extends CallLimits {
  /**
   * Receives the response before its payment is closed. If it throws, the payment stays open, and the next call for the
   * same request sends it again instead of paying a second time.
   */
  readonly accept?: ((bought: PurchaseResult) => unknown) | undefined;
}

/** `accept` receives each response before its payment is closed. */
export interface RefetchOptions extends SendOptions, Pick<BuyOptions, 'accept'> {}

export interface FetchOptions extends CallLimits {
  /** As in `BuyOptions`, with a separate `Response`. */
  readonly accept?: ((bought: PurchaseResult<Response>) => unknown) | undefined;
  /** Id of a payment in the report for the same request. Fetches its response again for free. */
  readonly refetch?: string | undefined;
  /** @deprecated Use `refetch`. */
  readonly again?: string | undefined;
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
  /** Reserved for payments whose outcome is unknown. */
  readonly reserved: bigint;
  readonly open: readonly Omit<OpenPayment, 'header'>[];
  /** All closed payments, oldest first. */
  readonly payments: readonly Payment[];
}

/** Pays for responses within a budget and to allowed recipients. */
export interface Payer {
  readonly address: string;
  /**
   * Returns the JSON at a URL, and pays if the seller asks. An earlier payment for the same URL without a response is sent
   * again. Nothing else is signed for that URL unless `replaces` names that payment. Equal concurrent calls are one
   * purchase.
   *
   * @example
   * const { data, payment } = await payer.buy(`${client.url}/api/v1/agent/schema`, { maxAmount: 1_000n });
   * console.log(data, payment?.receipt?.transaction);
   */
  buy(url: string, options?: BuyOptions): Promise<PurchaseResult>;
  /**
   * Sends any request, like `fetch`, and pays if the seller asks. Uses the method, headers, body, and signal of `init`.
   * Method, URL, and body identify the purchase. Returns any 2xx response; everything else throws as in `buy`, including
   * redirects.
   *
   * @example
   * const response = await payer.fetch(`${client.url}/api/v1/agent/schema`, { headers: { accept: 'application/json' } });
   * console.log(response.status, await response.json());
   */
  fetch(
    input: string | URL | Request,
    init?: RequestInit,
    options?: FetchOptions,
  ): Promise<Response>;
  /**
   * Returns the response of a payment in the report again for free, while the seller stores it. If `fetch` sent the
   * request with a method or body, pass `refetch` to `fetch` instead.
   */
  refetch(paymentId: string, options?: RefetchOptions): Promise<unknown>;
  /** @deprecated Use `refetch`. */
  again(paymentId: string, options?: RefetchOptions): Promise<unknown>;
  /** Returns the price of a response without paying; null if it is free. */
  quote(url: string, options?: SendOptions): Promise<Price | null>;
  /**
   * Resolves open payments that can no longer be charged, and returns the responses found. `accept` receives each response
   * before its payment is closed.
   */
  review(options?: RefetchOptions): Promise<readonly Reviewed[]>;
  /**
   * Writes off an open payment that can no longer be charged. It then counts neither as reserved nor as spent, and its URL
   * can be bought again. If it was charged before it expired, the report does not include it.
   */
  writeOff(paymentId: string): Promise<void>;
  report(): Promise<Report>;
}

/**
 * Returns a payer that pays within a budget and only to allowed recipients.
 *
 * @example
 * const payer = createPayer({
 *   signer: privateKeyToAccount(demo.wallets[1].privateKey),
 *   allow: allowDemo(demo),
 *   budget: { perCall: 60_000n, total: 5_000_000n },
 *   store: createMemoryStore(),
 *   beforeSign: ({ url, amount }) => console.log('paying', amount, url),
 * });
 * console.log(await payer.quote(`${demo.apiUrl}/api/v1/agent/node/chain:base`));
 */
export function createPayer(options: PayerOptions): Payer {
  const { signer, budget, store, proof = {}, validitySeconds = 120, beforeSign } = options;
  checkBudget(budget);
  if (!(validitySeconds >= 10)) throw failure('config', 'validitySeconds must be at least 10.', {});
  const now = options.now ?? (() => Math.floor(Date.now() / 1000));
  const wire = createWire(options);
  const judge = createJudge(options.allow, signer.address);
  const ledger = createLedger(store, budget, now);
  const trusted = new Set(proof.hosts);
  const isTrustedHost = (host: string) => trusted.has(host);
  const { rpc = {}, finality = 'finalized' } = proof;
  const chain = createChainProof({ wire, rpc, finality });
  const presenting = createPresenting({ ledger, proof: chain, isTrustedHost, now });
  const reviews = createReviews({ ledger, proof: chain, presenting, wire, isTrustedHost, now });
  const { freeUnused } = reviews;
  const signing = createSigning({
    ...{ signer, judge, ledger, beforeSign, validitySeconds, freeUnused, now },
  });
  const payer = signer.address;
  const purchases = createPurchases({ payer, judge, ledger, signing, presenting });

  return {
    address: payer,
    async buy(url, { accept, ...limits } = {}) {
      return boughtOf(await purchases.buy({ ...callOf(wire, url, limits), ...taking(accept) }));
    },
    async fetch(input, init, { accept, again, refetch: id = again, ...limits } = {}) {
      const call = await fetchCallOf(wire, input, init, limits);
      const taking = accept && { accept: (purchased: Purchased) => accept(fetchedOf(purchased)) };
      const bought = id
        ? await purchases.again(await findRecord(id), { ...call, ...taking })
        : (await purchases.buy({ ...call, ...taking })).answer;
      return responseOf(bought as SellerAnswer);
    },
    refetch,
    again: refetch,
    async quote(url, options = {}) {
      const way = await purchases.quote(callOf(wire, url, options));
      return way && { amount: way.units, network: way.network, asset: way.asset, payTo: way.payTo };
    },
    review: ({ accept, ...options } = {}) => reviews.review({ ...options, ...taking(accept) }),
    writeOff,
    report,
  };

  async function findRecord(paymentId: string): Promise<PaymentRecord> {
    const record = (await store.getRecords()).find(({ id }) => id === paymentId);
    if (record) return record;
    throw failure('config', `Payment ${paymentId} is not in the report.`, {});
  }

  async function refetch(
    paymentId: string,
    { accept, ...options }: RefetchOptions = {},
  ): Promise<unknown> {
    const record = await findRecord(paymentId);
    return purchases.again(record, { ...callOf(wire, record.url, options), ...taking(accept) });
  }

  async function writeOff(paymentId: string): Promise<void> {
    const payment = (await ledger.getOpen()).find(({ id }) => id === paymentId);
    if (!payment) throw failure('config', `Payment ${paymentId} is not open.`, {});
    if (payment.validBefore >= now()) {
      const text = `Payment ${paymentId} can still be charged until ${payment.validBefore} (Unix time).`;
      throw failure('config', text, {});
    }
    await ledger.spent(recordOf(payment, 'written-off', now(), null));
  }

  async function report(): Promise<Report> {
    const book = await store.transact((found) => ({ result: readBook(found) }));
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

function boughtOf({ answer, record }: Purchased): PurchaseResult {
  return resultOf(answer, record && paymentOf(record));
}

function taking(accept: BuyOptions['accept']) {
  return accept && { accept: (purchased: Purchased) => accept(boughtOf(purchased)) };
}

function fetchedOf({ answer, record }: Purchased): PurchaseResult<Response> {
  return resultOf(responseOf(answer as SellerAnswer), record && paymentOf(record));
}

function checkBudget({ perCall, total, perHost = 1n, perPeriod }: Budget): void {
  const { amount, seconds } = perPeriod ?? { amount: 1n, seconds: 1 };
  const isRight = [perCall, total, perHost, amount].every(
    (cap) => typeof cap === 'bigint' && cap >= 0n,
  );
  if (isRight && seconds > 0) return;
  throw failure('config', 'Caps must be bigints of base units; a period needs seconds.', {});
}
