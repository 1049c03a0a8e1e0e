import type { Address } from '../../domain/hex.ts';
import type { SignedAuthorization } from '../authorization/payment.ts';
import type { Nodes } from '../chain/nodes.ts';
import type { RevertCode } from '../chain/revertCode.ts';
import type { Turn, Verification } from './facilitator.ts';
import type { FeeSource, Fees } from './fees.ts';
import type { GasGuard } from './gasGuard.ts';
import { costsTooMuch, type GasWorth } from './gasPrice.ts';
import type { Reservation } from './gasReservations.ts';
import type { Position, Preceding } from './inFlight.ts';
import type { KeyPool } from './keyPool.ts';
import { createReadPayerState, isEarly, type PayerState } from './payerState.ts';
import type { Sender } from './sender.ts';
import { createSimulator } from './simulator.ts';
import type { TransferCall } from './transferCall.ts';

/** How to settle a payment, as a simulation succeeded. */
export interface Plan {
  readonly ok: true;
  readonly call: TransferCall;
  readonly gas: bigint;
  /** Null for a plain key: no code of the payer runs. */
  readonly reservation: Reservation | null;
}

/** Throws NodesUnavailable, FeesAboveCap, or SenderOutOfGas when a payment cannot be simulated. */
export interface Planner {
  plan(payment: SignedAuthorization, position: Position, turn: Turn): Promise<Plan | NotOk>;
  /** Simulates once more before sending, with the key and fees that are used; returns why it would fail. */
  resimulate(plan: Pick<Plan, 'call' | 'gas'>): Promise<SendPlan | RevertCode>;
}

export interface SendPlan {
  readonly sender: Sender;
  readonly fees: Fees;
}

type NotOk = Extract<Verification, { ok: false }>;

/** It waits for other payments of its payer. */
interface Blocked {
  /** The result if it stays blocked. */
  readonly refusal: NotOk;
  readonly since: Preceding;
  /** Absent: it needs balance that others may take. */
  readonly hasRoom?: (before: Preceding) => boolean;
}

/** The maximum gas for a wallet's settlement, most of which verifies its signature. */
const WALLET_GAS_LIMIT = 1_500_000n;
/** The gas of a plain payment's settlement, rounded up. */
const PLAIN_GAS = 110_000n;
/** How long a payment waits for others of its payer to end. */
const WAIT_TIMEOUT_MS = 10_000;
/** Payments in flight end soon. */
export const CROWDED: NotOk = { ok: false, code: 'payer_throttled', retryAfterSeconds: 2 };
/** Seconds after its expiry for which a payment may still cost gas: the chain's clock may be behind. */
const SLACK_SECONDS = 60;

export function createPlanner(deps: {
  readonly nodes: Nodes;
  readonly asset: Address;
  readonly transferCall: (payment: SignedAuthorization) => TransferCall;
  readonly pool: KeyPool;
  readonly fees: FeeSource;
  readonly guard: GasGuard;
  readonly worth: GasWorth | undefined;
  /** For payments by plain keys. */
  readonly gasLimit: bigint;
  /** Unix seconds. */
  readonly now: () => number;
}): Planner {
  const { fees, guard, worth, gasLimit, now } = deps;
  const simulator = createSimulator(deps);
  const readPayerState = createReadPayerState({ ...deps, simulator });
  return { plan, resimulate };

  async function plan(
    payment: SignedAuthorization,
    position: Position,
    turn: Turn,
  ): Promise<Plan | NotOk> {
    const until = performance.now() + WAIT_TIMEOUT_MS;
    for (;;) {
      // Without room no request is made, so no turn is needed to find that out.
      const tried = begin(payment, position) ?? (await turn(() => attempt(payment, position)));
      if ('ok' in tried) return tried;
      // Payments in flight may have been charged already, or will not be.
      const { refusal, since, hasRoom } = tried;
      if (!(await position.change(since, until, hasRoom))) return refusal;
    }
  }

  /** Returns why no attempt can be made now. */
  function begin(
    { authorization: { from } }: SignedAuthorization,
    position: Position,
  ): NotOk | Blocked | undefined {
    const throttle = guard.getThrottle(from);
    if (throttle !== undefined) return throttle;
    const since = position.before();
    const hasRoom = roomOf(from, false);
    return hasRoom(since) ? undefined : { refusal: CROWDED, since, hasRoom };
  }

  function roomOf(from: Address, hasCode: boolean): (before: Preceding) => boolean {
    return ({ count }) => count < guard.maxInFlight(from, hasCode);
  }

  async function attempt(
    payment: SignedAuthorization,
    position: Position,
  ): Promise<Plan | NotOk | Blocked> {
    const { from, value } = payment.authorization;
    // Checked again: it may have waited for its turn.
    const early = begin(payment, position);
    if (early !== undefined) return early;
    const since = position.before();
    const state = await readPayerState(payment, since.value > 0n);
    const { balance, hasCode } = state;
    if (balance !== null && balance < value) return no('insufficient_funds');
    const hasRoom = roomOf(from, true);
    if (hasCode && !hasRoom(since)) return { refusal: CROWDED, since, hasRoom };
    if (balance !== null && balance < value + since.value) {
      return { refusal: no('insufficient_funds'), since };
    }
    position.passed();
    return hasCode ? planWallet(payment, state.call) : planPlain(state, value);
  }

  async function planPlain({ call, revert }: PayerState, price: bigint): Promise<Plan | NotOk> {
    if (revert !== null) return no(revert);
    if (await isTooCostly(PLAIN_GAS, price)) return no('network_fees_too_high');
    return { ok: true, call, gas: gasLimit, reservation: null };
  }

  /** Code of the payer runs or is deployed: estimates the gas, and reserves it in case it is lost. */
  async function planWallet(
    payment: SignedAuthorization,
    call: TransferCall,
  ): Promise<Plan | NotOk> {
    const { from, value, validBefore } = payment.authorization;
    const throttle = guard.getThrottle(from, true);
    if (throttle !== undefined) return throttle;
    let block = 'latest';
    const capped = { ...call, gas: WALLET_GAS_LIMIT };
    let wanted = await simulator.estimate(capped, block);
    if (isEarly(wanted, payment, now())) {
      block = 'pending';
      wanted = await simulator.estimate(capped, block);
    }
    if (typeof wanted === 'string') return no(wanted);
    const gas = smaller((wanted * 13n) / 10n, WALLET_GAS_LIMIT);
    if (await isTooCostly(PLAIN_GAS, value)) return no('network_fees_too_high');
    if (await isTooCostly(gas, value)) return no('settlement_too_costly');
    const { outcome } = await simulator.simulate({ ...call, gas }, block);
    if (outcome !== null) return no(outcome);
    const reservation = guard.reserve(from, gas, Number(validBefore) + SLACK_SECONDS);
    return reservation.ok ? { ok: true, call, gas, reservation } : reservation;
  }

  async function resimulate({
    call,
    gas,
  }: Pick<Plan, 'call' | 'gas'>): Promise<SendPlan | RevertCode> {
    const simulated = await simulator.simulate({ ...call, gas }, 'latest');
    return simulated.outcome ?? { sender: simulated.sender, fees: simulated.fees };
  }

  async function isTooCostly(gas: bigint, price: bigint): Promise<boolean> {
    return costsTooMuch(worth, { wei: gas * (await fees.price()), price });
  }
}

function no(code: string): NotOk {
  return { ok: false, code };
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
