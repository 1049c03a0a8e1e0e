import { hash as hashOf } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { compress, type Encoding, WORTH_COMPRESSING } from './compression.ts';
import { CORS_HEADERS, SECURITY_HEADERS } from './headers.ts';
import type { Access } from './route.ts';

/** One answer in one encoding, ready to be sent: headers and bytes are made once. */
export interface Variant {
  /** Absent from what is never kept. */
  readonly etag: string | undefined;
  /** A string has ASCII only. */
  readonly body: Buffer | string;
  /** Names and values in turn, as writeHead takes them. */
  readonly headers: string[];
  readonly headersNotModified: string[];
}

/** An answer as bytes, in every encoding that was asked for. */
export interface AnswerBytes {
  readonly length: number;
  /** The variant if it is already made. */
  ready(encoding: Encoding): Variant | undefined;
  load(encoding: Encoding): Promise<Variant>;
}

export interface BytesOptions {
  readonly body: Buffer | string;
  readonly access: Access;
  /** As a route has it. */
  readonly maxAge: number;
  readonly mediaType?: string;
  /** Besides the usual ones, or instead of them. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A short text is sent in one piece with its headers; to make bytes of it first costs more. */
const SHORT = 32_768;

export function createAnswerBytes(options: BytesOptions): AnswerBytes {
  const { access, maxAge, mediaType = 'application/json', headers } = options;
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
    // A strong tag names bytes: each encoding has its own.
    const etag = hash && (encoding === 'identity' ? `"${hash}"` : `"${hash}-${encoding}"`);
    const tagged = etag === undefined ? common : ['etag', etag, ...common];
    const coding = encoding === 'identity' ? [] : ['content-encoding', encoding];
    const type = [
      'content-type',
      `${mediaType}; charset=utf-8`,
      'content-length',
      String(bytes.length),
    ];
    const one = {
      etag,
      body: bytes,
      headers: [...type, ...coding, ...tagged],
      headersNotModified: tagged,
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

function toBytes(body: Buffer | string): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : body;
}

/** Most answers have the same few, and a page of history is made for each request. */
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

/** Sends it, or 304 when the client has it already. A HEAD gets the headers of the GET. */
export function sendVariant(
  request: IncomingMessage,
  response: ServerResponse,
  variant: Variant,
): void {
  const known = request.headers['if-none-match'];
  if (known !== undefined && variant.etag !== undefined && isKnown(known, variant.etag)) {
    response.writeHead(304, variant.headersNotModified).end();
    return;
  }
  response.writeHead(200, variant.headers);
  if (request.method === 'HEAD') response.end();
  else response.end(variant.body, 'latin1');
}

/** If-None-Match compares weakly: `*`, or a list of tags with or without W/. */
export function isKnown(header: string, etag: string): boolean {
  if (header === etag) return true;
  if (header.trim() === '*') return true;
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
