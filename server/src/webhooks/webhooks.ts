import type { WebhookConfig } from '../config/config.ts';
import type { EventFeed } from '../domain/events/event.ts';
import { pause } from '../runtime/pause.ts';
import { LEADS } from '../store/leads.ts';
import type { Leadership, Store } from '../store/store.ts';
import { WEBHOOK_CHANNEL, webhooks } from '../store/webhooks/webhooks.ts';
import { createDoorbell } from './doorbell.ts';
import { runEndpoint, type WebhookHooks } from './endpointLoop.ts';
import { createEndpointSender } from './endpointSender.ts';
import type { Wire } from './message.ts';

export interface WebhooksDeps {
  readonly endpoints: readonly WebhookConfig[];
  readonly store: Pick<Store, 'query' | 'lead' | 'listen'>;
  /** On the primary: a replica that is behind would seem to have lost events. */
  readonly feed: EventFeed;
  readonly wire: Wire;
  readonly hooks: WebhookHooks & { onError(error: unknown): void };
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly delay?: (attempts: number) => number;
  readonly timeoutMs?: number;
}

export interface Webhooks {
  /** Gives up the requests in progress; the next process sends them again. */
  stop(): Promise<void>;
}

const LEAD_AGAIN_MS = 2_000;

/** Delivers events to every endpoint, each in a loop of its own, while this process leads. */
export async function startWebhooks(deps: WebhooksDeps): Promise<Webhooks> {
  const { endpoints, store, feed, hooks } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const loops = endpoints.map((endpoint) => {
    return { endpoint, news: createDoorbell(), commands: createDoorbell() };
  });
  const unlisten = await store.listen(WEBHOOK_CHANNEL, () => {
    for (const { news, commands } of loops) {
      news.ring();
      commands.ring();
    }
  });
  const unfollow = feed.onCommit(() => {
    for (const { news } of loops) news.ring();
  });
  const running = run();
  return {
    async stop() {
      stopping.abort();
      unfollow();
      await running;
      await unlisten();
    },
  };

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        const leadership = await store.lead(LEADS.webhooks);
        if (leadership !== undefined) {
          await lead(leadership).finally(() => leadership.release());
        }
      } catch (error) {
        if (signal.aborted) return;
        hooks.onError(error);
      }
      await pause(LEAD_AGAIN_MS, signal);
    }
  }

  /** Until the leadership is lost, or the store fails. */
  async function lead(leadership: Leadership): Promise<void> {
    const over = new AbortController();
    void leadership.lost.then(() => over.abort());
    const ending = AbortSignal.any([signal, over.signal]);
    const start = await feed.head();
    const running = loops.map(async (loop) => {
      await leadership.transaction((tx) => webhooks.add(tx, loop.endpoint.name, start));
      await deliver(loop, leadership, ending);
    });
    // All of them end before the leadership does.
    await Promise.all(running).finally(async () => {
      over.abort();
      await Promise.allSettled(running);
    });
  }

  async function deliver(
    loop: (typeof loops)[number],
    leadership: Leadership,
    ending: AbortSignal,
  ): Promise<void> {
    const sender = createEndpointSender(loop.endpoint, deps);
    try {
      await runEndpoint({
        ...{ ...loop, ...deps, db: store, signal: ending },
        write: (work) => leadership.transaction(work),
        send: (message, timestamp) => sender.send(message, timestamp, ending),
      });
    } finally {
      sender.close();
    }
  }
}
