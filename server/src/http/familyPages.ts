import { Type } from 'typebox';
import type { Hex } from '../domain/hex.ts';
import type { ParameterReader } from './parameters.ts';
import { optional } from './routeParameters.ts';
import { AskedWhole } from './schemas.ts';
import { seal, unseal } from './seal.ts';

/** Families per page. */
export const FAMILY_LIMIT = { min: 1, max: 500, default: 500 } as const;

/** For a route that returns families page by page. */
export const pageParameters = [
  optional(
    'limit',
    AskedWhole(FAMILY_LIMIT),
    'Families per page. If more follow, the `Link` header has the URL of the next page (`rel="next"`).',
    '100',
  ),
  optional(
    'cursor',
    Type.String(),
    'From the `Link` header of the previous page. Pass it unchanged, with the same filters.',
    'bTfN0uq1-0qvXb4Yw5m3sQc3ZjdXNk',
  ),
];

export interface AskedPage {
  readonly limit: number;
  /** The last family of the previous page; undefined on the first page. */
  readonly after: string | undefined;
}

export interface FamilyPages {
  /** `filters` are those of the request: a cursor is valid only with the same filters. */
  read(parameters: ParameterReader, filters: object): AskedPage;
  /** Returns the URL of the page after the family `last`. */
  next(filters: object, page: { readonly limit: number; readonly last: string }): string;
}

/** Pages of the route at `path`. `prefix` is the path prefix of a proxy. */
export function createFamilyPages(options: {
  readonly path: string;
  readonly key: Hex;
  readonly publicUrl: string | undefined;
  /** Returns whether a family is still served: a cursor may be older than the configuration. */
  readonly isKnown: (slug: string) => boolean;
}): FamilyPages {
  const { path, key, publicUrl, isKnown } = options;
  const prefix = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
  const purpose = (filters: object) => `${path} 1 ${JSON.stringify(filters)}`;
  return {
    read(parameters, filters) {
      const limit = parameters.integer('limit', FAMILY_LIMIT);
      const cursor = parameters.text('cursor');
      if (cursor === undefined) return { limit, after: undefined };
      const after = unseal(key, purpose(filters), cursor);
      if (after === undefined || !isKnown(after)) parameters.mistake('cursor', FOREIGN);
      return { limit, after };
    },
    next(filters, { limit, last }) {
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries(filters)) {
        if (value !== undefined) query.set(name, String(value));
      }
      query.set('limit', String(limit));
      query.set('cursor', seal(key, purpose(filters), last));
      return `${prefix}${path}?${query}`;
    },
  };
}

const FOREIGN =
  'is not a cursor of this server for these filters, or its family no longer exists: use the URL of the Link header unchanged, or start again without a cursor';
