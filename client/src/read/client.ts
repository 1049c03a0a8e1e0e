import { failure } from '../wire/errors.ts';
import { createWire, type Wire, type WireOptions } from '../wire/send.ts';
import { createKeptAnswers, type KeptAnswers } from './keptAnswers.ts';

export interface ClientOptions extends WireOptions {
  /** Where the server is: https://api.example.com */
  readonly url: string;
  /**
   * How many answers to keep, to be asked for again by their ETag; 100 unless told. In a browser none are: it does the
   * same by itself, and a page of another origin would pay for it with a preflight.
   */
  readonly keep?: number;
}

/** A server to read from. Make one for each server, and give it to every action. */
export interface Client {
  /** Without a slash at its end. */
  readonly url: string;
  readonly wire: Wire;
  readonly kept: KeptAnswers | undefined;
}

export function createClient(options: ClientOptions): Client {
  const { url, keep = isBrowser() ? 0 : 100 } = options;
  if (!/^https?:\/\/[^/?#@]+(\/[^?#]*)?$/.test(url)) {
    throw failure('config', `${url} is no address of a server: give one like https://host`, {});
  }
  return {
    url: url.replace(/\/+$/, ''),
    wire: createWire(options),
    kept: keep > 0 ? createKeptAnswers(keep) : undefined,
  };
}

function isBrowser(): boolean {
  return 'document' in globalThis || 'importScripts' in globalThis;
}
