import { failure } from '../wire/errors.ts';
import type { Sending, SendOptions, Wire } from '../wire/send.ts';
import { wireFor } from '../wire/send.ts';
import type { SellerAnswer } from './answer.ts';
import { hexOf } from './authorization.ts';
import type { Purchased } from './present.ts';

/** Limits of one purchase. */
export interface CallLimits extends SendOptions {
  /** Maximum price of this call, in base units. `budget.perCall` applies too. */
  readonly maxAmount?: bigint | undefined;
  /**
   * Id of an earlier payment for the same request that is open, or was charged without a response. Signs a new payment
   * in addition to it, so both can be charged.
   */
  readonly replaces?: string | undefined;
}

/** One purchase: its request and its limits. */
export interface Call extends CallLimits {
  readonly url: URL;
  readonly wire: Wire;
  readonly method?: Sending['method'];
  readonly body?: Sending['body'];
  /** The method and the SHA-256 of the body. Identifies the purchase together with the URL; absent for a GET. */
  readonly request?: string | undefined;
  /** Returns the result in a response; undefined if the response is not valid. */
  readonly read: (sent: SellerAnswer) => unknown;
  /** Receives the result before its payment is closed. */
  readonly accept?: ((purchased: Purchased) => unknown) | undefined;
}

/** Returns a call for a GET with a JSON response. */
export function callOf(wire: Wire, url: string, limits: CallLimits): Call {
  if (!URL.canParse(url)) throw failure('config', `${url.slice(0, 100)} is not a URL.`, {});
  return { ...checked(limits), url: new URL(url), wire: wireFor(wire, limits), read: readJson };
}

/** Returns a call for any request. Any 2xx response is valid. */
export async function fetchCallOf(
  wire: Wire,
  input: string | URL | Request,
  init: RequestInit | undefined,
  limits: CallLimits,
): Promise<Call> {
  let asked: Request;
  try {
    asked = new Request(input, init);
  } catch (error) {
    throw failure('config', 'fetch needs a valid URL and options.', {}, error);
  }
  const { method, url } = asked;
  const bytes = new Uint8Array(await asked.arrayBuffer());
  const body = bytes.length > 0 ? bytes : undefined;
  const signal = limits.signal ?? init?.signal ?? (input as Partial<Request>).signal;
  // The boundary of a form differs each time.
  const isForm = init?.body instanceof FormData;
  const boundary = isForm ? asked.headers.get('content-type')!.split('boundary=')[1] : undefined;
  return {
    ...callOf(wire, url, limits),
    signal,
    headers: { ...Object.fromEntries(asked.headers), ...limits.headers },
    method,
    body,
    request: await nameOf(method, body, boundary),
    read: (sent) => sent,
  };
}

/** Returns a new Response for the result of a `fetch` call. */
export function responseOf({ response, body }: SellerAnswer): Response {
  const { status, statusText, headers } = response;
  return new Response(body.length > 0 ? body : null, { status, statusText, headers });
}

export function textOf({ body }: SellerAnswer): string {
  return new TextDecoder().decode(body);
}

function readJson(sent: SellerAnswer): unknown {
  try {
    return JSON.parse(textOf(sent));
  } catch {
    return undefined;
  }
}

async function nameOf(
  method: string,
  body: Call['body'],
  boundary: string | undefined,
): Promise<string | undefined> {
  if (!body) return method === 'GET' ? undefined : method;
  const hashed = boundary ? withoutText(body, boundary) : body;
  const hash = await crypto.subtle.digest('SHA-256', hashed);
  return `${method} ${hexOf(new Uint8Array(hash))}`;
}

function withoutText(bytes: Uint8Array, text: string): Uint8Array<ArrayBuffer> {
  const hex = hexOf(bytes).replaceAll(hexOf(new TextEncoder().encode(text)), '');
  return new TextEncoder().encode(hex);
}

function checked(limits: CallLimits): CallLimits {
  const { maxAmount = 0n, timeoutMs = 1 } = limits;
  if (typeof maxAmount === 'bigint' && maxAmount >= 0n && timeoutMs > 0) return limits;
  throw failure('config', 'maxAmount must be a bigint of base units, timeoutMs positive.', {});
}
