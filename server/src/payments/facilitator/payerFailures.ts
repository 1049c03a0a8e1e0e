import { BoundedMap } from '../../domain/boundedMap.ts';
import type { Address } from '../../domain/hex.ts';

/** The failed settlements that payers caused: each makes its payer wait, longer each time. */
export interface PayerFailures {
  add(payer: Address, at: number): void;
  /** Whether it caused one that is not forgotten yet. */
  has(payer: Address): boolean;
  /** Returns for how many seconds it still waits; not positive if it does not. */
  secondsLeft(payer: Address): number;
  /** How many payers wait. */
  countWaiting(): number;
}

/** How long a payer waits after its first failure, and at most. */
export interface FailureWaits {
  readonly waitSeconds: number;
  readonly maxWaitSeconds: number;
}

/** Each failure multiplies the wait by this, until the earlier ones are forgotten. */
const GROWTH = 4;
const FORGET_SECONDS = 86_400;
const MAX_FAILURES = 16;

export function createPayerFailures(
  /** Absent: no payer waits. */
  waits: FailureWaits | undefined,
  options: { readonly maxPayers: number /** Unix seconds. */; readonly now: () => number },
): PayerFailures {
  const { maxPayers, now } = options;
  /** Times of failed settlements. */
  const failures = new BoundedMap<Address, number[]>(maxPayers);
  return {
    add,
    has: (payer) => recent(payer).length > 0,
    secondsLeft,
    countWaiting: () => [...failures.keys()].filter((payer) => secondsLeft(payer) > 0).length,
  };

  function add(payer: Address, at: number): void {
    const times = failures.get(payer) ?? [];
    failures.set(payer, times);
    times.push(at);
    times.sort((a, b) => a - b);
    if (times.length > MAX_FAILURES) times.shift();
  }

  function recent(payer: Address): number[] {
    return (failures.get(payer) ?? []).filter((at) => now() - at < FORGET_SECONDS);
  }

  function secondsLeft(payer: Address): number {
    const times = recent(payer);
    const last = times.at(-1);
    if (last === undefined || waits === undefined) return 0;
    const wait = waits.waitSeconds * GROWTH ** (times.length - 1);
    return last + Math.min(wait, waits.maxWaitSeconds) - now();
  }
}
