import { isLoopbackHost } from '../domain/loopback.ts';
import type { PostMessage } from '../ingest/alerts/postMessage.ts';
import { createSender } from '../webhooks/sender.ts';

const TIMEOUT_MS = 10_000;

/**
 * Sends a message of an alert as webhooks are sent: only to public addresses, unless the target allows others or is on
 * this machine by its URL. Redirects are not followed.
 */
export const postAlert: PostMessage = async ({ url, body, allowPrivate }, signal) => {
  const sender = createSender({
    url,
    allowPrivate: allowPrivate || isLoopbackHost(new URL(url).hostname),
    timeoutMs: TIMEOUT_MS,
  });
  try {
    const { status, error, retryAfterMs } = await sender.send({}, JSON.stringify(body), signal);
    return {
      ok: error === null,
      reason: error ?? `HTTP ${status}`,
      retryAfter: retryAfterMs > 0 ? Math.ceil(retryAfterMs / 1_000) : null,
    };
  } finally {
    sender.close();
  }
};
