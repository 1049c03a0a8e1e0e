import type { Address } from '../hex.ts';
import type { LogPlace } from '../order.ts';
import type { Accounts } from '../wallet/accounts.ts';
import { createCustodyFlows } from '../wallet/custodyFlows.ts';
import { createMovementList, type Movement } from '../wallet/movement.ts';
import { pairTransfers } from '../wallet/pairs.ts';
import type { Priced } from '../wallet/priced.ts';
import { createPlayer } from '../wallet/transaction.ts';
import type { TransferBook } from '../wallet/transferBook.ts';
import { findCustody } from './custody.ts';
import type { EventOf, PoolDeclaration, VaultEvent } from './event.ts';
import { type BlockStart, priceRequests } from './fixedRequest.ts';
import { readFlows } from './flows.ts';
import type { FlowTrust } from './flowTrust.ts';
import { addHistory, type HistoryItem } from './history.ts';
import { NOTHING_QUEUED, type WalletQueue } from './queue.ts';
import { type Ratio, ratioOfPrice } from './ratio.ts';
import { createReportedQueues, type ReportedQueues } from './reportedQueues.ts';
import type { RedeemRequest, RequestBook } from './requestBook.ts';

export interface Interpretation {
  readonly history: HistoryItem[];
  readonly movements: readonly Movement[];
  readonly sharePrices: { readonly place: LogPlace; readonly price: bigint }[];
  readonly pools: { readonly place: LogPlace; readonly pool: PoolDeclaration }[];
  /** Accounts found to hold shares for others. */
  readonly custody: { readonly place: LogPlace; readonly account: Address }[];
  readonly queues: QueueRow[];
  /** Numbered requests, as they are from a block on. */
  readonly requests: { readonly place: LogPlace; readonly request: RedeemRequest }[];
  readonly depositRequests: EventOf<'deposit-request'>[];
  /** The share price in force after the last event. */
  readonly lastPrice: Ratio | null;
}

/** The queue of a wallet from a block on. */
export interface QueueRow {
  readonly wallet: Address;
  readonly place: LogPlace;
  readonly queue: WalletQueue;
}

export interface InterpretContext {
  readonly accounts: Accounts;
  readonly shareDecimals: number;
  /** The last price before these events. */
  readonly lastPrice: Ratio | null;
  /**
   * The vault's own conversion rate at the end of a block, or the last one before; null if there was none. Undefined if
   * it was not read, or the vault publishes prices: then the last price counts.
   */
  priceAt(block: number): Ratio | null | undefined;
  /** What the vault reported before a block with requests. Undefined if it was not read. */
  startOf?(block: number): BlockStart | undefined;
  readonly queue: QueueContext;
}

/** What determines the owners of shares in custody. */
export type QueueContext =
  | { readonly by: 'events' }
  | { readonly by: 'transfers'; readonly book: TransferBook }
  | { readonly by: 'requests'; readonly requests: RequestBook; readonly trust?: FlowTrust }
  | {
      readonly by: 'calls';
      /** As last known; updated here. */
      readonly held: Map<Address, WalletQueue>;
      /** The queues that were read from the contract at the end of a block. */
      at(block: number): ReadonlyMap<Address, WalletQueue> | undefined;
    };

/** Interprets a family's events on one chain, in log order. */
export function interpret(
  events: readonly VaultEvent[],
  context: InterpretContext,
): Interpretation {
  const { accounts, queue } = context;
  const movements = createMovementList();
  const flows = createCustodyFlows(movements);
  const found: Omit<Interpretation, 'lastPrice' | 'movements'> = {
    history: [],
    sharePrices: [],
    pools: [],
    custody: [],
    queues: [],
    requests: [],
    depositRequests: [],
  };
  const book = queue.by === 'transfers' ? queue.book : null;
  const reported = queue.by === 'calls' ? createReportedQueues(queue) : null;
  const before = (wallet: Address) => reported?.before(wallet) ?? NOTHING_QUEUED;
  const byBlock = reported !== null;
  const paidTo = byBlock || queue.by === 'requests' ? 'owner' : 'receiver';
  const hasClaimed = reported?.hasClaimed ?? (() => false);
  const play = createPlayer({ accounts, movements, flows, book, paidTo, byBlock, hasClaimed });
  let lastPrice = context.lastPrice;

  for (const block of groupConsecutive(events, ({ place }) => place.blockNumber)) readBlock(block);
  return { ...found, movements: movements.all, lastPrice };

  function readBlock(block: readonly VaultEvent[]): void {
    const { place } = block.at(-1)!;
    reported?.begin(block);
    const asked = context.priceAt(place.blockNumber);
    for (const account of findCustody(block, accounts, reported?.after(), before)) {
      accounts.custody.add(account);
      found.custody.push({ place, account });
    }
    const start = context.startOf?.(place.blockNumber);
    const prices = start === undefined ? null : priceRequests(block, start).prices;
    const priceOf = (event: VaultEvent) => prices?.get(event) ?? asked;
    for (const transaction of groupConsecutive(block, ({ txHash }) => txHash)) {
      readTransaction(described(transaction, inForce(asked)), priceOf);
    }
    if (queue.by === 'requests') keepRequests(queue.requests, place);
    for (const [wallet, pendingRedeem] of book?.changes() ?? []) {
      found.queues.push({ wallet, place, queue: { ...NOTHING_QUEUED, pendingRedeem } });
    }
    if (reported !== null) settleReported(reported, block, inForce(priceOf(block[0]!)));
    if (asked) lastPrice = asked;
  }

  function readTransaction(
    events: readonly VaultEvent[],
    priceOf: (event: VaultEvent) => Ratio | null | undefined,
  ): void {
    const last = events.at(-1);
    // Settling or moving changes only the requests; no shares move.
    if (last === undefined) return;
    movements.setTransaction(last.txHash);
    const transaction: Priced[] = [];
    for (const event of events) {
      transaction.push({ event, price: inForce(priceOf(event)) });
      takeDown(event);
    }
    const pairs = pairTransfers(events);
    play(transaction, pairs);
    addHistory(found.history, { transaction, pairs, accounts, byTransfers: book !== null });
    if (queue.by !== 'calls') flows.settle(last.place);
  }

  function settleReported(
    queues: ReportedQueues,
    block: readonly VaultEvent[],
    price: Ratio | null,
  ): void {
    const { place } = block.at(-1)!;
    const isOnly = block.every(({ txHash }) => txHash === block[0]!.txHash);
    movements.setTransaction(isOnly ? block[0]!.txHash : null);
    const after = queues.after();
    const credited = flows.settle(place, after && { before, after, price });
    for (const [wallet, now] of queues.end(credited)) {
      found.queues.push({ wallet, place, queue: now });
    }
  }

  function inForce(read: Ratio | null | undefined): Ratio | null {
    return read === undefined ? lastPrice : read;
  }

  /** Interprets the described events of a transaction. */
  function described(events: readonly VaultEvent[], price: Ratio | null): readonly VaultEvent[] {
    if (queue.by !== 'requests') return events;
    return readFlows(events, { book: queue.requests, trust: queue.trust, accounts, price });
  }

  function keepRequests(book: RequestBook, place: LogPlace): void {
    const { requests, queues } = book.changes();
    for (const request of requests) found.requests.push({ place, request });
    for (const [wallet, queue] of queues) found.queues.push({ wallet, place, queue });
  }

  function takeDown(event: VaultEvent): void {
    const { place } = event;
    if (event.kind === 'pool') found.pools.push({ place, pool: event });
    if (event.kind === 'deposit-request') found.depositRequests.push(event);
    if (event.kind !== 'share-price') return;
    lastPrice = ratioOfPrice(event.price, context.shareDecimals);
    found.sharePrices.push({ place, price: event.price });
  }
}

/** Groups consecutive items with the same key. */
function groupConsecutive<T>(items: readonly T[], key: (item: T) => unknown): (readonly T[])[] {
  const groups: T[][] = [];
  let last: T[] = [];
  let lastKey: unknown;
  for (const item of items) {
    const its = key(item);
    if (last.length === 0 || its !== lastKey) {
      last = [];
      lastKey = its;
      groups.push(last);
    }
    last.push(item);
  }
  return groups;
}
