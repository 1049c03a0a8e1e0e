import type { RpcCall } from '../../chain/rpcClient.ts';
import type { Address } from '../../domain/hex.ts';
import type { SignedAuthorization } from '../authorization/payment.ts';
import {
  type NodeAnswer,
  type Nodes,
  NodesUnavailable,
  readQuantity,
  readResult,
} from '../chain/nodes.ts';
import { addressTopic } from '../chain/receipt.ts';
import type { RevertCode } from '../chain/revertCode.ts';
import type { Verification } from './facilitator.ts';
import type { FeeSource, Fees } from './fees.ts';
import type { GasGuard, SetAside } from './gasGuard.ts';
import { costsTooMuch, type GasWorth } from './gasPrice.ts';
import type { Place } from './inFlight.ts';
import type { KeyPool } from './keyPool.ts';
import type { Sender } from './sender.ts';
import {
  askCall,
  askGas,
  type Rehearsal,
  readCall,
  readGas,
  SenderOutOfGas,
} from './simulation.ts';
import type { TransferCall } from './transferCall.ts';

/** How a payment is brought on chain, as it was seen to go through. */
export interface Plan {
  readonly ok: true;
  readonly call: TransferCall;
  readonly gas: bigint;
  /** Null for a plain key: nothing of the payer's runs. */
  readonly aside: SetAside | null;
}

/** Throws NodesUnavailable, FeesAboveCap or SenderOutOfGas when nobody can say, or nobody can pay for it. */
export interface Planner {
  plan(payment: SignedAuthorization, place: Place): Promise<Plan | NotOk>;
  /** Once more before it is sent, as that key would send it at those fees; or why it would fail. */
  rehearse(plan: Pick<Plan, 'call' | 'gas'>): Promise<Rehearsed | RevertCode>;
}

export interface Rehearsed {
  readonly sender: Sender;
  readonly fees: Fees;
}

type NotOk = Extract<Verification, { ok: false }>;

interface Seen {
  readonly hasCode: boolean;
  /** With what stands at the payer's address. */
  readonly call: TransferCall;
  /** Of a transfer by a plain key; null: it goes through. */
  readonly fault: RevertCode | null;
  /** Null when not asked for. */
  readonly balance: bigint | null;
}

/** A wallet that wants more than this to check a signature is not worth settling. */
const WALLET_GAS_LIMIT = 1_500_000n;
/** What the settlement of a plain payment takes, rounded up. */
const PLAIN_GAS = 110_000n;
/** How long a payment waits for others of its payer to end. */
const PATIENCE_MS = 10_000;
/** What is in flight is over soon. */
const CROWDED: NotOk = { ok: false, code: 'payer_must_wait', retryAfterSeconds: 2 };
/** So long after its end a payment may still cost gas: the chain's clock may be behind ours. */
const SLACK_SECONDS = 60;
/** `balanceOf(address)` */
const BALANCE_OF = '0x70a08231';

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
  const { nodes, asset, transferCall, pool, fees, guard, worth, gasLimit, now } = deps;
  return { plan, rehearse };

  async function plan(payment: SignedAuthorization, place: Place): Promise<Plan | NotOk> {
    const { from, value } = payment.authorization;
    const until = performance.now() + PATIENCE_MS;
    for (;;) {
      const held = guard.holdOf(from);
      if (held !== undefined) return held;
      const before = place.before();
      let refusal = before.count < guard.mostInFlight(from, false) ? undefined : CROWDED;
      if (refusal === undefined) {
        const seen = await look(payment, before.value > 0n);
        const { balance, hasCode } = seen;
        if (balance !== null && balance < value) return no('insufficient_funds');
        if (hasCode && before.count >= guard.mostInFlight(from, true)) refusal = CROWDED;
        else if (balance !== null && balance < value + before.value) {
          refusal = no('insufficient_funds');
        } else return hasCode ? planWallet(payment, seen.call) : planPlain(seen, value);
      }
      // What is in flight may have been charged already, or will not be.
      if (!(await place.change(before, until))) return refusal;
    }
  }

  /** In one request. */
  async function look(payment: SignedAuthorization, withBalance: boolean): Promise<Seen> {
    const { from } = payment.authorization;
    const call = transferCall(payment);
    const further: RpcCall[] = [{ method: 'eth_getCode', params: [from, 'latest'] }];
    if (withBalance) {
      const data = `${BALANCE_OF}${addressTopic(from).slice(2)}`;
      further.push({ method: 'eth_call', params: [{ to: asset, data }, 'latest'] });
    }
    const tried = call.plain
      ? await simulate({ call, gas: gasLimit }, 'latest', further)
      : undefined;
    const [code, balance] = tried?.further ?? (await nodes.ask(further));
    const text = readResult(code);
    if (typeof text !== 'string') throw new NodesUnavailable();
    const stands = text !== '0x';
    let fault = tried?.outcome ?? null;
    if (!stands && isEarly(fault, payment)) {
      fault = (await simulate({ call, gas: gasLimit }, 'pending')).outcome;
    }
    return {
      hasCode: stands || !call.plain,
      call: stands && call.standing !== null ? call.standing : call,
      fault,
      balance: withBalance ? readQuantity(readResult(balance)) : null,
    };
  }

  async function planPlain({ call, fault }: Seen, price: bigint): Promise<Plan | NotOk> {
    if (fault !== null) return no(fault);
    if (await isTooCostly(PLAIN_GAS, price)) return no('network_fees_too_high');
    return { ok: true, call, gas: gasLimit, aside: null };
  }

  /** Code of the payer's runs in it, or makes it: gas is found out, and set aside in case that it is lost. */
  async function planWallet(
    payment: SignedAuthorization,
    call: TransferCall,
  ): Promise<Plan | NotOk> {
    const { from, value, validBefore } = payment.authorization;
    const held = guard.holdOf(from, true);
    if (held !== undefined) return held;
    let block = 'latest';
    let wanted = await estimate(call, block);
    if (isEarly(wanted, payment)) {
      block = 'pending';
      wanted = await estimate(call, block);
    }
    if (typeof wanted === 'string') return no(wanted);
    const gas = smaller((wanted * 13n) / 10n, WALLET_GAS_LIMIT);
    if (await isTooCostly(PLAIN_GAS, value)) return no('network_fees_too_high');
    if (await isTooCostly(gas, value)) return no('settlement_too_costly');
    const { outcome } = await simulate({ call, gas }, block);
    if (outcome !== null) return no(outcome);
    const aside = guard.setAside(from, gas, Number(validBefore) + SLACK_SECONDS);
    return aside.ok ? { ok: true, call, gas, aside } : aside;
  }

  async function rehearse(planned: Pick<Plan, 'call' | 'gas'>): Promise<Rehearsed | RevertCode> {
    const { outcome, sender, fees: offered } = await simulate(planned, 'latest');
    return outcome ?? { sender, fees: offered };
  }

  async function estimate(call: TransferCall, block: string): Promise<bigint | RevertCode> {
    const most = { call, gas: WALLET_GAS_LIMIT };
    return (await tryOut(most, (one) => askGas(one, block), readGas)).outcome;
  }

  function simulate(
    planned: Pick<Plan, 'call' | 'gas'>,
    block: string,
    further: readonly RpcCall[] = [],
  ) {
    return tryOut(planned, (one) => askCall(one, block), readCall, further);
  }

  /** As whoever sends next would send it; with further questions in the same request. */
  async function tryOut<Outcome>(
    { call: { to, data }, gas }: Pick<Plan, 'call' | 'gas'>,
    ask: (rehearsal: Rehearsal) => RpcCall,
    read: (answer: NodeAnswer) => Outcome,
    further: readonly RpcCall[] = [],
  ) {
    const offered = await fees.current();
    for (const _ of pool.senders) {
      const sender = pool.next();
      const rehearsal = { from: sender.address, to, data, gas, fees: offered };
      const [answer, ...rest] = await nodes.ask([ask(rehearsal), ...further]);
      try {
        return { outcome: read(answer!), further: rest, sender, fees: offered };
      } catch (error) {
        if (!(error instanceof SenderOutOfGas)) throw error;
        sender.markOutOfGas();
      }
    }
    throw new SenderOutOfGas();
  }

  /** The newest block may be older than the authorization: what counts is the next one. */
  function isEarly(outcome: unknown, { authorization }: SignedAuthorization): boolean {
    return outcome === 'authorization_not_yet_valid' && authorization.validAfter < BigInt(now());
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
