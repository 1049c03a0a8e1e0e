import { PAID_CORS_HEADERS } from './paid/paidHeaders.ts';
import type { Access } from './route.ts';

/** For JSON: nothing in it may be run, framed or guessed at. */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
} as const;

/** For pages of any origin that read what is open. */
export const OPEN_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Retry-After, Link, Sunset, Deprecation',
} as const;

/** What lets pages of other origins read an answer. */
export const CORS_HEADERS: Readonly<Record<Access, Readonly<Record<string, string>>>> = {
  open: OPEN_HEADERS,
  paid: PAID_CORS_HEADERS,
  probe: {},
};
