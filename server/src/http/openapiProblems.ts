import type { ApiResponse } from './openapiDocument.ts';

/** References to the responses of these statuses. */
export function problemReferences(statuses: readonly number[]) {
  const sorted = [...statuses].sort((a, b) => a - b);
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
  429: 'TooManyRequests',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
};

const RETRY_AFTER = { 'Retry-After': header('Seconds to wait.', '5') };

const DEPRECATION = header('Since when it is deprecated, as a structured date.', '@1790812799');

/** Of what the previous API still answers. */
export const DEPRECATION_HEADERS = {
  Link: header('The successor.', '</v1/vaults/svcusd>; rel="successor-version"'),
  Sunset: header('The last second in which it is answered.', 'Wed, 31 Mar 2027 23:59:59 GMT'),
  Deprecation: DEPRECATION,
};

export const PROBLEM_RESPONSES = {
  BadRequest: problemResponse('A parameter cannot be used; `errors` names every one.', {
    title: 'Bad Request',
    status: 400,
    detail: 'limit must be a whole number from 1 to 500',
    errors: [{ parameter: 'limit', reason: 'must be a whole number from 1 to 500' }],
  }),
  Forbidden: problemResponse('The payer is not served; nothing is charged.', {
    title: 'Forbidden',
    status: 403,
    detail: 'this payer is not served',
  }),
  NotFound: problemResponse(
    'There is no vault family with that slug, no such node, or no such route.',
    {
      title: 'Not Found',
      status: 404,
      detail: 'there is no vault family svcxyz',
    },
  ),
  Conflict: problemResponse(
    'The payment identifier was used with another authorization or for another request; nothing is charged, and no invoice is given.',
    {
      title: 'Conflict',
      status: 409,
      detail:
        'this payment identifier was used with another authorization or for another request; nothing was charged for this one: send what it was first used with, or take a new identifier',
      code: 'payment_identifier_conflict',
    },
  ),
  Gone: problemResponse(
    'A route of the previous API.',
    {
      title: 'Gone',
      status: 410,
      detail:
        'The previous API has ended. This is now GET /v1/vaults/svcusd, with a new response schema.',
      successor: '/v1/vaults/svcusd',
    },
    {
      Link: header(
        'The successor, where it is known.',
        '</v1/vaults/svcusd>; rel="successor-version"',
      ),
      Sunset: header('When the previous API ended.', 'Wed, 30 Sep 2026 23:59:59 GMT'),
      Deprecation: DEPRECATION,
    },
  ),
  TooManyRequests: problemResponse(
    'More requests than one client address, or one payer, may send; or settlements for the payer failed, and it has to wait.',
    {
      title: 'Too Many Requests',
      status: 429,
      detail: 'more requests than one client may send; wait 1 s',
    },
    RETRY_AFTER,
  ),
  InternalServerError: problemResponse('A fault of the server, which says nothing more.', {
    title: 'Internal Server Error',
    status: 500,
  }),
  ServiceUnavailable: problemResponse(
    'The data cannot be read at the moment, or has never been read yet.',
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
