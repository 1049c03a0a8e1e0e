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
import { BYTES_OF_ONE } from './rateLimit.ts';
import type { Route } from './route.ts';
import { Problem } from './schemas.ts';

const description = (
  limit: string,
) => `Historical and current figures of vault families, for the protocol and for each wallet, and graded risk data. Everything is read with GET and needs no key; the risk queries under \`/api/v1/agent/\` are paid, see their section.

- Amounts are strings: integers in base units, in decimal digits. Only \`realized\` and \`unrealized\` may be negative.
- Rates are fractions: 0.045 is 4.5 %. Fields that end in \`Pct\` are percent, 0 to 100. \`allocationBps\` is in basis points.
- Money in US dollars is a JSON number; it is null when no price was held, never 0.
- Times are ISO 8601 in UTC and end in Z; \`blockTimestamp\` is Unix seconds.
- Addresses are EIP-55 checksummed in every answer. In a request they may be in any case, but a mixed-case address with a wrong checksum is 400.
- Unknown query parameters are ignored. A parameter that is given twice, or empty, is 400.
- HEAD answers as GET without a body. Pages of any origin may read the API (CORS). POST, PUT, PATCH, DELETE and TRACE are 405.
- Answers carry a strong ETag, one for each encoding (br, gzip or none); a request with \`If-None-Match\` that names it is answered 304 without a body.
- Errors are \`application/problem+json\` (RFC 9457). A URL over 8192 characters is 414, headers over 16 KiB are 431.
- Answers may get new fields at any time: ignore those that you do not know.
- ${limit}`;

const PREVIOUS_GONE =
  'The previous API, which ended on 30 September 2026. Every route answers 410 and names its successor.';
const PREVIOUS_BRIDGED =
  "The previous API, which ended on 30 September 2026. This server still answers its routes for a while in their own shapes, from today's figures: the `Sunset` of each answer says until when, and its `Link` names the successor. Then they are 410.";

const tags = (risk: string, previous: string) => [
  { name: 'vaults', description: 'Vault families: snapshots and time series.' },
  { name: 'history', description: 'Deposits, redemptions and payments, newest first.' },
  { name: 'wallets', description: 'What a wallet has, is owed and has earned.' },
  { name: 'risk', description: risk },
  { name: 'service', description: 'The state of this server and its chains.' },
  { name: 'previous', description: previous },
];

export interface OpenApiOptions {
  readonly routes: readonly Route[];
  readonly version: string;
  /** Where the API is; the document's own origin when undefined. */
  readonly publicUrl: string | undefined;
  /** Of the vault data API. */
  readonly rateLimit: RateLimitConfig | undefined;
  /** Of the paid routes; undefined: there are none. */
  readonly offer: PaidOffer | undefined;
}

/** The whole interface as OpenAPI 3.1, from the very routes that answer. */
export function createOpenApi(options: OpenApiOptions): OpenApi {
  const { offer, publicUrl } = options;
  const paths: Record<string, { get: Operation }> = {};
  const bridged = options.routes.some((route) => route.tag === 'previous' && isAnswered(route));
  const previous = bridged ? PREVIOUS_BRIDGED : PREVIOUS_GONE;
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
    tags: tags(offer === undefined ? 'Not sold by this server.' : paidText(offer), previous),
    paths,
    components: { schemas: { Problem: toJsonSchema(Problem) }, responses: PROBLEM_RESPONSES },
  };
}

function limitText(rateLimit: RateLimitConfig | undefined): string {
  if (rateLimit === undefined || rateLimit.perSecond === 0) {
    return 'The vault data API does not limit its clients.';
  }
  const { perSecond, burst } = rateLimit;
  return `A client address may send ${perSecond} requests per second to the vault data API, and ${burst} at once; an answer that is made for it counts once more for each ${BYTES_OF_ONE / 1024} KiB, one that is kept does not. Past the limit the answer is 429, and \`Retry-After\` says when to come again.`;
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
    ...(tag === 'previous' && answered && { deprecated: true }),
    parameters,
    responses: { ...answers, ...problemReferences([...statuses]) },
  };
}

/** Some routes of the previous API only say what became of them. */
function isAnswered({ response }: Route): boolean {
  return response !== Problem;
}

/** Examples are written as they stand in a URL; the document wants a number where the schema does. */
function exampleOf(schema: JsonSchema, example: string): string | number {
  return schema.type === 'integer' || schema.type === 'number' ? Number(example) : example;
}

function success(route: Route): ApiResponse {
  const schema = toJsonSchema(route.response);
  const mediaType = route.mediaType ?? 'application/json';
  const content = { [mediaType]: { schema, example: route.responseExample } };
  const links = route.paged && { Link: NEXT_PAGE };
  if (route.maxAge === 0) {
    return { description: 'The answer.', ...(links && { headers: links }), content };
  }
  return {
    description: `The answer, which may be kept for ${route.maxAge} s.`,
    headers: {
      ETag: header(
        'A strong tag of these bytes in this encoding.',
        '"3Fq1mC0eFvKp9A7xw2dUaXbQz4k-br"',
      ),
      'Cache-Control': header(
        'How long the answer may be kept.',
        `public, max-age=${route.maxAge}`,
      ),
      Vary: header('The tag and the bytes depend on the encoding asked for.', 'Accept-Encoding'),
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
  description: 'The client has this answer already (If-None-Match).',
};
