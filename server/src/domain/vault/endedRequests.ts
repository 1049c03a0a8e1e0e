import { ZERO_ADDRESS } from '../hex.ts';
import { isSystemAccount } from '../wallet/accounts.ts';
import type { EventOf } from './event.ts';
import type { FlowContext } from './flows.ts';
import type { Named, RedeemRequest } from './requestBook.ts';
import { type Part, partOf, sharesOf, sumOf } from './requestParts.ts';

type Flow = EventOf<'flow'>;
type Transfer = EventOf<'transfer'>;

/** Finds the requests that an event ends. */
export interface EndedRequests {
  endedBy(flow: Flow): Part[];
  /** Compares an event with the requests that it ends. */
  noteEnded(flow: Flow, parts: readonly Part[]): void;
  isTooMuch(shares: bigint, known: bigint): boolean;
}

const MAX_ID = (1n << 256n) - 1n;

/** `transfers` are those of the transaction; `taken` are those that an event was found for, and are added to. */
export function createEndedRequests(
  { book, trust, accounts, price }: FlowContext,
  transfers: readonly Transfer[],
  taken: Set<Transfer>,
): EndedRequests {
  return { endedBy, noteEnded, isTooMuch };

  /** Shares that moved beside the event show that the rest of its shares was a fee, which was never queued. */
  function isTooMuch(shares: bigint, known: bigint): boolean {
    return shares > known && !transfers.some((one) => one.shares === known);
  }

  function endedBy(flow: Flow): Part[] {
    const parts = partsOf(flow);
    noteEnded(flow, parts);
    return parts;
  }

  /** An event of no shares says nothing, and neither does a settlement while nothing waits. */
  function noteEnded(flow: Flow, parts: readonly Part[]): void {
    if (trust === undefined || flow.shares === 0n) return;
    const known = sharesOf(parts);
    const mayBeEmpty = flow.action === 'settle' && flow.shares === null && known === 0n;
    if (mayBeEmpty && !hasPending(flow)) return;
    const promised = sumOf(parts.map(({ request, shares }) => partOf(request, shares)));
    const tooMuch = flow.shares !== null && isTooMuch(flow.shares, known);
    trust.noteEnded(flow, { shares: known, promised, isTooMuch: tooMuch }, price);
  }

  function hasPending({ contract }: Flow): boolean {
    const all = book.find({ contract, id: 0n, idTo: MAX_ID, wallet: null });
    return all.some(({ settled }) => !settled);
  }

  /** Which shares of which requests the event ends: those it names, those of the transfers next to it, or all. */
  function partsOf(flow: Flow): Part[] {
    const found = book.find(namedBy(flow));
    const settled = found.filter((one) => one.settled);
    const isNumbered = flow.id !== null || flow.ids !== undefined;
    const paid = isNumbered || flow.action !== 'claim' ? undefined : paidBy(flow, found);
    if (paid !== undefined) return paid.map((request) => ({ request, shares: request.shares }));
    let left = flow.shares ?? movedBeside(flow, isNumbered, found);
    // An unsettled request is not paid yet if another one is settled.
    const isPaid = flow.action === 'claim' && !isNumbered && left === null && settled.length > 0;
    const requests = isPaid ? settled : [...settled, ...found.filter((one) => !one.settled)];
    const parts: Part[] = [];
    for (const request of requests) {
      const shares = left === null || left > request.shares ? request.shares : left;
      if (left !== null) left -= shares;
      if (shares > 0n) parts.push({ request, shares });
    }
    return parts;
  }

  /** Returns the shares if the event has none: those that custody burns for a claim, or returns for a cancellation. */
  function movedBeside(
    flow: Flow,
    isNumbered: boolean,
    requests: readonly RedeemRequest[],
  ): bigint | null {
    const { action, owner, receiver } = flow;
    const isBurn = ({ from, to }: Transfer) =>
      to === ZERO_ADDRESS && isSystemAccount(accounts, from);
    const wallets = [owner, receiver, ...requests.map(({ wallet }) => wallet)];
    const isReturn = ({ from, to }: Transfer) =>
      isSystemAccount(accounts, from) && wallets.includes(to);
    if (action !== 'cancel' && (action !== 'claim' || isNumbered)) return null;
    const all = requests.reduce((sum, { shares }) => sum + shares, 0n);
    const moved = transfers.filter(
      (one) => !taken.has(one) && (action === 'claim' ? isBurn(one) : isReturn(one)),
    );
    // Of several transfers, take the one with the total, as when a wallet cancels two requests at once. A mint to the
    // wallet may belong to a deposit.
    const transfer =
      moved.find(({ shares }) => isNumbered && shares === all) ??
      moved.find(({ from, shares }) => from !== ZERO_ADDRESS && (!isNumbered || shares < all));
    if (transfer === undefined) return null;
    taken.add(transfer);
    return transfer.shares;
  }
}

/**
 * The requests in a row whose promised amounts add up to the payment of a claim that names neither numbers nor shares.
 * The shares burned beside it may be those of several such claims.
 */
function paidBy(
  { shares, assets }: Flow,
  requests: readonly RedeemRequest[],
): readonly RedeemRequest[] | undefined {
  if (shares !== null || assets === null) return undefined;
  for (const first of requests.keys()) {
    let sum: bigint | null = 0n;
    for (let last = first; last < requests.length && sum !== null && sum < assets; last++) {
      const promised = requests[last]!.assets;
      sum = promised === null ? null : sum + promised;
      if (sum === assets) return requests.slice(first, last + 1);
    }
  }
  return undefined;
}

export function namedBy({ action, contract, id, idTo, ids, owner, receiver }: Flow): Named {
  return { contract, id, idTo: action === 'move' ? null : idTo, ids, wallet: owner ?? receiver };
}
