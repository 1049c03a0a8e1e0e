import { BoundedMap } from '../../domain/boundedMap.ts';
import type { Address, Hex } from '../../domain/hex.ts';
import { createHourSum, type HourSum } from '../../domain/hourSum.ts';
import { createGasReservations, type Reservation } from './gasReservations.ts';
import { createPayerFailures, type FailureWaits } from './payerFailures.ts';

/** Bounds the gas that failing settlements cost this server. */
export interface GasGuard {
  /** Why nothing is settled for this payer now, regardless of the payment. */
  getThrottle(payer: Address, hasCode?: boolean): Throttle | undefined;
  /**
   * Returns how many settlements of a payer may be in flight, since it can make all of them fail at once. Grows with
   * successful settlements. One for a plain key without settlements, while plain keys exceed their loss limit.
   */
  maxInFlight(payer: Address, hasCode: boolean): number;
  /** Whether it matters now if this payer has settled before, and this process does not know. */
  needsHistory(payer: Address): boolean;
  /** Records that this payer has settled before, according to the ledger. */
  recall(payer: Address): void;
  /** Reserves gas for a settlement that runs the payer's code: all of it counts as lost until its cost is known. */
  reserve(payer: Address, gas: bigint, until: number): Reservation | Throttle;
  settled(payer: Address, cost: GasCost, hasCode: boolean): void;
  /** Records lost gas, regardless of the cause. */
  failed(loss: Omit<GasLoss, 'penalized'>): void;
  /** Records that the payer caused the failure, which throttles it. */
  penalize(loss: Pick<GasLoss, 'payer' | 'at'>): void;
  /** Adds a failure that an earlier process or another one recorded. */
  learn(loss: GasLoss): void;
  read(): GasFigures;
}

export interface GasLimits extends FailureWaits {
  /** Gas per hour for the settlements of one payer; successful ones of plain keys do not count. */
  readonly payerPerHour: bigint;
  /** Gas per hour for failed settlements of payers with code; above it, all of them are throttled. */
  readonly lostPerHour: bigint;
  /** Gas per hour for failed settlements of plain keys; above it, new ones get one settlement in flight. */
  readonly plainLostPerHour: bigint;
}

export interface GasCost {
  readonly gas: bigint;
  readonly wei: bigint;
}

/** The gas of a settlement that paid nothing. */
export interface GasLoss extends GasCost {
  readonly payer: Address;
  readonly transaction: Hex;
  /** Whether code of the payer ran in it. */
  readonly hasCode: boolean;
  /** Unix seconds. */
  readonly at: number;
  /** Whether the payer is throttled for it. */
  readonly penalized: boolean;
}

export interface Throttle {
  readonly ok: false;
  /** This payer, because of its cost; or all payers with code. */
  readonly code: 'payer_throttled' | 'wallets_throttled';
  readonly retryAfterSeconds: number;
}

export interface GasFigures {
  /** By this process, since its start. */
  readonly settled: GasCost;
  readonly failed: GasCost;
  /** By all processes, for all payers. */
  readonly lostInHour: bigint;
  /** For payers with code, and their limit. */
  readonly walletsLostInHour: bigint;
  readonly lostPerHour: bigint;
  /** For plain keys, and their limit. */
  readonly plainLostInHour: bigint;
  readonly plainLostPerHour: bigint;
  readonly payersThrottled: number;
}

/** For a payer that has not settled yet. A plain key has to empty its account to fail, which costs it gas. */
const FIRST_PLAIN = 4;
/** The same while plain keys exceed their loss limit: then each failure takes another account to be emptied. */
const FIRST_PLAIN_WARY = 1;
const FIRST_WITH_CODE = 1;
const MAX_PAYERS = 20_000;
/** The minimum gas of a transaction. */
const MIN_GAS = 21_000n;
/** Retry delay when only payments in flight block it. */
const SOON_SECONDS = 2;

/** Without limits it only counts. */
export function createGasGuard(
  limits: GasLimits | undefined,
  /** Unix seconds. */
  now: () => number,
): GasGuard {
  const failures = createPayerFailures(limits, { maxPayers: MAX_PAYERS, now });
  const reservations = createGasReservations(now);
  /** The gas of each payer's settlements; of plain keys, only of those that failed. */
  const spent = new BoundedMap<Address, HourSum>(MAX_PAYERS);
  /** Successful settlements in a row, for payers that have settled before and not failed since. */
  const trust = new BoundedMap<Address, number>(MAX_PAYERS);
  /** Separate, so that neither kind of payer can block the other. */
  const walletsLost = createHourSum();
  const plainLost = createHourSum();
  const sums = { settled: { gas: 0n, wei: 0n }, failed: { gas: 0n, wei: 0n } };

  return {
    ...{ getThrottle, maxInFlight, needsHistory, recall, reserve },
    ...{ settled, failed, penalize, learn, read },
  };

  function getThrottle(payer: Address, hasCode = false): Throttle | undefined {
    if (limits === undefined) return undefined;
    const wait = failures.secondsLeft(payer);
    if (wait > 0) return createThrottle('payer_throttled', wait);
    return overHour(payer, MIN_GAS) ?? (hasCode ? overWalletLimit(MIN_GAS) : undefined);
  }

  function maxInFlight(payer: Address, hasCode: boolean): number {
    const trusted = trust.get(payer);
    if (hasCode) return FIRST_WITH_CODE + (trusted ?? 0);
    if (trusted === undefined && isWary()) return FIRST_PLAIN_WARY;
    return FIRST_PLAIN + (trusted ?? 0);
  }

  function isWary(): boolean {
    return limits !== undefined && plainLost.total(now()) > limits.plainLostPerHour;
  }

  /** A payer that caused a failure has to settle first, regardless of its history. */
  function needsHistory(payer: Address): boolean {
    return isWary() && !trust.has(payer) && !failures.has(payer);
  }

  function recall(payer: Address): void {
    if (!trust.has(payer)) trust.set(payer, 0);
  }

  function reserve(payer: Address, gas: bigint, until: number): Reservation | Throttle {
    const throttle = limits && (overHour(payer, gas) ?? overWalletLimit(gas));
    return throttle ?? reservations.add(payer, gas, until);
  }

  function overHour(payer: Address, gas: bigint): Throttle | undefined {
    const { payerPerHour } = limits!;
    const own = spent.get(payer);
    const total = (own?.total(now()) ?? 0n) + reservations.total(payer) + gas;
    if (total <= payerPerHour) return undefined;
    return createThrottle('payer_throttled', own?.secondsUntil(payerPerHour - gas, now()) ?? 0);
  }

  function overWalletLimit(gas: bigint): Throttle | undefined {
    const { lostPerHour } = limits!;
    if (walletsLost.total(now()) + reservations.total() + gas <= lostPerHour) return undefined;
    return createThrottle('wallets_throttled', walletsLost.secondsUntil(lostPerHour - gas, now()));
  }

  function settled(payer: Address, cost: GasCost, hasCode: boolean): void {
    add(sums.settled, cost);
    trust.set(payer, (trust.get(payer) ?? 0) + 1);
    // The gas of a plain key's settlement depends on the token, and their number has its own limit.
    if (hasCode) spend(payer, cost.gas, now());
  }

  function failed(loss: Omit<GasLoss, 'penalized'>): void {
    add(sums.failed, loss);
    lose(loss);
  }

  function learn(loss: GasLoss): void {
    lose(loss);
    if (loss.penalized) penalize(loss);
  }

  function lose({ payer, gas, hasCode, at }: Omit<GasLoss, 'penalized'>): void {
    (hasCode ? walletsLost : plainLost).add(gas, at);
    spend(payer, gas, at);
  }

  function penalize({ payer, at }: Pick<GasLoss, 'payer' | 'at'>): void {
    trust.delete(payer);
    failures.add(payer, at);
  }

  function spend(payer: Address, gas: bigint, at: number): void {
    const own = spent.get(payer) ?? createHourSum();
    spent.set(payer, own);
    own.add(gas, at);
  }

  function read(): GasFigures {
    const walletsLostInHour = walletsLost.total(now());
    const plainLostInHour = plainLost.total(now());
    return {
      settled: { ...sums.settled },
      failed: { ...sums.failed },
      lostInHour: walletsLostInHour + plainLostInHour,
      walletsLostInHour,
      lostPerHour: limits?.lostPerHour ?? 0n,
      plainLostInHour,
      plainLostPerHour: limits?.plainLostPerHour ?? 0n,
      payersThrottled: failures.countWaiting(),
    };
  }
}

function createThrottle(code: Throttle['code'], seconds: number): Throttle {
  return { ok: false, code, retryAfterSeconds: seconds > 0 ? seconds : SOON_SECONDS };
}

function add(sum: { gas: bigint; wei: bigint }, { gas, wei }: GasCost): void {
  sum.gas += gas;
  sum.wei += wei;
}
