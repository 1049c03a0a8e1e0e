import type { Address, Hex } from '../hex.ts';
import type { EventOf, VaultEvent } from './event.ts';
import { type Ratio, worthOf } from './ratio.ts';

type Flow = EventOf<'flow'>;
type Transfer = EventOf<'transfer'>;

/** So often an event must not fit, and never fit, before its description is not believed any more. */
const MAX_MISFITS = 3;
/** Of so few units rounding may take a large part. */
const MIN_UNITS = 10_000n;
/** For so many events of a stretch that is not believed yet the price of their block is asked. */
const MAX_QUESTIONS = 12;

/** In place of an event: a payment, or the holding of a wrapper, that confirms the rate. */
export const RATE_FIT = 'rate';

/** Whether an event fitted the shares that moved with it. */
export interface FlowFit {
  readonly contract: Address;
  /** As described in the file. */
  readonly event: string;
  readonly blockNumber: number;
  readonly txHash: Hex;
  readonly fits: boolean;
}

/** Whether events fit the shares that move beside them: a field that means something else never does. */
export interface FlowTrust {
  /** An event with the shares that it speaks of, in a transaction with these transfers. */
  note(
    flow: Flow,
    shares: bigint | null,
    transfers: readonly Transfer[],
    price: Ratio | null,
  ): void;
  /** An event that ends, settles, or moves requests, with those that it names. */
  noteEnded(flow: Flow, ended: Ended, price: Ratio | null): void;
  /** For which events of a stretch the price must be asked, because only that proves their amounts. */
  asking(): (flow: Flow) => boolean;
  /** The event that never fits, as the file has it; null while all do. */
  doubted(): string | null;
  /** Whether a payment was about what its shares are worth at the rate, or a wrapper held that. */
  isRateProven(): boolean;
  /** The token of a wrapper, with what it holds and what all its shares are worth after an event. */
  noteHolding(token: Address, holding: Holding, event: Pick<VaultEvent, 'place' | 'txHash'>): void;
  /** What was found since the last call. */
  take(): readonly FlowFit[];
}

export interface Holding {
  readonly held: bigint;
  readonly worth: bigint;
  /** The same at the inverse rate. */
  readonly inverse: bigint;
}

/** The requests that an event names. */
export interface Ended {
  readonly shares: bigint;
  /** The amount that was promised for these shares; null if none was. */
  readonly promised: bigint | null;
  /** Whether the event names more shares than the requests have. */
  readonly isTooMuch: boolean;
}

/** `known`: what was found before. */
export function createFlowTrust(known: readonly FlowFit[] = []): FlowTrust {
  const misfits = new Map<string, { readonly event: string; readonly count: number }>();
  const trusted = new Set<string>();
  let found: FlowFit[] = [];
  let isRateProven = false;
  for (const fit of known) count(fit);
  return {
    note(flow, shares, transfers, price) {
      const moved = shares !== null && transfers.some((one) => one.shares === shares);
      if (moved) proveRate(flow, shares, price);
      if (trusted.has(keyOf(flow))) return;
      record(flow, moved ? isWorth(flow, shares, price) : false);
    },
    noteEnded(flow, ended, price) {
      if (!ended.isTooMuch) proveRate(flow, ended.shares, price);
      if (trusted.has(keyOf(flow))) return;
      const isKnown = ended.shares > 0n && !ended.isTooMuch;
      record(flow, isKnown ? isOwed(flow, ended, price) : false);
    },
    noteHolding(contract, holding, { place, txHash }) {
      if (isRateProven || !isHeld(holding)) return;
      const fit = { contract, event: RATE_FIT, blockNumber: place.blockNumber, txHash, fits: true };
      found.push(fit);
      count(fit);
    },
    asking() {
      const asked = new Map<string, number>();
      return (flow) => {
        const [key, isTrade] = [keyOf(flow), flow.action === 'deposit' || flow.action === 'exit'];
        const before = asked.get(key) ?? 0;
        if (!isTrade || trusted.has(key) || before >= MAX_QUESTIONS) return false;
        asked.set(key, before + 1);
        return true;
      };
    },
    doubted() {
      for (const [key, { event, count }] of misfits) {
        if (count >= MAX_MISFITS && !trusted.has(key)) return event;
      }
      return null;
    },
    isRateProven: () => isRateProven,
    take() {
      const taken = found;
      found = [];
      return taken;
    },
  };

  function record({ contract, event, place, txHash }: Flow, fits: boolean | null): void {
    if (fits === null) return;
    const fit = { contract, event, blockNumber: place.blockNumber, txHash, fits };
    found.push(fit);
    count(fit);
  }

  function proveRate(flow: Flow, shares: bigint, price: Ratio | null): void {
    if (isRateProven || flow.assets === null || isWorth(flow, shares, price) !== true) return;
    record({ ...flow, event: RATE_FIT }, true);
  }

  function count(fit: FlowFit): void {
    if (fit.event === RATE_FIT) isRateProven = true;
    const key = keyOf(fit);
    if (fit.fits) trusted.add(key);
    else misfits.set(key, { event: fit.event, count: (misfits.get(key)?.count ?? 0) + 1 });
  }
}

/** Contracts may share the signature of an event, each with its own meaning. */
function keyOf({ contract, event }: Pick<FlowFit, 'contract' | 'event'>): string {
  return `${contract} ${event}`;
}

/**
 * Within a factor of two: fees and a rate of the same block are far below, a wrong field or wrong decimals beyond. Null
 * where nothing shows it: then the event is neither believed nor doubted.
 */
function isWorth({ assets, foreign }: Flow, shares: bigint, price: Ratio | null): boolean | null {
  if (foreign) return null;
  if (assets === null) return true;
  if (price === null || shares < MIN_UNITS || assets < MIN_UNITS) return null;
  return isAbout(assets, worthOf(shares, price));
}

/** A request is paid what it was promised, or what its shares are worth by then. */
function isOwed(
  { assets, foreign }: Flow,
  { shares, promised }: Ended,
  price: Ratio | null,
): boolean | null {
  if (foreign || assets === null) return true;
  if (shares < MIN_UNITS || assets < MIN_UNITS) return null;
  const due = [promised, price === null ? null : worthOf(shares, price)].filter(
    (one) => one !== null,
  );
  return due.length === 0 ? null : due.some((one) => isAbout(assets, one));
}

/** While the rate is about 1, as at first, what a wrapper holds does not tell it from its inverse. */
function isHeld({ held, worth, inverse }: Holding): boolean {
  return held >= MIN_UNITS && isNear(held, worth) && !isNear(held, inverse);
}

/** Within 0.1 percent: a wrapper holds what its shares are worth, and donations. */
function isNear(held: bigint, worth: bigint): boolean {
  const off = held > worth ? held - worth : worth - held;
  return off * 1_000n <= worth;
}

function isAbout(assets: bigint, worth: bigint): boolean {
  return assets <= 2n * worth && worth <= 2n * assets;
}
