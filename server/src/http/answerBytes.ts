import { hash as hashOf } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { compress, type Encoding, WORTH_COMPRESSING } from './compression.ts';
import { type Exchange, exchangeOf } from './exchange.ts';
import { CORS_HEADERS, SECURITY_HEADERS } from './headers.ts';
import type { Access } from './route.ts';

/** A response in one encoding, ready to be sent: headers and bytes are created once. */
export interface Variant {
  /** Absent if it is never cached. */
  readonly etag: string | undefined;
  /** A string contains only ASCII. */
  readonly body: Buffer | string;
  /** Names and values alternate, as writeHead accepts them. */
  readonly headers: string[];
  readonly headersNotModified: string[];
  /** For stale data: its time, in milliseconds of `performance.now()`. */
  readonly asOf: number | undefined;
}

/** A response as bytes, in every requested encoding. */
export interface AnswerBytes {
  readonly length: number;
  /** Returns the variant if it exists already. */
  ready(encoding: Encoding): Variant | undefined;
  load(encoding: Encoding): Promise<Variant>;
}

export interface BytesOptions {
  readonly body: Buffer | string;
  readonly access: Access;
  /** The body, as the route returned it. */
  readonly maxAge: number;
  readonly mediaType?: string;
  /** Added to the default headers, or replacing them. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For stale data: its time, in milliseconds of `performance.now()`. */
  readonly asOf?: number | undefined;
}

/** Short text is sent as a string together with its headers, which is cheaper than converting it to bytes. */
const SHORT = 32_768;

export function createAnswerBytes(options: BytesOptions): AnswerBytes {
  const { access, maxAge, mediaType = 'application/json', asOf } = options;
  const headers = asOf === undefined || maxAge === 0 ? options.headers : revalidated(options);
  const length = Buffer.byteLength(options.body);
  const body =
    length <= SHORT && length === options.body.length ? options.body : toBytes(options.body);
  const hash = maxAge === 0 ? undefined : hashOf('sha256', body, 'base64url').slice(0, 27);
  const isUsual = headers === undefined && access === 'open';
  const common = isUsual ? usualHeaders(maxAge) : headersOf(access, maxAge, headers);
  const made = new Map<Encoding, Variant>();
  const inFlight = new Map<Encoding, Promise<Variant>>();
  const plain = variant('identity', body);

  function variant(encoding: Encoding, bytes: Buffer | string): Variant {
    // A strong tag identifies bytes, so each encoding has its own.
    const etag = hash && (encoding === 'identity' ? `"${hash}"` : `"${hash}-${encoding}"`);
    const tagged = etag === undefined ? common : ['etag', etag, ...common];
    const coding = encoding === 'identity' ? [] : ['content-encoding', encoding];
    const type = [
      'content-type',
      isPicture(mediaType) ? mediaType : `${mediaType}; charset=utf-8`,
      'content-length',
      String(bytes.length),
    ];
    const one = {
      etag,
      body: bytes,
      headers: [...type, ...coding, ...tagged],
      headersNotModified: tagged,
      asOf,
    };
    made.set(encoding, one);
    return one;
  }

  async function make(encoding: 'gzip' | 'br'): Promise<Variant> {
    const bytes = await compress(toBytes(body), encoding);
    return variant(encoding, bytes);
  }

  function ready(encoding: Encoding): Variant | undefined {
    if (encoding === 'identity' || length <= WORTH_COMPRESSING) return plain;
    return made.get(encoding);
  }

  async function load(encoding: Encoding): Promise<Variant> {
    if (encoding === 'identity') return plain;
    const found = ready(encoding);
    if (found !== undefined) return found;
    let making = inFlight.get(encoding);
    if (making === undefined) {
      making = make(encoding).finally(() => inFlight.delete(encoding));
      inFlight.set(encoding, making);
    }
    return making;
  }

  return { length, ready, load };
}

/** Unlike an SVG, which is text. */
function isPicture(mediaType: string): boolean {
  return /^image\/(?!svg)/.test(mediaType);
}

function toBytes(body: Buffer | string): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : body;
}

/** Most responses have the same headers, and a page of history is created for each request. */
const usual = new Map<number, string[]>();

function usualHeaders(maxAge: number): string[] {
  const known = usual.get(maxAge);
  if (known !== undefined) return known;
  const made = headersOf('open', maxAge);
  usual.set(maxAge, made);
  return made;
}

function headersOf(
  access: Access,
  maxAge: number,
  more: Readonly<Record<string, string>> = {},
): string[] {
  return Object.entries({
    ...SECURITY_HEADERS,
    ...CORS_HEADERS[access],
    'cache-control': maxAge === 0 ? 'no-store' : `public, max-age=${maxAge}`,
    vary: 'Accept-Encoding',
    ...more,
  }).flat();
}

/** Stale data must not be served from a cache after the outage. */
function revalidated({ headers }: BytesOptions): Record<string, string> {
  return { ...headers, 'cache-control': 'no-cache' };
}

function withAge(headers: string[], asOf: number | undefined): string[] {
  if (asOf === undefined) return headers;
  return [...headers, 'age', String(Math.ceil((performance.now() - asOf) / 1000))];
}

/** Sends the response, or 304 if the client has it already. A HEAD gets the headers of the GET. */
export function sendVariant(
  request: IncomingMessage,
  response: ServerResponse,
  variant: Variant,
): void {
  const exchange = exchangeOf(response);
  const known = request.headers['if-none-match'];
  if (known !== undefined && variant.etag !== undefined && isKnown(known, variant.etag)) {
    const notModified = withAge(variant.headersNotModified, variant.asOf);
    response.writeHead(304, withId(notModified, exchange)).end();
    return;
  }
  response.writeHead(200, withId(withAge(variant.headers, variant.asOf), exchange));
  if (request.method === 'HEAD') response.end();
  else response.end(variant.body, 'latin1');
}

function withId(headers: string[], exchange: Exchange | undefined): string[] {
  return exchange === undefined ? headers : ['x-request-id', exchange.id, ...headers];
}

/** If-None-Match compares weakly: `*`, or a list of tags with or without W/. */
export function isKnown(header: string, etag: string): boolean {
  if (header === etag) return true;
  if (header.trim() === '*') return true;
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
