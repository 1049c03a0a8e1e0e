import { MAX_PAYMENT_HEADER_BYTES } from '../payments/gate/gate.ts';
import { MAX_HEADER_BYTES, MAX_URL_LENGTH } from './httpServer.ts';
import type { ApiResponse } from './openapiDocument.ts';
import { MAX_RESOURCE_LENGTH } from './paid/resource.ts';
import { noSuch } from './problem.ts';

/** Any URL can be too long, and so can any headers. */
const OF_ALL = [414, 431];

/** Returns references to the responses of these statuses, and of those that every operation has. */
export function problemReferences(statuses: readonly number[]) {
  const sorted = [...new Set([...statuses, ...OF_ALL])].sort((a, b) => a - b);
  return Object.fromEntries(
    sorted.map((status) => [status, { $ref: `#/components/responses/${RESPONSE_NAMES[status]}` }]),
  );
}

const RESPONSE_NAMES: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Gone',
  414: 'UriTooLong',
  429: 'TooManyRequests',
  431: 'HeadersTooLarge',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
};

const RETRY_AFTER = { 'Retry-After': header('Seconds to wait.', '5') };

const DEPRECATION = header('When it was deprecated, as a structured date.', '@1790812799');

/** Of the legacy routes that are still served. */
export const DEPRECATION_HEADERS = {
  Link: header('The successor, if there is one.', '</v1/vaults/svcusd>; rel="successor-version"'),
  Sunset: header('Until when it is served.', 'Wed, 31 Mar 2027 23:59:59 GMT'),
  Deprecation: DEPRECATION,
};

export const PROBLEM_RESPONSES = {
  BadRequest: problemResponse('A parameter is invalid; `errors` lists each one.', {
    title: 'Bad Request',
    status: 400,
    detail: 'limit must be an integer from 1 to 500',
    errors: [{ parameter: 'limit', reason: 'must be an integer from 1 to 500' }],
  }),
  Forbidden: problemResponse('The payer is blocked. Nothing is charged.', {
    title: 'Forbidden',
    status: 403,
    detail: 'this payer is blocked',
  }),
  NotFound: problemResponse(
    'There is no such vault family, node, or route; `detail` names the route that lists them.',
    {
      title: 'Not Found',
      status: 404,
      detail: noSuch('vault family'),
    },
  ),
  Conflict: problemResponse(
    "`block_unknown`: no stored block has the hash of `block`. It was removed by a reorg, or its hash is not stored. On paid routes, no invoice is sent, so that you don't pay twice. `payment_identifier_conflict`: the payment identifier was used with another authorization or for another request; nothing is charged. `payment_unrecorded`: the payment was charged, but the server has no record of it; it is listed for refund.",
    {
      title: 'Conflict',
      status: 409,
      detail:
        'this payment identifier was used with another authorization or for another request; nothing was charged for this one: send what it was first used with, or take a new identifier',
      code: 'payment_identifier_conflict',
    },
  ),
  Gone: problemResponse(
    '`no_data_then`: there is no data as of that moment; `nearest` is the nearest time with data. `cursor_gone`: events after the cursor are not stored anymore. Without a code, a route of the legacy API.',
    {
      title: 'Gone',
      status: 410,
      detail:
        'The legacy API has ended. This is now GET /v1/vaults/svcusd, with a new response schema.',
      successor: '/v1/vaults/svcusd',
    },
    {
      Link: header(
        'The successor, if it is known.',
        '</v1/vaults/svcusd>; rel="successor-version"',
      ),
      Sunset: header('When the legacy API ended.', 'Wed, 30 Sep 2026 23:59:59 GMT'),
      Deprecation: DEPRECATION,
    },
  ),
  UriTooLong: problemResponse(
    `The URL exceeds ${MAX_URL_LENGTH} characters, or path and query of a paid request exceed ${MAX_RESOURCE_LENGTH}.`,
    {
      title: 'URI Too Long',
      status: 414,
      detail: `the URL has more than ${MAX_URL_LENGTH} characters; send a shorter one`,
    },
  ),
  TooManyRequests: problemResponse(
    'The client address or the payer exceeded its rate limit, or settlements for the payer failed. Retry after `Retry-After`.',
    {
      title: 'Too Many Requests',
      status: 429,
      detail: 'rate limit exceeded; retry after 1 s',
    },
    RETRY_AFTER,
  ),
  HeadersTooLarge: problemResponse(
    `URL and headers together exceed ${MAX_HEADER_BYTES / 1024} KiB, or a payment header exceeds ${MAX_PAYMENT_HEADER_BYTES} bytes.`,
    {
      title: 'Request Header Fields Too Large',
      status: 431,
      detail: 'the URL and headers together are too long; send shorter ones',
    },
  ),
  InternalServerError: problemResponse('An error of the server, without details.', {
    title: 'Internal Server Error',
    status: 500,
  }),
  ServiceUnavailable: problemResponse(
    'The data cannot be read now, or has not been read yet. On paid routes, `payment_status_unknown`: the payment may have been charged, so repeat the same request and do not sign again.',
    {
      title: 'Service Unavailable',
      status: 503,
      detail: 'svcusd has not been read yet; try again soon',
    },
    RETRY_AFTER,
  ),
};

function problemResponse(description: string, members: object, headers?: ApiResponse['headers']) {
  const schema = { $ref: '#/components/schemas/Problem' };
  const example = { type: 'about:blank', ...members };
  return {
    description,
    ...(headers && { headers }),
    content: { 'application/problem+json': { schema, example } },
  };
}

export function header(description: string, example: string) {
  return { description, schema: { type: 'string' }, example };
}
