import type { TSchema } from 'typebox';

/**
 * Who may ask. open: anybody, pages of every origin too, each client address up to its limit. paid: whoever pays; it is
 * sold through the gate, which has limits of its own. probe: the machines that watch over the server; never limited,
 * and not for pages of other origins.
 */
export type Access = 'open' | 'paid' | 'probe';

/** Slugs, or every family: with thousands of them a list for each kept answer would weigh more than the answers. */
export type Families = readonly string[] | 'all';

/** One read of the API: what is documented, validated and answered stands in one place. */
export interface Route {
  /** As OpenAPI writes it: /v1/vaults/{slug}. */
  readonly path: string;
  readonly access: Access;
  readonly operationId: string;
  readonly summary: string;
  /** Every decision that a reader of the interface needs, in plain words. */
  readonly description: string;
  readonly tag: 'vaults' | 'wallets' | 'history' | 'risk' | 'service' | 'previous';
  readonly parameters: readonly RouteParameter[];
  /** The 200 answer. */
  readonly response: TSchema;
  readonly responseExample: unknown;
  /** Of the 200 answer, when it is not application/json: then `answer` gives its text. */
  readonly mediaType?: string;
  /** Other statuses it may answer, besides 500, 503 of a store that is away, and 429 of what is open. */
  readonly problems: readonly (400 | 404 | 410 | 429 | 503)[];
  /** Seconds for Cache-Control: public. 0: the answer is never kept, and has no tag. */
  readonly maxAge: number;
  /**
   * The families whose change makes an answer old: its bytes are kept until then, at most `maxAge`. Undefined: the
   * answer is made anew each time.
   */
  readonly families?: (request: RouteRequest) => Families | undefined;
  /** It is answered in pages: the Link header of a 200 names the next. */
  readonly paged?: true;
  /** The answer stays the same as long as the server runs: its bytes are made once. */
  readonly fixed?: true;
  /** Headers of the 200 answer besides the usual ones. */
  readonly headers?: (request: RouteRequest) => Readonly<Record<string, string>>;
  /** The body of the 200 answer, to be written as JSON unless it is a JsonText; a Page has one, and says what follows. Throws BadParameters, NotFound, NotReady or Gone; see problem.ts. */
  answer(request: RouteRequest): Promise<unknown>;
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
  /** Query values as they came, decoded; a name may have several. Unknown names are ignored. */
  readonly query: ReadonlyMap<string, readonly string[]>;
  /** Unix seconds. */
  readonly now: number;
}
