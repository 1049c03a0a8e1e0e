import { readFileSync } from 'node:fs';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';

function read(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'));
}

const Input = {
  description: Type.Optional(Type.String()),
  isRequired: Type.Optional(Type.Boolean()),
  isSecret: Type.Optional(Type.Boolean()),
  placeholder: Type.Optional(Type.String()),
};
const strict = { additionalProperties: false };

/** The fields of the registry's schema of 2025-12-11 that the file uses, with the schema's bounds. */
const ServerJson = Type.Object(
  {
    $schema: Type.Literal(
      'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    ),
    name: Type.String({
      minLength: 3,
      maxLength: 200,
      pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$',
    }),
    title: Type.String({ minLength: 1, maxLength: 100 }),
    description: Type.String({ minLength: 1, maxLength: 100 }),
    version: Type.String({ maxLength: 255, pattern: '^\\d+\\.\\d+\\.\\d+$' }),
    remotes: Type.Array(
      Type.Object(
        {
          type: Type.Literal('streamable-http'),
          url: Type.String({ pattern: '^https?://[^\\s]+$' }),
          variables: Type.Record(Type.String(), Type.Object(Input, strict)),
          headers: Type.Array(
            Type.Object(
              {
                ...Input,
                name: Type.String(),
                value: Type.Optional(Type.String()),
                variables: Type.Optional(Type.Record(Type.String(), Type.Object(Input, strict))),
              },
              strict,
            ),
          ),
        },
        strict,
      ),
      { minItems: 1 },
    ),
  },
  strict,
);

test("default: server.json has the form of the registry and the server's version", () => {
  const file = read('server.json');
  expect([...Value.Errors(ServerJson, file)]).toEqual([]);
  expect(file.version).toBe(read('package.json').version);
  // The user is asked for every variable of a template.
  const { remotes } = file as {
    remotes: { url: string; variables: object; headers: { value: string; variables: object }[] }[];
  };
  for (const { url, variables, headers } of remotes) {
    for (const [text, given] of [
      [url, variables] as const,
      ...headers.map((header) => [header.value, header.variables] as const),
    ]) {
      const named = [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(named).toEqual(Object.keys(given));
    }
  }
});

test.each([
  ['name', 'assay'],
  ['description', 'x'.repeat(101)],
  ['version', '^1.0.0'],
  ['remotes', [{ type: 'http', url: 'https://a' }]],
  ['unknown', 1],
])('error: another %s is not accepted', (field, value) => {
  expect(Value.Check(ServerJson, { ...read('server.json'), [field]: value })).toBe(false);
});
