import { failure } from '../wire/errors.ts';
import { createWire, type Wire, type WireOptions } from '../wire/send.ts';
import { type CachedResponses, createCachedResponses } from './keptAnswers.ts';

export interface ClientOptions extends WireOptions {
  /** URL of the server: https://api.example.com */
  readonly url: string;
  /**
   * Number of responses to cache and revalidate by ETag. Default: 100. Browsers have their own cache, so none are
   * cached there, which also saves cross-origin pages a preflight.
   */
  readonly cacheSize?: number;
  /** @deprecated Use `cacheSize`. */
  readonly keep?: number;
}

/** A connection to one server, passed to every action. */
export interface Client {
  /** Without a trailing slash. */
  readonly url: string;
  readonly wire: Wire;
  readonly kept: CachedResponses | undefined;
}

/**
 * Returns a client for one server. Pass it to every action.
 *
 * @example
 * const other = createClient({ url: client.url, timeoutMs: 10_000 });
 * console.log(await getLiveness(other));
 */
export function createClient(options: ClientOptions): Client {
  const { url, keep = isBrowser() ? 0 : 100, cacheSize = keep } = options;
  if (!/^https?:\/\/[^/?#@]+(\/[^?#]*)?$/.test(url)) {
    throw failure('config', `${url} is not the URL of a server. Pass one like https://host.`, {});
  }
  return {
    url: url.replace(/\/+$/, ''),
    wire: createWire(options),
    kept: cacheSize > 0 ? createCachedResponses(cacheSize) : undefined,
  };
}

function isBrowser(): boolean {
  return 'document' in globalThis || 'importScripts' in globalThis;
}
