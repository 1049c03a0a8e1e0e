import { BoundedMap } from '../../domain/boundedMap.ts';
import type { Address, Hex } from '../../domain/hex.ts';
import { createHourSum, type HourSum } from '../../domain/hourSum.ts';

/** Keeps what settlements cost within bounds, whoever would have us pay gas for nothing. */
export interface GasGuard {
  /** Why nothing is settled for a payer now, whatever its payment is like. */
  holdOf(payer: Address, hasCode?: boolean): Hold | undefined;
  /** How many settlements of a payer may be in flight, all of which it can make fail at once: more as they go well. */
  mostInFlight(payer: Address, hasCode: boolean): number;
  /** For a settlement that runs code of the payer's: until it is known what it took, all of it counts as lost. */
  setAside(payer: Address, gas: bigint, until: number): SetAside | Hold;
  settled(payer: Address, cost: GasCost, hasCode: boolean): void;
  /** What it took is lost, whoever is to blame. */
  failed(loss: Omit<GasLoss, 'blamed'>): void;
  /** Its payer made it fail, and has to wait. */
  blame(loss: Pick<GasLoss, 'payer' | 'at'>): void;
  /** A failure that an earlier process has seen, or another. */
  learn(loss: GasLoss): void;
  read(): GasFigures;
}

export interface GasLimits {
  /** Gas that settlements of one payer may take in an hour; settled ones of plain keys do not count. */
  readonly payerPerHour: bigint;
  /** Gas that failed settlements of all payers may take in an hour before payers with code have to wait. */
  readonly lostPerHour: bigint;
  /** How long a payer waits after its first failure, and at most. */
  readonly waitSeconds: number;
  readonly maxWaitSeconds: number;
}

export interface GasCost {
  readonly gas: bigint;
  readonly wei: bigint;
}

/** Gas that a settlement took and that paid nothing. */
export interface GasLoss extends GasCost {
  readonly payer: Address;
  readonly transaction: Hex;
  /** Unix seconds. */
  readonly at: number;
  /** Whether the payer has to wait for it. */
  readonly blamed: boolean;
}

export interface Hold {
  readonly ok: false;
  /** This payer, for what it has cost; or all that have code. */
  readonly code: 'payer_must_wait' | 'wallets_must_wait';
  readonly retryAfterSeconds: number;
}

export interface SetAside {
  readonly ok: true;
  release(): void;
}

export interface GasFigures {
  /** By this process, since its start. */
  readonly settled: GasCost;
  readonly failed: GasCost;
  /** By all processes. */
  readonly lostInHour: bigint;
  readonly lostPerHour: bigint;
  readonly payersWaiting: number;
}

interface PayerGas {
  readonly spent: HourSum;
  /** When settlements failed. */
  readonly failures: number[];
}

/** Each failure makes the wait so many times as long, as long as the one before is not forgotten. */
const GROWTH = 4;
const FORGET_SECONDS = 86_400;
const MOST_FAILURES = 16;
/** Of a payer that has not settled anything yet. A plain key has to empty its account, which costs it gas. */
const FIRST_PLAIN = 4;
const FIRST_WITH_CODE = 1;
const MOST_PAYERS = 20_000;
/** No settlement takes less. */
const LEAST_GAS = 21_000n;
/** When only what is in flight stands in the way. */
const SOON_SECONDS = 2;

/** Without limits it only counts. */
export function createGasGuard(
  limits: GasLimits | undefined,
  /** Unix seconds. */
  now: () => number,
): GasGuard {
  const payers = new BoundedMap<Address, PayerGas>(MOST_PAYERS);
  /** How many settlements in a row went well. */
  const trust = new BoundedMap<Address, number>(MOST_PAYERS);
  const asides = new Set<{
    readonly payer: Address;
    readonly gas: bigint;
    readonly until: number;
  }>();
  const lost = createHourSum();
  const sums = { settled: { gas: 0n, wei: 0n }, failed: { gas: 0n, wei: 0n } };

  return { holdOf, mostInFlight, setAside, settled, failed, blame, learn, read };

  function holdOf(payer: Address, hasCode = false): Hold | undefined {
    const known = payers.get(payer);
    if (limits === undefined) return undefined;
    const wait = known === undefined ? 0 : waitOf(known);
    if (wait > 0) return hold('payer_must_wait', wait);
    return overHour(payer, LEAST_GAS) ?? (hasCode ? shut(LEAST_GAS) : undefined);
  }

  function mostInFlight(payer: Address, hasCode: boolean): number {
    return (hasCode ? FIRST_WITH_CODE : FIRST_PLAIN) + (trust.get(payer) ?? 0);
  }

  function setAside(payer: Address, gas: bigint, until: number): SetAside | Hold {
    const held = limits && (overHour(payer, gas) ?? shut(gas));
    if (held !== undefined) return held;
    const aside = { payer, gas, until };
    asides.add(aside);
    return {
      ok: true,
      release: () => {
        asides.delete(aside);
      },
    };
  }

  function overHour(payer: Address, gas: bigint): Hold | undefined {
    const { payerPerHour } = limits!;
    const spent = payers.get(payer)?.spent;
    const total = (spent?.total(now()) ?? 0n) + asideOf(payer) + gas;
    if (total <= payerPerHour) return undefined;
    return hold('payer_must_wait', spent?.secondsUntil(payerPerHour - gas, now()) ?? 0);
  }

  function shut(gas: bigint): Hold | undefined {
    const { lostPerHour } = limits!;
    if (lost.total(now()) + asideOf() + gas <= lostPerHour) return undefined;
    return hold('wallets_must_wait', lost.secondsUntil(lostPerHour - gas, now()));
  }

  /** Of one payer, or of all. */
  function asideOf(payer?: Address): bigint {
    let sum = 0n;
    for (const aside of asides) {
      if (aside.until <= now()) asides.delete(aside);
      else if (payer === undefined || aside.payer === payer) sum += aside.gas;
    }
    return sum;
  }

  function waitOf({ failures }: PayerGas): number {
    const recent = failures.filter((at) => now() - at < FORGET_SECONDS);
    const last = recent.at(-1);
    if (last === undefined || limits === undefined) return 0;
    const wait = limits.waitSeconds * GROWTH ** (recent.length - 1);
    return last + Math.min(wait, limits.maxWaitSeconds) - now();
  }

  function settled(payer: Address, cost: GasCost, hasCode: boolean): void {
    add(sums.settled, cost);
    trust.set(payer, (trust.get(payer) ?? 0) + 1);
    // What a plain key's settlement takes is the token's doing, and their number has a limit of its own.
    if (hasCode) of(payer).spent.add(cost.gas, now());
  }

  function failed(loss: Omit<GasLoss, 'blamed'>): void {
    add(sums.failed, loss);
    lose(loss);
  }

  function learn(loss: GasLoss): void {
    lose(loss);
    if (loss.blamed) blame(loss);
  }

  function lose({ payer, gas, at }: Omit<GasLoss, 'blamed'>): void {
    lost.add(gas, at);
    of(payer).spent.add(gas, at);
  }

  function blame({ payer, at }: Pick<GasLoss, 'payer' | 'at'>): void {
    trust.delete(payer);
    const { failures } = of(payer);
    failures.push(at);
    failures.sort((a, b) => a - b);
    if (failures.length > MOST_FAILURES) failures.shift();
  }

  function of(payer: Address): PayerGas {
    const known = payers.get(payer) ?? { spent: createHourSum(), failures: [] };
    payers.set(payer, known);
    return known;
  }

  function read(): GasFigures {
    return {
      settled: { ...sums.settled },
      failed: { ...sums.failed },
      lostInHour: lost.total(now()),
      lostPerHour: limits?.lostPerHour ?? 0n,
      payersWaiting: [...payers.values()].filter((known) => waitOf(known) > 0).length,
    };
  }
}

function hold(code: Hold['code'], seconds: number): Hold {
  return { ok: false, code, retryAfterSeconds: seconds > 0 ? seconds : SOON_SECONDS };
}

function add(sum: { gas: bigint; wei: bigint }, { gas, wei }: GasCost): void {
  sum.gas += gas;
  sum.wei += wei;
}
