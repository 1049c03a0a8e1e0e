import { ZERO_ADDRESS } from '../hex.ts';
import type { EventOf, VaultEvent } from '../vault/event.ts';

type Transfer = EventOf<'transfer'>;
type Named = EventOf<'deposit' | 'withdraw'>;

/** Which mint a deposit speaks of, and which burn an exit: the events name amounts, transfers say whose shares. */
export interface Pairs {
  transferOf(event: EventOf<'deposit' | 'withdraw'>): Transfer | undefined;
  isPaired(transfer: Transfer): boolean;
}

/** Within one transaction. An event's own address wins where it agrees; else the amount tells. */
export function pairTransfers(events: readonly VaultEvent[]): Pairs {
  // Most transactions only move shares, and this runs for every one.
  const named = events.filter(isNamed);
  if (named.length === 0) return NO_PAIRS;
  const found = new Map<VaultEvent, Transfer>();
  const taken = new Set<Transfer>();
  // Those that agree in all first: what is left over must not take what another means exactly.
  for (const fits of [isExact, isAmount, isHolder]) {
    if (found.size === named.length) break;
    for (const event of named) {
      if (found.has(event)) continue;
      const isOne = event.kind === 'deposit' ? isMint : isBurn;
      const transfer = events.find(
        (one): one is Transfer => isOne(one) && !taken.has(one) && fits(event, one),
      );
      if (transfer === undefined) continue;
      found.set(event, transfer);
      taken.add(transfer);
    }
  }
  return {
    transferOf: (event) => found.get(event),
    isPaired: (transfer) => taken.has(transfer),
  };
}

export const NO_PAIRS: Pairs = { transferOf: () => undefined, isPaired: () => false };

function isNamed(event: VaultEvent): event is Named {
  return event.kind === 'deposit' || event.kind === 'withdraw';
}

function isExact(event: Named, transfer: Transfer): boolean {
  return isAmount(event, transfer) && isHolder(event, transfer);
}

function isAmount(event: Named, { shares }: Transfer): boolean {
  return shares === event.shares;
}

function isHolder(event: Named, { from, to }: Transfer): boolean {
  return event.owner === (event.kind === 'deposit' ? to : from);
}

function isMint(event: VaultEvent): event is Transfer {
  return event.kind === 'transfer' && event.from === ZERO_ADDRESS && event.to !== ZERO_ADDRESS;
}

function isBurn(event: VaultEvent): event is Transfer {
  return event.kind === 'transfer' && event.to === ZERO_ADDRESS && event.from !== ZERO_ADDRESS;
}
