import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** One request and its response, from the first byte that the server handles to the last that it sends. */
export interface Exchange {
  /** Identifies the request in the response and in the log. */
  readonly id: string;
  /** Milliseconds of a monotonic clock. */
  readonly startedAt: number;
  /** Path of the route as OpenAPI writes it, once it is known. */
  route: string | undefined;
}

const EXCHANGE = Symbol('exchange');

interface Marked {
  [EXCHANGE]?: Exchange;
}

/** Short enough for the header limits of paid routes, and safe in a log line and a header. */
const CLIENT_ID = /^[A-Za-z0-9._:=-]{1,64}$/;

const ID_LENGTH = 16;
let letters = '';
let used = 0;

/**
 * 96 random bits. Generated for many ids at once: one by one, they would cost as much as all other measurements here.
 */
function createId(): string {
  if (used === letters.length) {
    letters = randomBytes(3_072).toString('base64url');
    used = 0;
  }
  used += ID_LENGTH;
  return letters.slice(used - ID_LENGTH, used);
}

export function beginExchange(request: IncomingMessage, response: ServerResponse): Exchange {
  const sent = request.headers['x-request-id'];
  const id = typeof sent === 'string' && CLIENT_ID.test(sent) ? sent : createId();
  const exchange = { id, startedAt: performance.now(), route: undefined };
  (response as Marked)[EXCHANGE] = exchange;
  return exchange;
}

/** Undefined for servers other than the public one. */
export function exchangeOf(response: ServerResponse): Exchange | undefined {
  return (response as Marked)[EXCHANGE];
}

/** The header of every response. Responses are cached and stored without it. */
export function requestIdHeader(response: ServerResponse): { 'x-request-id'?: string } {
  const id = exchangeOf(response)?.id;
  return id === undefined ? {} : { 'x-request-id': id };
}
