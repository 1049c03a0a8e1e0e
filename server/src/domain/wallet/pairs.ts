import { type Address, ZERO_ADDRESS } from '../hex.ts';
import type { EventOf, VaultEvent } from '../vault/event.ts';

type Transfer = EventOf<'transfer'>;

/** Which mint a deposit speaks of, and which burn an exit: the events name amounts, transfers say whose shares. */
export interface Pairs {
  transferOf(event: EventOf<'deposit' | 'withdraw'>): Transfer | undefined;
  isPaired(transfer: Transfer): boolean;
}

/** Within one transaction. An event's own address wins where it agrees; else the amount tells. */
export function pairTransfers(events: readonly VaultEvent[]): Pairs {
  const found = new Map<VaultEvent, Transfer>();
  const taken = new Set<Transfer>();
  for (const event of events) {
    if (event.kind !== 'deposit' && event.kind !== 'withdraw') continue;
    const isOne = event.kind === 'deposit' ? isMint : isBurn;
    const holder = event.kind === 'deposit' ? minted : burned;
    const free = events.filter((one): one is Transfer => isOne(one) && !taken.has(one));
    const transfer =
      free.find((one) => holder(one) === event.owner && one.shares === event.shares) ??
      free.find((one) => one.shares === event.shares) ??
      free.find((one) => holder(one) === event.owner);
    if (transfer === undefined) continue;
    found.set(event, transfer);
    taken.add(transfer);
  }
  return {
    transferOf: (event) => found.get(event),
    isPaired: (transfer) => taken.has(transfer),
  };
}

function isMint(event: VaultEvent): event is Transfer {
  return event.kind === 'transfer' && event.from === ZERO_ADDRESS && event.to !== ZERO_ADDRESS;
}

function isBurn(event: VaultEvent): event is Transfer {
  return event.kind === 'transfer' && event.to === ZERO_ADDRESS && event.from !== ZERO_ADDRESS;
}

function minted({ to }: Transfer): Address {
  return to;
}

function burned({ from }: Transfer): Address {
  return from;
}
