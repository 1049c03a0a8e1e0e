import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TSchema } from 'typebox';

/**
 * Who can call a route. open: all clients and pages of every origin, each client address up to its limit. paid:
 * paying clients, through the gate, which has its own limits. probe: monitoring; never limited, and not for pages of
 * other origins.
 */
export type Access = 'open' | 'paid' | 'probe';

/**
 * Slugs, or every family: with thousands of them, a list per cached response would need more memory than the
 * responses.
 */
export type Families = readonly string[] | 'all';

/** One route of the API: its documentation, validation, and handler. */
export interface Route {
  /** In OpenAPI notation: /v1/vaults/{slug}. */
  readonly path: string;
  readonly access: Access;
  readonly operationId: string;
  readonly summary: string;
  /** What a reader of the reference needs to know, in plain English. */
  readonly description: string;
  /** Stays for the clients that call it; the description names its successor. */
  readonly deprecated?: true;
  readonly tag:
    | 'vaults'
    | 'wallets'
    | 'history'
    | 'events'
    | 'export'
    | 'risk'
    | 'service'
    | 'previous';
  readonly parameters: readonly RouteParameter[];
  /** Schema of the 200 response. */
  readonly response: TSchema;
  readonly responseExample: unknown;
  /** Of the 200 response, if it is not application/json: then `answer` returns its text. */
  readonly mediaType?: string;
  /** Other statuses that it can return, besides 500, 503 while the store is unavailable, and 429 of open routes. */
  readonly problems: readonly (400 | 404 | 409 | 410 | 429 | 503)[];
  /** Seconds for Cache-Control: public. 0: the response is never cached and has no tag. */
  readonly maxAge: number;
  /**
   * The families whose change invalidates a response: its bytes are cached until then, at most `maxAge`. Undefined:
   * the response is created for each request.
   */
  readonly families?: (request: RouteRequest) => Families | undefined;
  /** Paginated: the Link header of a 200 has the URL of the next page. */
  readonly paged?: true;
  /** The response is constant while the server runs: its bytes are created once. */
  readonly fixed?: true;
  /** Additional headers of the 200 response. */
  readonly headers?: (request: RouteRequest) => Readonly<Record<string, string>>;
  /**
   * Returns the body of the 200 response, serialized as JSON unless it is a JsonText; a Page also has the next URL,
   * and a Headed its own headers.
   * Throws BadParameters, NotFound, NotReady, or Gone; see problem.ts.
   */
  answer(request: RouteRequest): Promise<unknown>;
  /** Writes a 200 response that stays open, instead of `answer`. What it throws is sent as a problem, so it checks everything first. */
  readonly stream?: (
    request: RouteRequest,
    raw: IncomingMessage,
    response: ServerResponse,
  ) => Promise<void>;
}

export interface RouteParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description: string;
  readonly schema: TSchema;
  readonly example: string;
}

export interface RouteRequest {
  /** Decoded path parameters. */
  readonly path: Readonly<Record<string, string>>;
  /** Decoded query values; a name can have several. Unknown names are ignored. */
  readonly query: ReadonlyMap<string, readonly string[]>;
  /** Unix seconds. */
  readonly now: number;
}
