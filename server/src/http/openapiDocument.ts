import type { TSchema } from 'typebox';
import type { JsonSchema } from '../domain/jsonSchema.ts';

export type { JsonSchema };

/** The parts of an OpenAPI 3.1 document that this API uses. */
export interface OpenApi {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>>;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, ApiResponse>>;
  };
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly deprecated?: boolean;
  /** The price, for directories. */
  readonly 'x-payment-info'?: {
    readonly price:
      | { readonly mode: 'fixed'; readonly currency: 'USD'; readonly amount: string }
      /** Depends on the request: `min` is the price of one id. */
      | {
          readonly mode: 'dynamic';
          readonly currency: 'USD';
          readonly min: string;
          readonly max: string;
        };
    readonly protocols: readonly object[];
  };
  readonly parameters: readonly ApiParameter[];
  readonly responses: Readonly<Record<string, ApiResponse | { readonly $ref: string }>>;
}

export interface ApiParameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example: string | number;
}

export interface ApiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<
    Record<string, { readonly schema: JsonSchema; readonly example: unknown }>
  >;
}

/** Returns a schema without the symbols of its library. */
export function toJsonSchema(schema: TSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema)) as JsonSchema;
}
