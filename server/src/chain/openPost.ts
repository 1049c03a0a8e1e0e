import { createHttpPost, type HttpPost } from './httpPost.ts';
import { createWsPost, type HeadNews } from './wsPost.ts';

/** The way to a node: over HTTP, or over a WebSocket that can also tell of new heads. */
export function openPost(
  options: Parameters<typeof createHttpPost>[0],
): HttpPost & { readonly heads?: HeadNews } {
  return /^wss?:/i.test(options.url) ? createWsPost(options) : createHttpPost(options);
}
