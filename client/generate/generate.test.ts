import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as client from '../src/index.ts';
import * as soldActions from '../src/pay/actions.ts';
import * as freeActions from '../src/read/actions.ts';
import { type ApiDocument, type ApiOperation, generate } from './generate.ts';
import { AmbiguousAmount } from './schemaTypes.ts';

const root = new URL('../../', import.meta.url);
const document = JSON.parse(readFileSync(new URL('openapi.json', root), 'utf8')) as ApiDocument;
const files = {
  types: 'client/src/api/types.ts',
  actions: 'client/src/read/actions.ts',
  paidActions: 'client/src/pay/actions.ts',
} as const;

describe('generate', () => {
  test.each(Object.entries(files))(
    "default: %s match the server's routes (vitest -u writes %s)",
    async (name, file) => {
      const text = generate(document)[name as keyof typeof files];
      await expect(text).toMatchFileSnapshot(new URL(file, root).pathname);
    },
  );

  test('behavior: every route that returns JSON has an action', () => {
    const { actions, paidActions } = generate(document);
    const operations = Object.values(document.paths)
      .map(({ get }) => get)
      .filter(({ responses }) => responses['200']?.content?.['application/json']);
    expect(operations.length).toBeGreaterThanOrEqual(18);
    for (const { operationId } of operations) {
      expect(actions + paidActions).toContain(`export const ${operationId} = `);
    }
    for (const name of [...Object.keys(freeActions), ...Object.keys(soldActions)]) {
      expect(client).toHaveProperty(name, expect.any(Function));
    }
  });

  test('behavior: amounts are recognized by their pattern, also where they can be null', () => {
    const { actions } = generate(document);
    expect(actions).toMatch(/'\/v1\/history',\n {2}'[^']*',\n {2}'assets shares',/);
    expect(actions).toMatch(/'block costBasis currentValue realized sharesBalance unrealized',/);
  });

  test('error: a field that is an amount in one place and text in another', () => {
    const schema = {
      type: 'object',
      properties: {
        value: { type: 'string', pattern: '^(0|[1-9][0-9]*)$' },
        pool: { type: 'object', properties: { value: { type: 'string' } } },
      },
    };
    expect(() => generate(withAnswer(schema))).toThrow(AmbiguousAmount);
  });

  test('error: a parameter with a name that the client reserves', () => {
    const [[path, { get }]] = Object.entries(document.paths) as [[string, { get: ApiOperation }]];
    const parameters = [{ ...get.parameters[0]!, name: 'signal' }];
    const changed = { ...document, paths: { [path]: { get: { ...get, parameters } } } };
    expect(() => generate(changed)).toThrow('signal');
  });
});

function withAnswer(schema: object): ApiDocument {
  const [[path, { get }]] = Object.entries(document.paths) as [[string, { get: ApiOperation }]];
  const responses = { '200': { content: { 'application/json': { schema } } } };
  return { ...document, paths: { [path]: { get: { ...get, responses } } } };
}
