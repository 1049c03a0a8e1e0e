import { groupBy } from '../../domain/groupBy.ts';
import { type Address, ZERO_ADDRESS } from '../../domain/hex.ts';
import type { VaultEvent } from '../../domain/vault/event.ts';
import type { BlockStart } from '../../domain/vault/fixedRequest.ts';
import { needsPrice } from '../../domain/vault/history.ts';
import type { QueueRow } from '../../domain/vault/interpret.ts';
import { isOpen, NOTHING_QUEUED, type WalletQueue } from '../../domain/vault/queue.ts';
import type { Ratio } from '../../domain/vault/ratio.ts';
import { type Accounts, isSystemAccount, isWallet } from '../../domain/wallet/accounts.ts';
import {
  NO_IDS,
  type QueueTotals,
  type RequestIds,
  type VaultKind,
  type Waiter,
} from '../../vaults/kind.ts';
import { toStoredQueue } from '../../vaults/walletQueue.ts';
import type { BlockAnswer, BlockQuestion } from './blockReads.ts';
import type { StoredSource } from './storedSource.ts';

/** Minimum interval of reads while deposits are pending, equal to the default tick interval. */
const LOOK_SECONDS = 300;

/** Tracks which wallets have pending requests, and so may be affected by the logs of a block. */
export interface QueueWatch {
  /** The last known queues, by wallet. */
  readonly held: Map<Address, WalletQueue>;
  /** Whether deposits are pending and were not read for a while: they can be settled by time alone. */
  isDue(time: number, events: readonly VaultEvent[]): boolean;
  /** Returns what to read at the blocks of these events. */
  questionsOf(
    events: readonly VaultEvent[],
    kind: VaultKind,
    accounts: Accounts,
    asks?: (event: VaultEvent) => boolean,
  ): BlockQuestion[];
  /** Returns the results to store, by block. */
  keep(answers: readonly BlockAnswer[]): ReadonlyMap<number, KeptAnswer>;
  /** Applies results to the queues. */
  settle(rows: readonly QueueRow[]): void;
  /** Totals across wallets at a block that was applied. */
  totalsAt(block: number): QueueTotals;
  /** Wallets with pending requests after all applied blocks. */
  waiters(): Waiter[];
}

export interface KeptAnswer {
  readonly price: Ratio | null | undefined;
  readonly start: BlockStart | undefined;
  readonly queues: ReadonlyMap<Address, WalletQueue>;
}

export function createQueueWatch({
  queues,
  requestIds,
}: Pick<StoredSource, 'queues' | 'requestIds'>): QueueWatch {
  const held = new Map(queues.map(({ wallet, queue }) => [wallet, queue]));
  const counted = new Map(held);
  const ids = new Map<Address, RequestIds>();
  for (const { wallet, side, requestId } of requestIds) addId(wallet, side, requestId);
  const totals = [{ block: -1, ...sumOf(held.values()) }];
  let lastLook = 0;

  return {
    held,
    isDue(time, events) {
      if (time - lastLook < LOOK_SECONDS) return false;
      const waits =
        events.some(({ kind }) => kind === 'deposit-request') ||
        [...held.values()].some((one) => one.pendingDeposit + one.pendingFurther > 0n);
      if (waits) lastLook = time;
      return waits;
    },
    questionsOf(events, kind, accounts, asks = needsPrice) {
      const watched = new Set(
        [...held].flatMap(([wallet, queue]) => (isOpen(queue) ? wallet : [])),
      );
      const questions: BlockQuestion[] = [];
      for (const [block, own] of groupBy(events, ({ place }) => place.blockNumber)) {
        if (kind.queue === 'calls') for (const event of own) noteId(event);
        const named = kind.queue === 'calls' ? own.flatMap(walletsIn).filter(isOne) : [];
        for (const wallet of named) watched.add(wallet);
        const all =
          kind.queue === 'calls' && own.some((event) => maySettle(event, accounts, named));
        const asked = [...(all ? watched : new Set(named))];
        const price = asked.length > 0 || own.some(asks);
        if (!price) continue;
        const wallets = asked.map((wallet) => ({ wallet, ids: idsOf(wallet) }));
        const start = kind.queue === 'calls' && own.some(isRequest);
        const time = own[0]!.place.blockTime;
        questions.push({ block, time, price, start, wallets });
      }
      return questions;

      function isOne(address: Address): boolean {
        return isWallet(accounts, address);
      }
    },
    keep(answers) {
      const before = new Map(held);
      const kept = new Map<number, KeptAnswer>();
      for (const { block, price, start, queues } of answers) {
        const own = new Map<Address, WalletQueue>();
        for (const [wallet, { parts, openIds }] of queues) {
          const queue = toStoredQueue(parts, before.get(wallet) ?? NOTHING_QUEUED);
          before.set(wallet, queue);
          own.set(wallet, queue);
          ids.set(wallet, openIds);
        }
        kept.set(block, { price, start, queues: own });
      }
      return kept;
    },
    settle(rows) {
      let last = totals.at(-1)!;
      for (const { wallet, place, queue } of rows) {
        const before = counted.get(wallet) ?? NOTHING_QUEUED;
        last = { block: place.blockNumber, ...changed(last, before, queue) };
        if (totals.at(-1)!.block === last.block) totals.pop();
        totals.push(last);
        if (isOpen(queue)) counted.set(wallet, queue);
        else counted.delete(wallet);
      }
      for (const [wallet, queue] of held) if (!isOpen(queue)) held.delete(wallet);
    },
    waiters: () => [...counted.keys()].map((wallet) => ({ wallet, ids: idsOf(wallet) })),
    totalsAt: (block) => totals.findLast((one) => one.block <= block) ?? totals[0]!,
  };

  function idsOf(wallet: Address): RequestIds {
    return ids.get(wallet) ?? NO_IDS;
  }

  /** Request ids of additional vaults are independent, so those vaults are read under their aggregate id. */
  function noteId(event: VaultEvent): void {
    if (event.vault !== undefined) return;
    if (event.kind === 'redeem-request' && event.requestId !== undefined) {
      addId(event.receiver, 'redeem', event.requestId);
    }
    if (event.kind === 'deposit-request' && event.requestId !== undefined) {
      addId(event.controller, 'deposit', event.requestId);
    }
  }

  function addId(wallet: Address, side: 'redeem' | 'deposit', id: bigint): void {
    const known = idsOf(wallet);
    if (known[side].includes(id)) return;
    ids.set(wallet, { ...known, [side]: [...known[side], id] });
  }
}

/** Whether the vault settles: it emits an event that is not a wallet's, or mints or burns shares. */
function maySettle(event: VaultEvent, accounts: Accounts, named: readonly Address[]): boolean {
  if (event.kind === 'other') return true;
  if (event.kind !== 'transfer') return false;
  if (event.from === ZERO_ADDRESS) return !named.includes(event.to);
  return event.to === ZERO_ADDRESS && isSystemAccount(accounts, event.from);
}

function isRequest({ kind }: VaultEvent): boolean {
  return kind === 'redeem-request';
}

function walletsIn(event: VaultEvent): Address[] {
  switch (event.kind) {
    case 'deposit':
      return [event.sender, event.owner];
    case 'withdraw':
      return [event.owner];
    case 'redeem-request':
      return [event.receiver];
    case 'cancel':
      return [event.receiver, event.controller ?? event.receiver];
    case 'deposit-request':
      return [event.controller];
    default:
      return [];
  }
}

function sumOf(queues: Iterable<WalletQueue>): QueueTotals {
  const nothing = {
    ...{ pendingShares: 0n, claimableAssets: 0n },
    ...{ pendingDeposits: 0n, claimableDeposits: 0n },
  };
  return [...queues].reduce<QueueTotals>(
    (totals, queue) => changed(totals, NOTHING_QUEUED, queue),
    nothing,
  );
}

/** Returns the totals after one wallet's queue has changed. */
function changed(totals: QueueTotals, before: WalletQueue, now: WalletQueue): QueueTotals {
  return {
    pendingShares: totals.pendingShares + now.pendingRedeem - before.pendingRedeem,
    claimableAssets:
      totals.claimableAssets + now.claimableRedeemAssets - before.claimableRedeemAssets,
    pendingDeposits: totals.pendingDeposits + now.pendingDeposit - before.pendingDeposit,
    claimableDeposits:
      totals.claimableDeposits + (now.depositAssets ?? 0n) - (before.depositAssets ?? 0n),
  };
}
