import { isPaidUrl } from './paid/paidHeaders.ts';

/** For JSON: nothing in it may be run, framed or guessed at. */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
} as const;

/** For pages of any origin that read the vault data. */
export const OPEN_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Retry-After, Link, Sunset, Deprecation',
} as const;

const OPEN = /^\/(v1\/|risk\/|openapi\.json|\.well-known\/|llms\.txt|SKILL\.md)/;
const PREVIOUS = /^\/api\/v1\/(vault|history|performance|users)\//;

/** Whether a URL belongs to what pages of any origin may read: vault data, what went before, documents. */
export function isOpen(url: string): boolean {
  return OPEN.test(url) || PREVIOUS.test(url);
}

/** Whether a client's requests for it are counted: all but probes, and what is sold, which has a count of its own. */
export function isLimited(url: string): boolean {
  return !url.startsWith('/health/') && !isPaidUrl(url);
}
