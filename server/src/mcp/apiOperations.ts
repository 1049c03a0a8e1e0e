import { type Client, getOpenApi } from '@assay/client';
import type { JsonSchema } from '../domain/jsonSchema.ts';

/** An operation of a running server, as its own document describes it. */
export interface ApiOperation {
  /** As an object: what a tool takes. */
  readonly input: JsonSchema;
  /** Of its 200 answer. */
  readonly output: JsonSchema;
  /** Of its 402 answer; undefined when it is free. */
  readonly invoice: JsonSchema | undefined;
  readonly priceUsd: string | undefined;
  /** How old an answer may be, in seconds; undefined when it is made anew each time. */
  readonly maxAge: number | undefined;
}

export type ApiOperations = ReadonlyMap<string, ApiOperation>;

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
}

interface Response {
  readonly headers?: Readonly<Record<string, { readonly example: string }>>;
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>;
}

interface Described {
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, Response>>;
  readonly 'x-payment-info'?: { readonly price: { readonly amount: string } };
}

/** What the server offers, by the names of its operations. */
export async function readOperations(client: Client): Promise<ApiOperations> {
  const { paths } = (await getOpenApi(client)) as {
    paths: Record<string, { readonly get: Described }>;
  };
  const operations = Object.values(paths).map(({ get }) => get);
  return new Map(
    operations.flatMap((one) => {
      const found = readOperation(one);
      return found === undefined ? [] : [[one.operationId, found] as const];
    }),
  );
}

function readOperation(described: Described): ApiOperation | undefined {
  const { parameters, responses } = described;
  const output = schemaOf(responses['200']);
  if (output === undefined) return undefined;
  const asked = parameters.filter((one) => one.in !== 'header');
  const age = responses['200']?.headers?.['Cache-Control']?.example.match(/max-age=(\d+)/)?.[1];
  return {
    input: {
      type: 'object',
      properties: Object.fromEntries(
        asked.map(({ name, description, schema }) => [name, { ...schema, description }]),
      ),
      required: asked.filter(({ required }) => required).map(({ name }) => name),
      additionalProperties: false,
    },
    output,
    invoice: schemaOf(responses['402']),
    priceUsd: described['x-payment-info']?.price.amount,
    maxAge: age === undefined ? undefined : Number(age),
  };
}

function schemaOf(response: Response | undefined): JsonSchema | undefined {
  return response?.content?.['application/json']?.schema;
}
