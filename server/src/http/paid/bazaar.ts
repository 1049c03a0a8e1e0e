import { type JsonSchema, withoutWords } from '../../domain/jsonSchema.ts';
import type { Bazaar } from '../../payments/authorization/invoice.ts';
import { toJsonSchema } from '../openapiDocument.ts';
import type { RouteParameter } from '../route.ts';
import type { PaidRoute } from './paidRoute.ts';

/** Maximum length of example text in an invoice. */
const MAX_EXAMPLES = 1;
const MAX_TEXT = 120;

/**
 * Describes how to request a route, in the format of the protocol's directories; created once, except for path
 * values.
 */
export function createBazaar(
  route: PaidRoute,
): (pathValues: Readonly<Record<string, string>>) => Bazaar {
  const query = route.parameters.filter((one) => one.in === 'query');
  const path = route.parameters.filter((one) => one.in === 'path');
  const input = {
    type: 'http',
    method: 'GET',
    ...(query.length > 0 && { queryParams: examplesOf(query.filter(({ required }) => required)) }),
  };
  const output = { type: 'json', example: brief(route.responseExample) };
  const schema = schemaOf({ query, path, response: toJsonSchema(route.response) });
  if (path.length === 0) {
    const bazaar = { info: { input, output }, schema };
    return () => bazaar;
  }
  const routeTemplate = route.path.replaceAll(/\{(\w+)\}/g, ':$1');
  return (pathParams) => ({
    info: { input: { ...input, pathParams }, output },
    schema,
    routeTemplate,
  });
}

function schemaOf(of: {
  readonly query: readonly RouteParameter[];
  readonly path: readonly RouteParameter[];
  readonly response: JsonSchema;
}) {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      input: {
        type: 'object',
        properties: {
          type: { type: 'string', const: 'http' },
          method: { type: 'string', enum: ['GET'] },
          ...(of.query.length > 0 && { queryParams: parametersSchema(of.query) }),
          ...(of.path.length > 0 && { pathParams: parametersSchema(of.path) }),
        },
        required: ['type', 'method'],
      },
      output: {
        type: 'object',
        properties: { type: { type: 'string' }, example: withoutWords(of.response) },
        required: ['type'],
      },
    },
    required: ['input'],
  };
}

function parametersSchema(parameters: readonly RouteParameter[]) {
  return {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map(({ name, schema }) => [name, withoutWords(toJsonSchema(schema))]),
    ),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

function examplesOf(parameters: readonly RouteParameter[]) {
  return Object.fromEntries(parameters.map(({ name, example }) => [name, example]));
}

/** Shortens an example: one entry per list, and short text. */
function brief(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, MAX_EXAMPLES).map(brief);
  if (typeof value === 'string' && value.length > MAX_TEXT) return `${value.slice(0, MAX_TEXT)}…`;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, brief(of)]));
}
