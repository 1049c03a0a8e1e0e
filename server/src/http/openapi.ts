import type { RateLimitConfig } from '../config/config.ts';
import {
  type ApiResponse,
  type JsonSchema,
  type OpenApi,
  type Operation,
  toJsonSchema,
} from './openapiDocument.ts';
import {
  DEPRECATION_HEADERS,
  header,
  PROBLEM_RESPONSES,
  problemReferences,
} from './openapiProblems.ts';
import { paidOperation } from './paid/openapiPaid.ts';
import { isPaidRoute } from './paid/paidRoute.ts';
import { type PaidOffer, paidText } from './paid/paidText.ts';
import { MAX_RESOURCE_LENGTH } from './paid/resource.ts';
import { BYTES_OF_ONE } from './rateLimit.ts';
import type { Route } from './route.ts';
import { Problem } from './schemas.ts';

const description = (
  limit: string,
) => `Current and historical data of vault families and wallets, and risk grades. All requests are GET and need no key. The risk queries under \`/api/v1/agent/\` are paid; see their section.

- Amounts are strings: integers in base units, in decimal digits. Only \`realized\` and \`unrealized\` can be negative.
- Rates are fractions: 0.045 is 4.5%. Fields that end in \`Pct\` are percentages, 0 to 100. \`allocationBps\` is in basis points.
- Values in US dollars are JSON numbers. They are null if no price was available, never 0.
- Times are ISO 8601 in UTC and end in Z; \`blockTimestamp\` is in Unix seconds.
- Addresses in responses have an EIP-55 checksum. Requests accept any case, but a mixed-case address with an invalid checksum returns 400.
- Unknown query parameters are ignored. A repeated or empty parameter returns 400.
- HEAD returns the headers of GET without a body. Web pages of any origin can read the API (CORS). POST, PUT, PATCH, DELETE, and TRACE return 405.
- Responses have a strong ETag, one per encoding (br, gzip, or none). A request whose \`If-None-Match\` contains it returns 304 without a body.
- While the database is unavailable, free routes can be served from a replica. \`Age\` then has the age of the data in seconds, and \`Cache-Control\` is \`no-cache\`. Without \`Age\`, data is current.
- Errors are \`application/problem+json\` (RFC 9457). A URL over 8192 characters returns 414, and so does a paid request whose path and query exceed ${MAX_RESOURCE_LENGTH} characters. Headers over 16 KiB return 431.
- Every response has an \`X-Request-Id\`, which identifies it in the server's log. A request can set it: up to 64 letters, digits, and \`._:=-\`.
- Responses can get new fields at any time: ignore fields that you do not know.
- ${limit}`;

const LEGACY_GONE =
  'The legacy API, which ended on September 30, 2026. Every route returns 410 with its successor.';
const LEGACY_BRIDGED =
  'The legacy API, which ended on September 30, 2026. This server still serves its routes in their old format, from current data, until the date in the `Sunset` header; the `Link` header has the successor. After that date, they return 410.';

const tags = (risk: string, legacy: string) => [
  { name: 'vaults', description: 'Vault families: snapshots and time series.' },
  { name: 'history', description: 'Deposits, redemptions, and payouts, newest first.' },
  {
    name: 'events',
    description: 'Every change of the served data, in order, including retractions.',
  },
  { name: 'export', description: 'Whole tables as files.' },
  {
    name: 'wallets',
    description: 'Performance, pending redemptions and deposits, and history of a wallet.',
  },
  { name: 'risk', description: risk },
  { name: 'service', description: 'The state of this server and its chains.' },
  { name: 'previous', description: legacy },
];

export interface OpenApiOptions {
  readonly routes: readonly Route[];
  readonly version: string;
  /** URL of the API; undefined: the origin of the document. */
  readonly publicUrl: string | undefined;
  /** Of the vault data API. */
  readonly rateLimit: RateLimitConfig | undefined;
  /** Of the paid routes; undefined: there are none. */
  readonly offer: PaidOffer | undefined;
}

/** Creates the OpenAPI 3.1 document of the entire API from the served routes. */
export function createOpenApi(options: OpenApiOptions): OpenApi {
  const { offer, publicUrl } = options;
  const paths: Record<string, { get: Operation }> = {};
  const bridged = options.routes.some((route) => route.tag === 'previous' && isAnswered(route));
  const legacy = bridged ? LEGACY_BRIDGED : LEGACY_GONE;
  for (const route of options.routes) {
    paths[route.path] = { get: routeOperation(route, options) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Assay API',
      version: options.version,
      description: description(limitText(options.rateLimit)),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl ?? '/' }],
    tags: tags(
      offer === undefined ? 'This server does not sell risk data.' : paidText(offer),
      legacy,
    ),
    paths,
    components: { schemas: { Problem: toJsonSchema(Problem) }, responses: PROBLEM_RESPONSES },
  };
}

function limitText(rateLimit: RateLimitConfig | undefined): string {
  if (rateLimit === undefined || rateLimit.perSecond === 0) {
    return 'The vault data API has no rate limit.';
  }
  const { perSecond, burst } = rateLimit;
  return `Rate limit: a client address can send ${perSecond} requests per second to the vault data API, in bursts of up to ${burst}. A response that is not cached counts as one more request per ${BYTES_OF_ONE / 1024} KiB. Above the limit, the response is 429 with \`Retry-After\`.`;
}

function routeOperation(route: Route, { offer, publicUrl }: OpenApiOptions): Operation {
  const { operationId, summary, description, tag } = route;
  const parameters = route.parameters.map((parameter) => {
    const schema = toJsonSchema(parameter.schema);
    return { ...parameter, schema, example: exampleOf(schema, parameter.example) };
  });
  if (isPaidRoute(route) && offer !== undefined) {
    const url = offer.publicUrl ?? publicUrl ?? 'https://api.example.com';
    return paidOperation(route, parameters, { offer, publicUrl: url });
  }
  const limited = route.access === 'probe' ? [] : [429];
  const statuses = new Set<number>([...route.problems, ...limited, 500, 503]);
  const answered = isAnswered(route);
  const answers: Operation['responses'] = answered
    ? { 200: success(route), ...(route.maxAge > 0 && { 304: NOT_MODIFIED }) }
    : {};
  return {
    operationId,
    summary,
    description,
    tags: [tag],
    ...((tag === 'previous' || route.deprecated) && { deprecated: true }),
    parameters,
    responses: { ...answers, ...problemReferences([...statuses]) },
  };
}

/** Some routes of the legacy API only return their successor. */
function isAnswered({ response }: Route): boolean {
  return response !== Problem;
}

/** Examples are URL text; the document needs a number if the schema is numeric. */
function exampleOf(schema: JsonSchema, example: string): string | number {
  return schema.type === 'integer' || schema.type === 'number' ? Number(example) : example;
}

function success(route: Route): ApiResponse {
  const schema = toJsonSchema(route.response);
  const mediaType = route.mediaType ?? 'application/json';
  const content = { [mediaType]: { schema, example: route.responseExample } };
  const links = route.paged && { Link: NEXT_PAGE };
  if (route.maxAge === 0) {
    return { description: 'The response.', ...(links && { headers: links }), content };
  }
  return {
    description: `The response. Can be cached for ${route.maxAge} seconds.`,
    headers: {
      ETag: header(
        'A strong tag of these bytes in this encoding.',
        '"3Fq1mC0eFvKp9A7xw2dUaXbQz4k-br"',
      ),
      'Cache-Control': header(
        'How long the response can be cached.',
        `public, max-age=${route.maxAge}`,
      ),
      Vary: header('The tag and the bytes depend on the requested encoding.', 'Accept-Encoding'),
      ...links,
      ...(route.tag === 'previous' && DEPRECATION_HEADERS),
    },
    content,
  };
}

const NEXT_PAGE = header(
  'The next page, as a URL relative to this one (RFC 8288); absent on the last page.',
  '</v1/vaults?limit=100&cursor=bTfN0uq1-0qvXb4Yw5m3sQc3ZjdXNk>; rel="next"',
);

const NOT_MODIFIED: ApiResponse = {
  description: 'The client already has this response (If-None-Match).',
};
