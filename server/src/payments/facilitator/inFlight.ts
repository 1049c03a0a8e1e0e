import type { Address, Hex } from '../../domain/hex.ts';
import { PrefixSums } from '../../domain/prefixSums.ts';
import type { Authorization } from '../authorization/payment.ts';
import { createPayerLine, type PayerLine } from './payerLine.ts';

/** A payer's payments from verification to their result: its balance covers them in order of arrival. */
export interface InFlight {
  enter(authorization: Authorization): Position;
  /** Whether the maximum number of a payer's payments wait for others. */
  isFull(payer: Address): boolean;
}

/** A payment's position behind the earlier ones of its payer. */
export interface Position {
  before(): Preceding;
  /**
   * Waits in the payer's queue, until a time by performance.now, and returns whether another attempt is worthwhile.
   * Payments wake in order: those that need room while `hasRoom`, those that need balance one at a time, after a
   * change.
   */
  change(
    since: Preceding,
    until: number,
    hasRoom?: (before: Preceding) => boolean,
  ): Promise<boolean>;
  /** The payment will be settled: if it waited for balance, the next one may proceed, too. */
  passed(): void;
  /** It takes nothing more from the balance, but keeps its position. */
  mined(): void;
  leave(): void;
}

/** Earlier authorizations that may still be charged. */
export interface Preceding {
  readonly count: number;
  readonly value: bigint;
  /** Number of changes in this lane so far. */
  readonly changes: number;
}

interface Entry {
  readonly authorization: Authorization;
  /** Index in the sums of its lane. */
  index: number;
}

/** Payments with one nonce: the chain accepts one of them, so the first in the lane counts for all. */
interface Copies {
  readonly entries: Set<Entry>;
  /** The amount that they may still take. */
  value: bigint;
  mined: boolean;
}

interface Lane {
  /** In order of arrival. */
  readonly entries: Set<Entry>;
  readonly copies: Map<Hex, Copies>;
  readonly line: PayerLine;
  sums: PrefixSums;
  /** No entry expires earlier. */
  firstEnd: bigint;
}

/** Seconds after its expiry for which an authorization counts: the chain's clock may be behind. */
const SLACK_SECONDS = 60;
/** New entries between two removals of abandoned lanes. */
const SWEEP_EVERY = 1_000;
/** Sums with fewer entries are not worth rebuilding. */
const MIN_REBUILT = 64;

export function createInFlight(
  /** Unix seconds. */
  now: () => number,
  /** Payments of one payer that may wait for others. */
  maxWaiting = Number.POSITIVE_INFINITY,
): InFlight {
  const lanes = new Map<Address, Lane>();
  let entered = 0;
  return {
    enter,
    isFull: (payer) => (lanes.get(payer)?.line.length ?? 0) >= maxWaiting,
  };

  function enter(authorization: Authorization): Position {
    const order = ++entered;
    if (order % SWEEP_EVERY === 0) sweep();
    const { from, nonce, validBefore } = authorization;
    const lane = lanes.get(from) ?? newLane();
    lanes.set(from, lane);
    const entry = append(lane, authorization);
    if (validBefore < lane.firstEnd) lane.firstEnd = validBefore;
    let waited = false;
    return { before, change, passed, mined, leave };

    function before(): Preceding {
      dropDead(lane);
      const at = lane.entries.has(entry) ? entry.index : lane.sums.length;
      const sum = lane.sums.before(at);
      const copies = lane.copies.get(nonce);
      const isCopy = copies !== undefined && firstOf(copies).index < at;
      return {
        count: isCopy ? sum.count - 1 : sum.count,
        value: isCopy ? sum.value - copies.value : sum.value,
        changes: lane.line.changes,
      };
    }

    async function change(
      since: Preceding,
      until: number,
      hasRoom?: (before: Preceding) => boolean,
    ): Promise<boolean> {
      const changed = await lane.line.wait({
        order,
        until,
        since: since.changes,
        ...(hasRoom && { isReady: () => hasRoom(before()) }),
      });
      waited ||= changed && hasRoom === undefined;
      return changed;
    }

    function passed(): void {
      if (waited) lane.line.changed();
      waited = false;
    }

    function mined(): void {
      const copies = lane.copies.get(nonce);
      if (copies !== undefined) {
        lane.sums.add(firstOf(copies).index, 0, -copies.value);
        copies.value = 0n;
        copies.mined = true;
      }
      lane.line.changed();
    }

    function leave(): void {
      if (!remove(lane, entry)) return;
      lane.line.changed();
      if (lane.entries.size === 0 && lanes.get(from) === lane) lanes.delete(from);
    }
  }

  function sweep(): void {
    for (const [payer, lane] of lanes) {
      dropDead(lane);
      if (lane.entries.size === 0) lanes.delete(payer);
    }
  }

  /** Removes entries that have expired and whose result was never reported. */
  function dropDead(lane: Lane): void {
    const dead = BigInt(now() - SLACK_SECONDS);
    if (lane.firstEnd > dead) return;
    let dropped = false;
    let firstEnd: bigint | undefined;
    for (const entry of [...lane.entries]) {
      const { validBefore } = entry.authorization;
      if (validBefore <= dead) dropped = remove(lane, entry);
      else if (firstEnd === undefined || validBefore < firstEnd) firstEnd = validBefore;
    }
    lane.firstEnd = firstEnd ?? NEVER;
    if (dropped) lane.line.changed();
  }
}

/** Above every `validBefore`. */
const NEVER = 2n ** 256n;

function newLane(): Lane {
  return {
    entries: new Set(),
    copies: new Map(),
    line: createPayerLine(),
    sums: new PrefixSums(),
    firstEnd: NEVER,
  };
}

function append(lane: Lane, authorization: Authorization): Entry {
  const { nonce, value } = authorization;
  const copies = lane.copies.get(nonce);
  const index = copies === undefined ? lane.sums.push(1, value) : lane.sums.push(0, 0n);
  const entry: Entry = { authorization, index };
  lane.entries.add(entry);
  if (copies === undefined) {
    lane.copies.set(nonce, { entries: new Set([entry]), value, mined: false });
    return entry;
  }
  copies.entries.add(entry);
  // Of two authorizations with one nonce, the larger one may be charged.
  if (!copies.mined && value > copies.value) {
    lane.sums.add(firstOf(copies).index, 0, value - copies.value);
    copies.value = value;
  }
  return entry;
}

function remove(lane: Lane, entry: Entry): boolean {
  if (!lane.entries.delete(entry)) return false;
  const { nonce } = entry.authorization;
  const copies = lane.copies.get(nonce)!;
  const wasFirst = firstOf(copies) === entry;
  copies.entries.delete(entry);
  if (wasFirst) {
    lane.sums.add(entry.index, -1, -copies.value);
    if (copies.entries.size === 0) lane.copies.delete(nonce);
    else lane.sums.add(firstOf(copies).index, 1, copies.value);
  }
  const { length } = lane.sums;
  if (length > MIN_REBUILT && length > 2 * lane.entries.size) rebuild(lane);
  return true;
}

/** Drops the entries that have left: a busy payer's lane may never be empty. */
function rebuild(lane: Lane): void {
  lane.sums = new PrefixSums();
  for (const entry of lane.entries) {
    const copies = lane.copies.get(entry.authorization.nonce)!;
    const counts = firstOf(copies) === entry;
    entry.index = counts ? lane.sums.push(1, copies.value) : lane.sums.push(0, 0n);
  }
}

function firstOf({ entries }: Copies): Entry {
  return entries.values().next().value!;
}
