import type { AlertsConfig, AlertTargetConfig, ChainConfig } from '../../config/config.ts';
import type { AlertNotice } from '../../domain/alerts/text.ts';
import { pause } from '../../runtime/pause.ts';
import { type AlertMessage, alertMessages } from '../../store/alerts/alertMessages.ts';
import { ALERT_STATUS } from '../../store/alerts/alerts.ts';
import type { ListedTransition } from '../../store/alerts/readAlerts.ts';
import type { Store } from '../../store/store.ts';
import type { IngestLog } from '../ingestLog.ts';
import type { PostMessage } from './postMessage.ts';
import { toRequest } from './targetRequest.ts';

export interface SendDeps {
  readonly store: Store;
  readonly alerts: AlertsConfig;
  readonly chains: readonly Pick<ChainConfig, 'chainId' | 'name'>[];
  readonly log: IngestLog;
  /** Unix seconds. */
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly post: PostMessage;
}

const POLL_MS = 1_000;
/** Messages of one request: each is a line of its text. */
const BATCH = 20;
/** Longer than a request can take. */
const LEASE_SECONDS = 30;
const MAX_RETRY_SECONDS = 3_600;
/** About a day of retries. */
const MAX_ATTEMPTS = 34;

/** Delivers queued messages until the signal. Any process may run it: each message is sent by one of them at a time. */
export async function runMessages(deps: SendDeps): Promise<void> {
  const { store, alerts, log, now, signal, post } = deps;
  const targets = new Map(alerts.targets.map((target) => [target.name, target]));
  const names = [...targets.keys()];
  const chainNames = new Map(deps.chains.map(({ chainId, name }) => [chainId, name]));
  let cleaned = false;
  while (!signal.aborted) {
    try {
      if (!cleaned) await alertMessages.removeOthers(store, names);
      cleaned = true;
      const times = { now: now(), leaseUntil: now() + LEASE_SECONDS };
      const due = names.length === 0 ? [] : await alertMessages.claim(store, names, times, BATCH);
      await Promise.all(
        names.map((name) => {
          const own = due.filter(({ target }) => target === name);
          return own.length > 0 && send(targets.get(name)!, own);
        }),
      );
    } catch (err) {
      if (!signal.aborted) log.warn({ err }, 'alert messages could not be read; trying again');
    }
    await pause(POLL_MS, signal);
  }

  async function send(target: AlertTargetConfig, own: readonly AlertMessage[]): Promise<void> {
    const notices = own.map((message) => ({
      ...noticeOf(message, chainNames),
      ...(message.retracted && { status: 'retracted' as const }),
    }));
    const { ok, reason, retryAfter } = await post(toRequest(target, notices), signal);
    if (signal.aborted && !ok) return;
    if (ok) {
      await alertMessages.remove(store, target.name, own);
      return;
    }
    const attempts = Math.max(...own.map((message) => message.attempts));
    const fields = { target: target.name, reason, attempts };
    if (attempts >= MAX_ATTEMPTS) {
      log.error(fields, 'an alert message was given up');
      await alertMessages.remove(store, target.name, own);
      return;
    }
    log.warn(fields, 'an alert message was not delivered; trying again');
    const wait = Math.min(MAX_RETRY_SECONDS, Math.max(retryAfter ?? 0, 2 ** (attempts - 1)));
    await alertMessages.postpone(store, target.name, own, now() + wait);
  }
}

/** What a message says about a transition. */
export function noticeOf(
  row: ListedTransition,
  chainNames: ReadonlyMap<number, string>,
): AlertNotice {
  const { name, kind, family, chainId, status, at, announcedAt, value, bound } = row;
  const { assetDecimals: decimals, assetSymbol: symbol } = row;
  return {
    ...{ name, kind, family, at, announcedAt, value, bound },
    chain: chainNames.get(chainId) ?? String(chainId),
    status: status === ALERT_STATUS.fired ? 'fired' : 'cleared',
    asset: decimals === null || symbol === null ? null : { decimals, symbol },
  };
}
