import http from 'node:http';
import { createRandom, type Random } from '../random.ts';
import { createAnswerer, type Outcome, type Switches } from './answer.ts';
import { createBudget } from './budget.ts';
import { type Call, parseBody } from './call.ts';
import { createProviderClock, type ProviderClock } from './clock.ts';
import { createCounter, type ProviderCounts } from './counts.ts';
import type { Rejection } from './limits.ts';
import { createListener } from './listener.ts';
import type { Depth, Form, Profile, ProviderFault, VariantName } from './profile.ts';
import { PROFILES, type ProfileName } from './profiles.ts';
import { createUpstream } from './upstream.ts';
import { sendBatch, sendOne, sendWhole } from './wire.ts';

export interface ProviderOptions {
  readonly profile: ProfileName | Profile;
  /** The JSON-RPC URL for calls within the limits. */
  readonly target: string;
  /** How many times faster than real time the provider's clock runs. Default: `1`. */
  readonly speed?: number;
  /** The same seed and order of requests give the same faults. Default: `0`. */
  readonly seed?: string | number;
  readonly variant?: VariantName;
  /** Default: `127.0.0.1`. */
  readonly host?: string;
  /** Replaces the clock that `speed` makes. */
  readonly clock?: ProviderClock;
}

export interface Provider {
  readonly url: string;
  counts(): ProviderCounts;
  readonly control: {
    /** For every endpoint of the profile; null: the profile's own depths. */
    setDepth(depth: Depth | null): void;
    /** Blocks behind the chain's head, in addition to the profile's own lag. */
    setLag(blocks: number): void;
    /** Refuses connections. */
    down(isDown: boolean): Promise<void>;
    /** Limits every call, at no cost. */
    limitAll(isLimited: boolean): void;
  };
  close(): Promise<void>;
}

export class UnknownVariant extends Error {
  override readonly name = 'UnknownVariant';

  constructor(variant: VariantName) {
    super(`The profile has no variant ${variant}.`);
  }
}

const BAD_GATEWAY: Form = { status: 502 };
const PARSE_ERROR: Form = { status: 400, code: -32700, message: 'Parse error' };

/** Serves a JSON-RPC URL with the limits, errors, and faults of an RPC plan. */
export async function serveProvider(options: ProviderOptions): Promise<Provider> {
  const { speed = 1, seed = 0, host = '127.0.0.1' } = options;
  const profile = typeof options.profile === 'string' ? PROFILES[options.profile] : options.profile;
  const variant = options.variant && profile.variants?.[options.variant];
  if (options.variant && !variant) throw new UnknownVariant(options.variant);
  const clock = options.clock ?? createProviderClock(speed);
  const upstream = createUpstream(options.target);
  const budget = createBudget(profile, clock);
  const counter = createCounter();
  const switches: Switches = { depth: null, lag: 0, isLimited: false };
  const answer = createAnswerer({ profile, variant, upstream, budget, clock, switches });
  let requests = 0;
  let outage: { readonly until: number; readonly form: Form } | null = null;

  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = parseBody(Buffer.concat(chunks).toString());
      if (body === null) return sendWhole(response, plain(PARSE_ERROR), null);
      handle(body, response).catch(() => sendWhole(response, plain(BAD_GATEWAY), null));
    });
  });
  const listener = await createListener(server, host);
  return {
    url: listener.url,
    counts: () => ({ methods: counter.methods(), requests, units: budget.used() }),
    control: {
      setDepth(depth) {
        switches.depth = depth;
      },
      setLag(blocks) {
        switches.lag = blocks;
      },
      down: (isDown) => listener.refuse('down', isDown),
      limitAll(isLimited) {
        switches.isLimited = isLimited;
      },
    },
    async close() {
      await listener.refuse('closed', true);
      upstream.close();
    },
  };

  async function handle(
    { calls, isBatch }: { calls: readonly Call[]; isBatch: boolean },
    response: http.ServerResponse,
  ): Promise<void> {
    requests += 1;
    // By the order of requests: how they overlap in time changes no draw.
    const draw = `${seed} ${requests}`;
    const random = createRandom(draw);
    const whole = findWholeRejection(calls.length, random);
    if (whole === 'cut') {
      for (const { method } of calls) counter.add(method, 'refused');
      response.destroy();
      return;
    }
    if (whole !== null) {
      for (const { method } of calls) counter.add(method, 'refused');
      return sendWhole(response, whole, isBatch ? null : calls[0]!.id);
    }
    await beSlow(random);
    const outcomes = await answerAll(calls, draw);
    for (const [index, { kind }] of outcomes.entries()) counter.add(calls[index]!.method, kind);
    if (isBatch) return sendBatch(response, calls, outcomes);
    sendOne(response, calls[0]!, outcomes[0]!, { random, speed });
  }

  async function answerAll(calls: readonly Call[], draw: string): Promise<Outcome[]> {
    const { batch } = profile;
    if (batch?.perItem && calls.length > batch.max) {
      const rejection = { form: batch.form, values: { max: batch.max, size: calls.length } };
      return calls.map(() => ({ kind: 'refused', rejection }));
    }
    const unreachable: Outcome = { kind: 'refused', rejection: plain(BAD_GATEWAY) };
    const targetHead = await upstream.head().catch(() => null);
    if (targetHead === null) return calls.map(() => unreachable);
    return Promise.all(
      calls.map((call, index) =>
        answer(call, targetHead, createRandom(`${draw} ${index}`)).catch(() => unreachable),
      ),
    );
  }

  /** Returns the rejection of the whole request, if any; `cut`: the connection is closed. */
  function findWholeRejection(size: number, random: Random): Rejection | 'cut' | null {
    const { batch, faults } = profile;
    if (outage !== null && clock.now() < outage.until) return plain(outage.form);
    for (const fault of faults) {
      if (!isOfWholeRequest(fault) || !random.chance(fault.share)) continue;
      if (fault.kind === 'reject') return plain(fault.form);
      if (fault.form === null) {
        restart(fault.seconds);
        return 'cut';
      }
      outage = { until: clock.now() + fault.seconds, form: fault.form };
      return plain(fault.form);
    }
    if (batch === null || batch.perItem || size <= batch.max) return null;
    return { form: batch.form, values: { max: batch.max, size } };
  }

  function restart(seconds: number): void {
    void listener.refuse('restart', true);
    void clock.sleep(seconds).then(() => listener.refuse('restart', false));
  }

  async function beSlow(random: Random): Promise<void> {
    for (const fault of profile.faults) {
      if (fault.kind === 'slow' && random.chance(fault.share)) await clock.sleep(fault.seconds);
    }
  }
}

function isOfWholeRequest(
  fault: ProviderFault,
): fault is ProviderFault & { kind: 'reject' | 'outage' } {
  if (fault.kind === 'outage') return true;
  return fault.kind === 'reject' && fault.form.code === undefined;
}

function plain(form: Form): Rejection {
  return { form, values: {} };
}
