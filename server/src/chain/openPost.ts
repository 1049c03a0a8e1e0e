import type { HeadSubscription } from './headSubscription.ts';
import { createHttpPost, type HttpPost } from './httpPost.ts';
import { createWsPost } from './wsPost.ts';

/** Opens a connection to a URL: HTTP, or a WebSocket that also supports subscriptions to new heads. */
export function openPost(
  options: Parameters<typeof createHttpPost>[0],
): HttpPost & { readonly heads?: HeadSubscription } {
  return /^wss?:/i.test(options.url) ? createWsPost(options) : createHttpPost(options);
}
