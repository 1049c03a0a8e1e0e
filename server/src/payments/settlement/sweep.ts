import { LEADS } from '../../store/leads.ts';
import { type FoundTransfer, foundPayments } from '../../store/payments/foundPayments.ts';
import type { Leadership, Store } from '../../store/store.ts';
import type { PaymentTerms } from '../authorization/payment.ts';
import type { AuthorizedTransfers, Use } from '../chain/authorizedTransfers.ts';
import type { FinalizedHead } from '../chain/finalizedHead.ts';
import type { PaymentChain } from '../chain/paymentChain.ts';
import { nameOf } from '../ledger/paymentName.ts';
import { repeat } from './repeat.ts';

/**
 * Compares the transfers to `payTo` made with authorizations to the ledger, and records for refund those that the
 * ledger does not have. One process does it, up to the newest final block.
 */
export interface Sweep {
  /** Runs a bounded part of what is due; undefined if another process does it. */
  run(): Promise<Swept | undefined>;
  /** Runs at once, and then every minute until stopped. */
  start(): void;
  stop(): Promise<void>;
}

export interface Swept {
  /** The newest block that was compared; null while nothing is final. */
  readonly to: number | null;
  /** How many payments were recorded. */
  readonly found: number;
}

const EVERY_MS = 60_000;
/** Blocks in one request, until an RPC endpoint requires fewer. */
const WIDTH = 2_000;
/** Ranges in one run; the rest waits for the next. */
const MAX_RANGES = 40;
/** Payments per run whose block a reorg removed. */
const MAX_UNCONFIRMED = 50;
/** Deeper than reorgs go: from this many blocks back, the chain is searched for a payment's current block. */
const REORG_BLOCKS = 256;

export function createSweep(deps: {
  readonly store: Store;
  readonly terms: PaymentTerms;
  readonly transfers: AuthorizedTransfers;
  readonly chain: Pick<PaymentChain, 'head' | 'getOnChainStatus'>;
  readonly finalizedHead: FinalizedHead;
  /** Unix seconds. */
  readonly now: () => number;
  /** Called with the number of recorded payments. */
  readonly onFound: (count: number) => void;
  readonly onError: (error: unknown) => void;
}): Sweep {
  const { store, terms, transfers, chain, now, onError } = deps;
  /** Narrower after an RPC endpoint required it. */
  let width = WIDTH;
  let turn: Promise<unknown> = Promise.resolve();
  let end: (() => Promise<void>) | undefined;

  return { run, start, stop: async () => end?.() };

  function start(): void {
    end = repeat(run, { everyMs: EVERY_MS, onError });
  }

  /** One run at a time. */
  function run(): Promise<Swept | undefined> {
    const next = turn.then(lead, lead);
    turn = next;
    return next;
  }

  async function lead(): Promise<Swept | undefined> {
    const leadership = await store.lead(LEADS.paymentSweep);
    if (leadership === undefined) return undefined;
    try {
      return await sweep(leadership);
    } finally {
      await leadership.release();
    }
  }

  async function sweep(leadership: Leadership): Promise<Swept> {
    const final = await deps.finalizedHead((await chain.head()).number);
    if (final < 0) return { to: null, found: 0 };
    let to = await foundPayments.findPosition(store, terms);
    if (to === undefined) {
      // Earlier payments are older than the sweep; every later payment is above.
      await leadership.transaction((tx) => foundPayments.move(tx, terms, final));
      return { to: final, found: 0 };
    }
    let found = 0;
    let ranges = 0;
    const range = { fromBlock: to + 1, toBlock: final, width };
    for await (const page of transfers.getUses(range)) {
      if (page.toBlock < final) width = Math.min(width, page.toBlock - page.fromBlock + 1);
      const done = await record(leadership, page);
      found += done.found;
      to = done.to;
      if (to < page.toBlock || ++ranges >= MAX_RANGES) break;
    }
    await confirmRest(leadership, to);
    return { to, found };
  }

  /** Payments and progress are written together, so that a kill in between changes nothing. */
  async function record(
    leadership: Leadership,
    { toBlock, uses }: { readonly toBlock: number; readonly uses: readonly Use[] },
  ): Promise<{ readonly found: number; readonly to: number }> {
    const unsettled = await findUnsettled(uses);
    const done = await leadership.transaction(async (tx) => {
      let [found, to] = [0, toBlock];
      if (unsettled.length > 0) {
        found = await foundPayments.record(tx, unsettled, { now: now(), finalAt: now() });
        // A request works on it: it may be released at any time, and is checked again then.
        const claimed = await foundPayments.findFirstClaimed(tx, unsettled);
        if (claimed !== null) to = claimed - 1;
      }
      await foundPayments.move(tx, terms, to);
      return { found, to };
    });
    if (done.found > 0) deps.onFound(done.found);
    return done;
  }

  async function findUnsettled(uses: readonly Use[]): Promise<readonly FoundTransfer[]> {
    if (uses.length === 0) return [];
    const { chainId, asset, payTo } = terms;
    const keys = uses.map(({ payer, nonce }) => ({ chainId, asset, payer, nonce }));
    const names = new Set((await foundPayments.getUnsettled(store, keys)).map(nameOf));
    const unsettled = uses.filter((_, i) => names.has(nameOf(keys[i]!)));
    const values = await transfers.getValues(unsettled);
    return unsettled.flatMap((use, i) => {
      const value = values[i]!;
      return value === null ? [] : [{ ...use, chainId, asset, payTo, value }];
    });
  }

  /** Checks payments that a request found in a block that a reorg removed. */
  async function confirmRest(leadership: Leadership, to: number): Promise<void> {
    const rest = await foundPayments.getUnconfirmed(store, terms, to, MAX_UNCONFIRMED);
    for (const transfer of rest) await confirm(leadership, transfer, to).catch(onError);
  }

  async function confirm(
    leadership: Leadership,
    transfer: FoundTransfer,
    to: number,
  ): Promise<void> {
    const { payer: from, payTo, value, nonce, blockNumber } = transfer;
    const authorization = { from, to: payTo, value, nonce, validAfter: 0n, validBefore: 0n };
    const use = await chain.getOnChainStatus(
      authorization,
      Math.max(0, blockNumber - REORG_BLOCKS),
    );
    if (use.status !== 'paid') {
      await leadership.transaction((tx) => foundPayments.takeBack(tx, transfer));
      return;
    }
    const at = { now: now(), finalAt: use.blockNumber <= to ? now() : null };
    const { transaction } = use;
    const found = { ...transfer, transaction, blockNumber: use.blockNumber };
    await leadership.transaction((tx) => foundPayments.record(tx, [found], at));
  }
}
