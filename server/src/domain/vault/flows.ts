import { mulDivDown } from '../amount.ts';
import { type Address, ZERO_ADDRESS } from '../hex.ts';
import type { LogPlace } from '../order.ts';
import { type Accounts, isSystemAccount } from '../wallet/accounts.ts';
import { pairTransfers } from '../wallet/pairs.ts';
import { createEndedRequests, namedBy } from './endedRequests.ts';
import type { EventOf, VaultEvent } from './event.ts';
import type { FlowTrust } from './flowTrust.ts';
import { type Ratio, worthOf } from './ratio.ts';
import type { RequestBook } from './requestBook.ts';
import { type Part, partOf, settledAt, sharesOf, sumOf } from './requestParts.ts';

type Flow = EventOf<'flow'>;
type Transfer = EventOf<'transfer'>;

export interface FlowContext {
  readonly book: RequestBook;
  readonly trust?: FlowTrust | undefined;
  readonly accounts: Accounts;
  /** At the end of the transaction's block. */
  readonly price: Ratio | null;
}

/** Interprets the described events of one transaction: which shares they are about, and how many. */
export function readFlows(all: readonly VaultEvent[], context: FlowContext): readonly VaultEvent[] {
  const { book, trust, accounts, price } = context;
  // Most transactions only transfer shares, and this runs for each of them.
  if (!all.some((event) => event.kind === 'flow' || isBought(event))) return all;
  const transfers = all.filter((event) => event.kind === 'transfer');
  const events = all.map((event) => (event.kind === 'flow' ? withoutFee(event, transfers) : event));
  const taken = takeNamed(events, transfers);
  const { endedBy, noteEnded, isTooMuch } = createEndedRequests(context, transfers, taken);
  const read = events.flatMap((event) => (event.kind === 'flow' ? meaningOf(event) : event));
  return withBought(read, accounts);

  function meaningOf(flow: Flow): VaultEvent[] {
    switch (flow.action) {
      case 'deposit':
      case 'exit': {
        // Shares that only pass through a gateway belong to another wallet, and another event contains their payment.
        if (flow.owner !== null && accounts.routers.has(flow.owner)) return [];
        const [trade] = tradeOf(flow, transfers, taken);
        trust?.note(flow, trade?.shares ?? null, transfers, price);
        return trade === undefined ? [] : [trade];
      }
      case 'request':
        trust?.note(flow, flow.shares, transfers, price);
        return [requestOf(flow)];
      case 'cancel':
        return endedBy(flow).map((part) => cancelOf(flow, part));
      case 'settle':
        settle(flow);
        return [];
      case 'claim':
        return claimsOf(flow);
      case 'move':
        for (const { request, shares } of endedBy(flow)) {
          const part = { assets: partOf(request, shares), shares, id: flow.idTo! };
          book.take(request, shares);
          book.add({ ...request, ...part });
        }
        return [];
    }
  }

  function requestOf(flow: Flow): VaultEvent {
    const { place, txHash, assets, id } = flow;
    const wallet = (flow.receiver ?? flow.owner)!;
    const shares = flow.shares!;
    const number = id ?? (assets === null ? 0n : orderOf(place));
    book.add({ contract: flow.contract, id: number, wallet, shares, assets, settled: false });
    const event = { place, txHash, receiver: wallet, owner: flow.owner ?? wallet, assets, shares };
    return { kind: 'redeem-request', ...event, ...(id !== null && { requestId: id }) };
  }

  function settle(flow: Flow): void {
    const requests = book.find(namedBy(flow)).filter((one) => !one.settled);
    noteEnded(
      flow,
      requests.map((request) => ({ request, shares: request.shares })),
    );
    const paid = settledAt(flow, requests);
    for (const [i, request] of requests.entries()) {
      const worth = () => (price === null ? null : worthOf(request.shares, price));
      book.settle(request, paid[i] ?? worth());
    }
  }

  function cancelOf(flow: Flow, { request, shares }: Part): VaultEvent {
    const { place, txHash, assets } = flow;
    book.take(request, shares);
    return { kind: 'cancel', place, txHash, receiver: request.wallet, assets, shares };
  }

  function claimsOf(flow: Flow): VaultEvent[] {
    const { place, txHash } = flow;
    const parts = endedBy(flow);
    const own = parts.map(({ request, shares }) => partOf(request, shares));
    // Each request gets its settled or promised amount, or a part of the total by shares if that is unknown.
    const isPromised = flow.assets !== null && sumOf(own) === flow.assets;
    const isKnown = parts.every(
      ({ request }, i) => (request.settled || isPromised) && own[i]! > 0n,
    );
    const weights = isKnown ? (own as bigint[]) : parts.map(({ shares }) => shares);
    let [unpaid, left] = [paidFor(flow, parts), weights.reduce((sum, one) => sum + one, 0n)];
    return parts.map(({ request, shares }, i) => {
      const { wallet } = request;
      const part = left === 0n ? 0n : mulDivDown(unpaid ?? 0n, weights[i]!, left);
      const assets = unpaid === null ? own[i]! : part;
      if (unpaid !== null) unpaid -= part;
      left -= weights[i]!;
      book.take(request, shares);
      const receiver = flow.receiver ?? wallet;
      return { kind: 'withdraw', place, txHash, receiver, owner: wallet, assets, shares };
    });
  }

  /** The part of the payment that is for known requests, if the event names more shares than they have. */
  function paidFor({ assets, shares }: Flow, parts: readonly Part[]): bigint | null {
    const known = sharesOf(parts);
    if (assets === null || shares === null || !isTooMuch(shares, known)) return assets;
    return mulDivDown(assets, known, shares);
  }
}

/** Requests without a number are kept apart, in their order, if each has a promised amount of its own. */
function orderOf({ blockNumber, logIndex }: LogPlace): bigint {
  return BigInt(blockNumber) * 2n ** 32n + BigInt(logIndex);
}

/** Adds the transfer of a fee in shares, which is part of the event's shares but goes to another account. */
function withoutFee(flow: Flow, transfers: readonly Transfer[]): Flow {
  const { shares, fee } = flow;
  if (!fee || shares === null || transfers.some((one) => one.shares === shares)) return flow;
  const isLess = transfers.some((one) => one.shares === shares - fee);
  return isLess ? { ...flow, shares: shares - fee } : flow;
}

/** Removes transfers that match a deposit or withdrawal exactly, so that no other event uses them. */
function takeNamed(events: readonly VaultEvent[], transfers: readonly Transfer[]): Set<Transfer> {
  const taken = new Set<Transfer>();
  for (const event of events) {
    if (event.kind !== 'flow' || event.shares === null || !isTrade(event)) continue;
    const transfer = transfers.find(
      (one) => !taken.has(one) && isOf(event, one) && one.shares === event.shares,
    );
    if (transfer !== undefined) taken.add(transfer);
  }
  return taken;
}

/** Takes missing values from the shares minted or burned next to the event; returns nothing if there are none. */
function tradeOf(
  flow: Flow,
  transfers: readonly Transfer[],
  taken: Set<Transfer>,
): EventOf<'deposit' | 'withdraw'>[] {
  const { place, txHash, assets } = flow;
  let [shares, owner] = [flow.shares, flow.owner ?? flow.receiver];
  if (shares === null || owner === null) {
    const beside = transfers.find(
      (one) => isOf(flow, one) && (shares === null ? !taken.has(one) : one.shares === shares),
    );
    if (beside === undefined) return [];
    taken.add(beside);
    shares = beside.shares;
    owner ??= flow.action === 'deposit' ? beside.to : beside.from;
  }
  const event = { place, txHash, owner, assets, shares };
  return flow.action === 'deposit'
    ? [{ kind: 'deposit', ...event, sender: owner }]
    : [{ kind: 'withdraw', ...event, receiver: flow.receiver ?? owner }];
}

function isTrade({ action }: Flow): boolean {
  return action === 'deposit' || action === 'exit';
}

/** Whether a transfer mints or burns shares of the wallet that the event names. */
function isOf(flow: Flow, { from, to }: Transfer): boolean {
  const owner = flow.action === 'deposit' ? (flow.owner ?? flow.receiver) : flow.owner;
  if (flow.action === 'deposit') return from === ZERO_ADDRESS && (owner === null || owner === to);
  return to === ZERO_ADDRESS && (owner === null || owner === from);
}

function isBought(event: VaultEvent): event is Transfer {
  return event.kind === 'transfer' && event.bought === true;
}

/** Adds deposits and withdrawals that appear only as minted or burned shares. */
function withBought(events: readonly VaultEvent[], accounts: Accounts): readonly VaultEvent[] {
  if (!events.some(isBought)) return events;
  const pairs = pairTransfers(events);
  return events.flatMap((event): VaultEvent[] => {
    if (!isBought(event) || pairs.isPaired(event) || isOfQueue(event)) return [event];
    const { place, txHash, from, to, shares } = event;
    const named = { place, txHash, assets: null, shares };
    const holder: Address = from === ZERO_ADDRESS ? to : from;
    if (isSystemAccount(accounts, holder)) return [event];
    return from === ZERO_ADDRESS
      ? [event, { kind: 'deposit', ...named, sender: holder, owner: holder }]
      : [event, { kind: 'withdraw', ...named, receiver: holder, owner: holder }];
  });

  /** Some queues burn the shares of a request, and mint them again on cancellation. */
  function isOfQueue({ from, to, shares }: Transfer): boolean {
    return events.some(
      (one) =>
        (one.kind === 'redeem-request' && one.owner === from && one.shares === shares) ||
        (one.kind === 'cancel' && one.receiver === to && one.shares === shares),
    );
  }
}
