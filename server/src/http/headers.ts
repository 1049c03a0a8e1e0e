import { PAID_CORS_HEADERS } from './paid/paidHeaders.ts';
import type { Access } from './route.ts';

/** For JSON: forbids running, framing, and content sniffing. */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
} as const;

/** Allows pages of any origin to read open routes. */
export const OPEN_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'ETag, Age, Retry-After, Link, Memento-Datetime, Sunset, Deprecation, X-Request-Id',
} as const;

/** Allows pages of other origins to read a response. */
export const CORS_HEADERS: Readonly<Record<Access, Readonly<Record<string, string>>>> = {
  open: OPEN_HEADERS,
  paid: PAID_CORS_HEADERS,
  probe: {},
};
