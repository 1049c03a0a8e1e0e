import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type Client, getOpenApi } from '@assay/client';
import type { JsonSchema } from '../domain/jsonSchema.ts';

/** An operation of both this version and the running server. */
export interface ApiOperation {
  /** The parameters as an object: the input of a tool. */
  readonly input: JsonSchema;
  /** Digits only: the server sets it, and agents read it. For one id, if it takes several. */
  readonly priceUsd: string | undefined;
  /** Maximum age of a response in seconds; undefined if it is not cached. */
  readonly maxAge: number | undefined;
}

export type ApiOperations = ReadonlyMap<string, ApiOperation>;

/** The parts of an OpenAPI document that tools are created from. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, { readonly get: Described }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
}

interface Response {
  readonly headers?: Readonly<Record<string, { readonly example: string }>>;
  readonly content?: Readonly<Record<string, object>>;
}

interface Described {
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, Response>>;
  readonly 'x-payment-info'?: {
    readonly price?: { readonly amount?: string; readonly min?: string };
  };
}

/** Next to the program in a build, and in the root folder of the sources. */
const OWN_DOCUMENTS = ['../openapi.json', '../../../openapi.json'];

/** Returns the OpenAPI document of this version. */
export async function readOwnDocument(): Promise<ApiDocument> {
  const files = OWN_DOCUMENTS.map((path) => new URL(path, import.meta.url));
  const file = files.find((candidate) => existsSync(candidate));
  if (file === undefined) throw new Error('openapi.json is missing from the installation');
  return JSON.parse(await readFile(file, 'utf8')) as ApiDocument;
}

/**
 * Returns the operations of this version that the server has, by name. Agents follow what they read, so texts and
 * schemas come from this version, and only prices and ages from the server.
 */
export async function readOperations(client: Client, own: ApiDocument): Promise<ApiOperations> {
  const served = (await getOpenApi(client)) as unknown as ApiDocument;
  const offered = new Map(
    Object.values(served.paths).map(({ get }) => [get?.operationId, get] as const),
  );
  return new Map(
    Object.values(own.paths).flatMap(({ get }) => {
      const theirs = offered.get(get.operationId);
      const found = theirs && readOperation(get, theirs);
      return found === undefined ? [] : [[get.operationId, found] as const];
    }),
  );
}

function readOperation(own: Described, theirs: Described): ApiOperation | undefined {
  if (own.responses['200']?.content?.['application/json'] === undefined) return undefined;
  const parameters = own.parameters.filter((parameter) => parameter.in !== 'header');
  const cached = String(theirs.responses?.['200']?.headers?.['Cache-Control']?.example);
  const age = /max-age=(\d{1,9})(?!\d)/.exec(cached)?.[1];
  const { amount, min } = theirs['x-payment-info']?.price ?? {};
  const price = String(amount ?? min);
  return {
    input: {
      type: 'object',
      properties: Object.fromEntries(
        parameters.map(({ name, description, schema }) => [name, { ...schema, description }]),
      ),
      required: parameters.filter(({ required }) => required).map(({ name }) => name),
      additionalProperties: false,
    },
    priceUsd: /^\d{1,9}(\.\d{1,18})?$/.test(price) ? price : undefined,
    maxAge: age === undefined ? undefined : Number(age),
  };
}
