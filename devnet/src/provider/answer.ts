import type { Random } from '../random.ts';
import type { Budget } from './budget.ts';
import {
  type Answer,
  type Call,
  getCallKind,
  type Log,
  type LogFilter,
  toQuantity,
} from './call.ts';
import type { ProviderClock } from './clock.ts';
import { findRejection, type Rejection } from './limits.ts';
import { createResultLimit, stampLogs } from './logs.ts';
import type { Depth, Form, Profile, ProviderFault, Variant } from './profile.ts';
import type { Upstream } from './upstream.ts';
import { createView, type LocatedCall, locate, type View } from './view.ts';

export type Outcome =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'limited'; readonly rejection: Rejection; readonly waitSeconds: number }
  | { readonly kind: 'refused'; readonly rejection: Rejection };

/** Settings that a test can change while the provider runs. */
export interface Switches {
  depth: Depth | null;
  lag: number;
  isLimited: boolean;
}

export interface AnswererOptions {
  readonly profile: Profile;
  readonly variant: Variant | undefined;
  readonly upstream: Upstream;
  readonly budget: Budget;
  readonly clock: ProviderClock;
  readonly switches: Switches;
}

type Timeout = ProviderFault & { kind: 'timeout' };

/** Handles calls as the plan does: within its limits, the target's response. */
export function createAnswerer(options: AnswererOptions) {
  const { profile, variant, upstream, budget, clock, switches } = options;
  const resultLimit = createResultLimit(profile);
  const rejections = profile.faults.filter(isItemRejection);
  const timeouts = profile.faults.filter((fault): fault is Timeout => fault.kind === 'timeout');
  let limitedCalls = 0;

  return async function answer(call: Call, targetHead: number, random: Random): Promise<Outcome> {
    const node = random.pick(profile.nodes);
    const { depth, lag: extraLag } = switches;
    const view = createView({ node, depth, extraLag, targetHead, random });
    if (switches.isLimited || isHit(variant, call, random)) return limit(1);
    const located = await locate(call, view, upstream);
    const rejection = located && findRejection(located, view, profile);
    const charge = budget.charge(getCost(call, located, view, rejection !== null));
    if (charge.kind === 'quota') return limit(1, profile.quota!.form);
    if (charge.kind === 'rate') return limit(charge.waitSeconds);
    const fault = rejections.find(({ share }) => random.chance(share));
    if (fault) return refuse({ form: fault.form, values: { trace: random.int(2 ** 32) } });
    if (rejection === null) return read(call, located, view, random);
    const isLacking = rejection.form === profile.tooDeep.logs && located?.reads === 'logs';
    if (isLacking && random.chance(node.emptyShare ?? 0)) return reply(call, []);
    return refuse(rejection);
  };

  /** Forwards a call that is within the limits that do not depend on its response. */
  async function read(
    call: Call,
    located: LocatedCall | null,
    view: View,
    random: Random,
  ): Promise<Outcome> {
    if (call.method === 'eth_blockNumber' && view.differs)
      return reply(call, toQuantity(view.head));
    if (located === null) return answered(hideBeyond(await upstream.ask(call), view));
    if (located.from > view.head) return reply(call, located.reads === 'logs' ? [] : null);
    const sent = await upstream.ask(clip(located, view));
    if (call.method !== 'eth_getLogs' || !Array.isArray(sent.result)) return answered(sent);
    const logs = sent.result as Log[];
    const timeout = timeouts.find((fault) => isSlow(fault, located, logs.length, random));
    if (timeout) {
      await clock.sleep(timeout.seconds);
      return refuse({ form: timeout.form, values: {} });
    }
    const tooMany = resultLimit.check(logs, located);
    return tooMany ? refuse(tooMany) : answered(await stampLogs(sent, view.node, upstream));
  }

  function getCost(
    { method }: Call,
    located: LocatedCall | null,
    { head }: View,
    isRejected: boolean,
  ): number {
    const { costs } = profile;
    if (isRejected && costs.rejected !== undefined) return costs.rejected;
    const cost = costs[getCallKind(method)];
    if (located === null || costs.deep === undefined) return cost;
    return head - located.from > costs.deep.blocks ? cost * costs.deep.factor : cost;
  }

  function limit(waitSeconds: number, quotaForm?: Form): Outcome {
    const forms = profile.rate?.forms ?? [{ status: 429 }];
    const form = quotaForm ?? forms[limitedCalls++ % forms.length]!;
    return { kind: 'limited', rejection: { form, values: {} }, waitSeconds };
  }
}

function isHit(variant: Variant | undefined, { method }: Call, random: Random): boolean {
  if (variant === undefined || variant.methods?.includes(method) === false) return false;
  return random.chance(variant.share);
}

function isItemRejection(fault: ProviderFault): fault is ProviderFault & { kind: 'reject' } {
  return fault.kind === 'reject' && fault.form.code !== undefined;
}

function isSlow(fault: Timeout, located: LocatedCall, results: number, random: Random): boolean {
  const { blocks = Number.POSITIVE_INFINITY, results: most = Number.POSITIVE_INFINITY } = fault;
  const isLarge = located.to - located.from + 1 > blocks || results > most;
  return isLarge && random.chance(fault.share);
}

/** A range of logs ends at the endpoint's head. */
function clip({ call, reads, to }: LocatedCall, { head }: View): Call {
  const filter = call.params[0] as LogFilter;
  if (reads !== 'logs' || to <= head || filter.blockHash !== undefined) return call;
  return { ...call, params: [{ ...filter, toBlock: toQuantity(head) }] };
}

/** Blocks and transactions found by hash are null above the endpoint's head. */
function hideBeyond(answer: Answer, { head, differs }: View): Answer {
  if (!differs || typeof answer.result !== 'object' || answer.result === null) return answer;
  const { number, blockNumber } = answer.result as { number?: string; blockNumber?: string };
  return Number(number ?? blockNumber ?? 0) > head ? { ...answer, result: null } : answer;
}

function reply({ id }: Call, result: unknown): Outcome {
  return answered({ jsonrpc: '2.0', id, result });
}

function answered(answer: Answer): Outcome {
  return { kind: 'answered', answer };
}

function refuse(rejection: Rejection): Outcome {
  return { kind: 'refused', rejection };
}
