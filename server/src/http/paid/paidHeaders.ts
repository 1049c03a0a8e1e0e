const EXPOSED = 'PAYMENT-REQUIRED, PAYMENT-RESPONSE, Retry-After';

/**
 * Pages of any origin can pay: the stock browser client sends all three of these, and reads the two response headers.
 */
export const PAID_CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': `${EXPOSED}, X-Request-Id`,
} as const;

export const PAID_PREFLIGHT_HEADERS =
  'PAYMENT-SIGNATURE, X-PAYMENT, Access-Control-Expose-Headers, Content-Type, X-Request-Id';

export type Headers = Readonly<Record<string, string | number>>;

/** Stock proxies accept 4 KB of headers, and add their own. */
export const MAX_HEAD_BYTES = 3_500;
/** Status line, `Date`, `Connection`, and `Keep-Alive`, which Node adds. */
const OTHER_BYTES = 140;

/**
 * Adds the id of the request if there is room. Only an invoice for the longest URLs after a failed settlement leaves
 * none, and a proxy that drops a response is worse than a response without an id.
 */
export function withRequestId(headers: Headers, id: string | undefined): Headers {
  if (id === undefined) return headers;
  const all = { ...headers, 'x-request-id': id };
  if (bytesOf(all) + OTHER_BYTES < MAX_HEAD_BYTES) return all;
  return { ...headers, 'access-control-expose-headers': EXPOSED };
}

/** The same for a response that is sent often: names and values alternate, which Node sends without lookups. */
export function preparedHeaders(headers: Headers): (id: string | undefined) => string[] {
  const list = listOf(headers);
  const room = MAX_HEAD_BYTES - OTHER_BYTES - bytesOf({ ...headers, 'x-request-id': '' });
  return (id) => {
    if (id === undefined) return list;
    return id.length < room ? [...list, 'x-request-id', id] : listOf(withRequestId(headers, id));
  };
}

function listOf(headers: Headers): string[] {
  return Object.entries(headers).flatMap(([name, value]) => [name, String(value)]);
}

function bytesOf(headers: Headers): number {
  let bytes = 0;
  for (const name in headers) bytes += name.length + String(headers[name]).length + 4;
  return bytes;
}
