import type { WebhookConfig } from '../config/config.ts';
import { comparePositions, type EventFeed, type EventPosition } from '../domain/events/event.ts';
import type { Queryable } from '../store/store.ts';
import type { Attempt } from '../store/webhooks/attempts.ts';
import { type PauseReason, type WebhookState, webhooks } from '../store/webhooks/webhooks.ts';
import type { Doorbell } from './doorbell.ts';
import { type Message, readStep, type Step, type Wire } from './message.ts';
import { RETRY_WINDOW_MS, retryDelay } from './retry.ts';
import type { Outcome } from './sender.ts';

/** What others want to know about deliveries. */
export interface WebhookHooks {
  onAttempt(name: string, isDelivered: boolean): void;
  onFailing(name: string, error: string): void;
  onRecovered(name: string, failedSeconds: number): void;
  onPaused(name: string, reason: PauseReason, error: string): void;
}

export interface EndpointLoopDeps {
  readonly endpoint: WebhookConfig;
  readonly feed: EventFeed;
  readonly wire: Wire;
  /** Reads the state. */
  readonly db: Queryable;
  /** Writes the state, only while this process leads. */
  readonly write: <T>(work: (tx: Queryable) => Promise<T>) => Promise<T>;
  readonly send: (message: Message, timestamp: number) => Promise<Outcome>;
  /** Rings when there are events or a command changed the endpoint. */
  readonly news: Doorbell;
  /** Rings only for commands. */
  readonly commands: Doorbell;
  readonly hooks: WebhookHooks;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Milliseconds to wait after so many failed attempts. */
  readonly delay?: (attempts: number) => number;
  readonly signal: AbortSignal;
}

/** Events that are passed over move the stored position at most this often. */
const PASS_MS = 1_000;
/** Notifications can be lost with their connection. */
const RECHECK_MS = 30_000;
const UNSUBSCRIBED = 410;

/** Delivers the events of one endpoint in order, until the signal aborts. Throws when the store fails. */
export async function runEndpoint(deps: EndpointLoopDeps): Promise<void> {
  const { endpoint, feed, wire, db, write, send, news, commands, hooks, now, signal } = deps;
  const { delay = (attempts) => retryDelay(attempts, Math.random()) } = deps;
  const { name } = endpoint;
  /** The message of a failed attempt, sent again unchanged. */
  let pending: { readonly step: Step; readonly replays: number } | undefined;
  /** Between the stored position and this one is nothing for this endpoint. */
  let passed:
    | { readonly to: EventPosition; readonly replays: number; isStored: boolean }
    | undefined;
  let storedAt = Number.NEGATIVE_INFINITY;

  while (!signal.aborted) {
    const state = (await webhooks.find(db, name))!;
    const due = (state.retryAt ?? 0) - now();
    if (state.pausedAt !== null) await commands.wait(signal, RECHECK_MS);
    else if (due > 0) await commands.wait(signal, Math.min(due, RECHECK_MS));
    else await advance(state);
  }

  async function advance(state: WebhookState): Promise<void> {
    if (pending?.replays !== state.replays) pending = undefined;
    if (passed?.replays !== state.replays) passed = undefined;
    const after = passed?.to ?? state;
    const { replays } = state;
    const step = pending?.step ?? (await readStep({ feed, wire, endpoint, after, replays }));
    if (step.message !== undefined) await deliver(step, step.message, state, after);
    else {
      await pass(step, state, after);
      const isStored = passed?.isStored ?? true;
      if (!step.hasMore) await news.wait(signal, isStored ? undefined : PASS_MS);
    }
  }

  async function pass({ next }: Step, state: WebhookState, after: EventPosition): Promise<void> {
    if (comparePositions(next, after) !== 0) {
      passed = { to: next, replays: state.replays, isStored: false };
    }
    if (passed === undefined || passed.isStored || performance.now() - storedAt < PASS_MS) return;
    storedAt = performance.now();
    await write((tx) => webhooks.pass(tx, state, next));
    passed.isStored = true;
  }

  async function deliver(
    step: Step,
    message: Message,
    state: WebhookState,
    after: EventPosition,
  ): Promise<void> {
    const startedAt = now();
    const at = Math.floor(startedAt / 1_000);
    const outcome = await send(message, at);
    if (signal.aborted && outcome.error !== null) return;
    const attempt = {
      ...{ at, messageId: message.id, afterCursor: wire.cursorOf(after), events: message.events },
      ...{ status: outcome.status, ms: Math.round(now() - startedAt) },
    };
    hooks.onAttempt(name, outcome.error === null);
    if (outcome.error !== null) {
      pending = { step, replays: state.replays };
      return recordFailure(state, { ...attempt, error: outcome.error }, outcome);
    }
    pending = undefined;
    passed = undefined;
    await write((tx) => webhooks.deliver(tx, state, step.next, { ...attempt, error: null }));
    if (state.failingSince !== null) hooks.onRecovered(name, at - state.failingSince);
  }

  async function recordFailure(
    state: WebhookState,
    attempt: Attempt & { readonly error: string },
    { status, retryAfterMs }: Outcome,
  ): Promise<void> {
    const failedMs = now() - (state.failingSince ?? attempt.at) * 1_000;
    const pauseReason =
      status === UNSUBSCRIBED ? 'unsubscribed' : failedMs >= RETRY_WINDOW_MS ? 'retries' : null;
    const retryAt = Math.round(now() + Math.max(delay(state.attempts + 1), retryAfterMs));
    await write((tx) => webhooks.fail(tx, state, attempt, { retryAt, pauseReason }));
    if (state.failingSince === null) hooks.onFailing(name, attempt.error);
    if (pauseReason !== null) hooks.onPaused(name, pauseReason, attempt.error);
  }
}
