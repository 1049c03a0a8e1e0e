import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { isPublicAddress } from './publicAddress.ts';
import { retryAfter } from './retry.ts';

/** The result of one request. */
export interface Outcome {
  /** Null: there was no response. */
  readonly status: number | null;
  /** Null: delivered. Without URLs, and without text of the receiver. */
  readonly error: string | null;
  /** Milliseconds that the receiver wants the next attempt to wait; 0: it did not say. */
  readonly retryAfterMs: number;
}

export interface SenderOptions {
  readonly url: string;
  /** Whether it may connect to addresses that are not public. */
  readonly allowPrivate: boolean;
  readonly timeoutMs?: number;
  /** Resolves host names; default: as the system does. */
  readonly resolve?: Resolve;
}

/** Posts to one URL over connections of its own. */
export interface Sender {
  send(
    headers: Readonly<Record<string, string>>,
    body: string,
    signal?: AbortSignal,
  ): Promise<Outcome>;
  close(): void;
}

export type Resolve = (
  hostname: string,
  options: LookupOptions & { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

const TIMEOUT_MS = 15_000;
/** A response that is read to its end leaves its connection usable. A longer one is cut. */
const MAX_RESPONSE_BYTES = 64 * 1024;

class PrivateAddress extends Error {
  override readonly name = 'PrivateAddress';
}

export function createSender(options: SenderOptions): Sender {
  const { allowPrivate, timeoutMs = TIMEOUT_MS, resolve = lookup } = options;
  const url = new URL(options.url);
  const isTls = url.protocol === 'https:';
  const agentOptions = { keepAlive: true, maxSockets: 1 };
  const agent = isTls ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions);
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  return { send, close: () => agent.destroy() };

  async function send(
    headers: Readonly<Record<string, string>>,
    body: string,
    signal?: AbortSignal,
  ): Promise<Outcome> {
    // An address in the URL is connected to without a lookup.
    if (!allowPrivate && isIP(literal) !== 0 && !isPublicAddress(literal)) return failed(PRIVATE);
    const deadline = AbortSignal.timeout(timeoutMs);
    const until = signal === undefined ? deadline : AbortSignal.any([deadline, signal]);
    for (;;) {
      const { outcome, wasStale } = await post(headers, body, until);
      if (wasStale) continue;
      return deadline.aborted && outcome.status === null ? failed(TIMED_OUT) : outcome;
    }
  }

  function post(headers: Readonly<Record<string, string>>, body: string, signal: AbortSignal) {
    return new Promise<{ readonly outcome: Outcome; readonly wasStale: boolean }>((settle) => {
      const send = isTls ? httpsRequest : httpRequest;
      const bytes = Buffer.from(body);
      const sent = send(url, {
        method: 'POST',
        agent,
        signal,
        ...(!allowPrivate && { lookup: publicLookup(resolve) }),
        headers: {
          ...headers,
          'content-type': 'application/json',
          'content-length': bytes.length,
          'user-agent': 'assay-webhooks',
        },
      });
      sent.on('response', (response) => {
        const outcome = outcomeOf(response);
        drain(response, () => settle({ outcome, wasStale: false }));
      });
      sent.on('error', (error: NodeJS.ErrnoException) => {
        // The receiver closed an idle connection at the same moment: HTTP allows to repeat this on a new one.
        const wasStale = sent.reusedSocket && error.code === 'ECONNRESET' && !signal.aborted;
        settle({ outcome: failed(textOf(error)), wasStale });
      });
      sent.end(bytes);
    });
  }
}

/**
 * Resolves a host name to its public addresses. As the hook of the socket, it returns the addresses that are
 * connected to, so a name that resolves differently the next time gains nothing.
 */
export function publicLookup(resolve: Resolve) {
  return (
    hostname: string,
    options: LookupOptions,
    callback: (error: Error | null, address: string | LookupAddress[], family?: number) => void,
  ): void => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, []);
      const allowed = addresses.filter(({ address }) => isPublicAddress(address));
      const [first] = allowed;
      if (first === undefined) callback(new PrivateAddress(PRIVATE), []);
      else if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}

const PRIVATE = 'the address is not public; set allowPrivate if that is intended';
const TIMED_OUT = 'no response in time';

function failed(error: string): Outcome {
  return { status: null, error, retryAfterMs: 0 };
}

function outcomeOf({ statusCode = 0, headers }: IncomingMessage): Outcome {
  if (statusCode >= 200 && statusCode < 300) {
    return { status: statusCode, error: null, retryAfterMs: 0 };
  }
  const isRedirect = statusCode >= 300 && statusCode < 400;
  const error = isRedirect
    ? `HTTP ${statusCode}: redirects are not followed; configure the final URL`
    : `HTTP ${statusCode}`;
  return { status: statusCode, error, retryAfterMs: retryAfter(headers['retry-after']) };
}

/** Reads a response to its end without keeping it; cuts one that is too long. */
function drain(response: IncomingMessage, done: () => void): void {
  let bytes = 0;
  response.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > MAX_RESPONSE_BYTES) response.destroy();
  });
  // The status counts even if the connection breaks, or the time ends, during the body.
  response.on('error', () => {}).on('close', done);
}

/** Messages of the system may contain addresses; its codes are from fixed lists. */
function textOf(error: NodeJS.ErrnoException): string {
  if (error instanceof PrivateAddress) return error.message;
  return error.code !== undefined && /^[A-Z0-9_]{1,60}$/.test(error.code)
    ? error.code
    : 'the request failed';
}
