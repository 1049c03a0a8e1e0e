import { readFileSync } from 'node:fs';
import { Errors } from 'typebox/schema';
import type { ApiResponse, JsonSchema, OpenApi } from '../src/http/openapiDocument.ts';

/** A response as a client receives it. */
export interface Answer {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly status: number;
  readonly contentType: string | null;
  readonly body: string;
}

/** Problems that any route can return; the document describes them in its text, not at each route. */
const ANYWHERE = [404, 405, 408, 413];
/** Additional problems for a URL that matches no route. */
const NO_ROUTE = [414, 431];

/**
 * Returns every way in which a response differs from openapi.json: unknown status, wrong type, or a missing, wrong, or
 * undescribed field.
 */
export function createAnswerCheck(document: OpenApi = committedDocument()) {
  const problem = closed(document.components.schemas.Problem!);
  const paths = Object.keys(document.paths).map((path) => ({
    path,
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    // A path with fewer parameters is the closer match.
    places: path.split('{').length,
  }));
  paths.sort((a, b) => a.places - b.places);

  function pathOf(url: string): string | undefined {
    return paths.find(({ pattern }) => pattern.test(url.split('?')[0]!))?.path;
  }

  function isUndocumented({ url, status }: Answer): boolean {
    if (ANYWHERE.includes(status)) return false;
    return pathOf(url) !== undefined || !NO_ROUTE.includes(status);
  }

  function expected({ url, status }: Answer): ApiResponse | undefined {
    const path = pathOf(url);
    const response = path && document.paths[path]!.get.responses[status];
    if (!response || !('$ref' in response)) return response || undefined;
    return document.components.responses[response.$ref.split('/').at(-1)!];
  }

  return (answer: Answer): string[] => {
    const { method, status, contentType, body } = answer;
    if (status === 304 || method === 'OPTIONS') return body === '' ? [] : ['has a body'];
    const known = expected(answer);
    if (known === undefined && isUndocumented(answer)) return [`answers ${status}`];
    const [type, content] = Object.entries(known?.content ?? PROBLEM)[0]!;
    if (contentType?.split(';')[0] !== type) return [`is ${contentType}, not ${type}`];
    if (method === 'HEAD') return body === '' ? [] : ['has a body'];
    if (!type.endsWith('json')) return [];
    const schema = type === 'application/json' ? closed(content.schema) : problem;
    return violations(schema, JSON.parse(body));
  };
}

const PROBLEM = { 'application/problem+json': { schema: {} } };

/** Sends a request and throws if the response differs from the document. */
export function createCheckedFetch(base: string, document?: OpenApi) {
  const check = createAnswerCheck(document);
  return async (
    url: string,
    init: RequestInit = {},
  ): Promise<{ response: Response; text: string }> => {
    const response = await fetch(base + url, init);
    const text = await response.text();
    const found = check({
      method: init.method ?? 'GET',
      url,
      status: response.status,
      contentType: response.headers.get('content-type'),
      body: text,
    });
    if (found.length > 0) {
      throw new Error(
        `${url} is not as openapi.json says: ${found.join('; ')}: ${text.slice(0, 500)}`,
      );
    }
    return { response, text };
  };
}

/** Returns what is wrong with a value, by JSON path. */
export function violations(schema: JsonSchema, value: unknown): string[] {
  const [, errors] = Errors(schema, value);
  return errors.map(({ instancePath, message }) => `${instancePath || 'the answer'} ${message}`);
}

/** Returns the schema with undescribed fields forbidden. */
export function closed(schema: JsonSchema): JsonSchema {
  return close(schema) as JsonSchema;
}

function close(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(close);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).map(([key, inner]) => {
    // Field names are not schema keywords.
    if (key === 'properties') {
      const fields = Object.entries(inner as object).map(([name, field]) => [name, close(field)]);
      return [key, Object.fromEntries(fields)];
    }
    return [key, key === 'examples' || key === 'default' || key === 'enum' ? inner : close(inner)];
  });
  const made = Object.fromEntries(entries);
  const isShape = made.properties !== undefined && Object.keys(made.properties).length > 0;
  return isShape ? { additionalProperties: false, ...made } : made;
}

export function committedDocument(): OpenApi {
  const file = new URL('../../openapi.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as OpenApi;
}
