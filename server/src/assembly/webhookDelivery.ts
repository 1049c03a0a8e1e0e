import type { Log } from '../cli/log.ts';
import type { Config } from '../config/config.ts';
import type { EventFeed } from '../domain/events/event.ts';
import type { Hex } from '../domain/hex.ts';
import { createEventFeed } from '../http/events/eventFeed.ts';
import { eventWire } from '../http/events/eventWire.ts';
import type { CounterSource, GaugeSource } from '../http/metrics.ts';
import { unixTime } from '../runtime/unixTime.ts';
import type { Store } from '../store/store.ts';
import { webhooks } from '../store/webhooks/webhooks.ts';
import { startWebhooks } from '../webhooks/webhooks.ts';

/** The deliveries of this process with their log lines and metrics. */
export interface WebhookDelivery {
  readonly counters: readonly CounterSource[];
  readonly gauges: readonly GaugeSource[];
  /** Begins to deliver. */
  start(deps: { readonly onCommit: EventFeed['onCommit']; readonly cursorKey: Hex }): Promise<void>;
  stop(): Promise<void>;
}

export function createWebhookDelivery(deps: {
  readonly config: Config;
  readonly store: Store;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
}): WebhookDelivery {
  const { config, store, log } = deps;
  const endpoints = config.webhooks ?? [];
  const hosts = new Map(endpoints.map(({ name, url }) => [name, new URL(url).hostname]));
  const counts = new Map<string, { endpoint: string; result: Result; value: number }>();
  let stop = async () => {};

  async function start({ onCommit, cursorKey }: Parameters<WebhookDelivery['start']>[0]) {
    if (endpoints.length === 0) return;
    const feed = createEventFeed({
      ...{ config, store: { reads: store }, onCommit },
      isOperator: true,
    });
    const running = await startWebhooks({
      ...{ endpoints, store, feed, wire: eventWire(cursorKey), now: Date.now },
      hooks: {
        onAttempt: (endpoint, isDelivered) => count(endpoint, isDelivered ? 'delivered' : 'failed'),
        onFailing: (endpoint, problem) =>
          log.warn({ ...named(endpoint), problem }, 'a webhook endpoint fails; retrying'),
        onRecovered: (endpoint, failedSeconds) =>
          log.warn({ ...named(endpoint), failedSeconds }, 'a webhook endpoint works again'),
        onPaused: (endpoint, reason, problem) =>
          log.warn(
            { ...named(endpoint), reason, problem },
            'a webhook endpoint is paused: fix it, then run "assay webhooks resume NAME"',
          ),
        onError: (err) => log.error({ err }, 'webhooks could not be delivered; retrying'),
      },
    });
    stop = running.stop;
  }

  function named(endpoint: string) {
    return { endpoint, host: hosts.get(endpoint) };
  }

  function count(endpoint: string, result: Result): void {
    const key = `${endpoint} ${result}`;
    const value = (counts.get(key)?.value ?? 0) + 1;
    counts.set(key, { endpoint, result, value });
  }

  async function readStates() {
    if (endpoints.length === 0) return [];
    const states = await webhooks.getProgress(store, unixTime());
    return states.filter(({ name }) => hosts.has(name));
  }

  return {
    start,
    stop: () => stop(),
    counters: [
      {
        name: 'assay_webhook_deliveries_total',
        help: 'Attempts of this process to deliver to a webhook endpoint, by result.',
        labels: ['endpoint', 'result'],
        read: () =>
          [...counts.values()].map(({ endpoint, result, value }) => {
            return { labels: { endpoint, result }, value };
          }),
      },
    ],
    gauges: [
      {
        name: 'assay_webhook_lag_seconds',
        help: 'Age of the oldest commit that a webhook endpoint has not passed; 0 if there is none.',
        labels: ['endpoint'],
        read: async () =>
          (await readStates()).map(({ name, lagSeconds }) => {
            return { labels: { endpoint: name }, value: lagSeconds };
          }),
      },
      {
        name: 'assay_webhook_paused',
        help: '1 while a webhook endpoint is paused, by a command or after three days of failures.',
        labels: ['endpoint'],
        read: async () =>
          (await readStates()).map(({ name, pausedAt }) => {
            return { labels: { endpoint: name }, value: pausedAt === null ? 0 : 1 };
          }),
      },
    ],
  };
}

type Result = 'delivered' | 'failed';
