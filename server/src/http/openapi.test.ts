import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { closed, violations } from '../../test/answers.ts';
import type { Config } from '../config/config.ts';
import { METHOD_VERSION } from '../domain/risk/grade/method.ts';
import type { Store } from '../store/store.ts';
import { apiRoutes } from './apiRoutes.ts';
import { createOpenApi } from './openapi.ts';
import type { ApiResponse, JsonSchema, OpenApi, Operation } from './openapiDocument.ts';
import { agentRoutes } from './risk/agentRoutes.ts';
import type { LiveGraph } from './risk/liveGraph.ts';

const root = new URL('../../../', import.meta.url);
const { version } = JSON.parse(readFileSync(new URL('server/package.json', root), 'utf8'));

/** The routes are only described here: nothing is read. */
function describeApi(more: Partial<Config> = {}) {
  const config = { chains: [], families: [], http: {}, ticks: { liveSeconds: 300 }, ...more };
  const routes = [
    ...apiRoutes({
      config: config as unknown as Config,
      store: {} as Store,
      cursorKey: '0x00',
      chains: { read: async () => undefined, close() {} },
    }),
    ...agentRoutes({ graph: {} as LiveGraph, methodVersion: METHOD_VERSION }),
  ];
  return createOpenApi({ routes, version });
}
const document = describeApi();
const operations = operationsOf(document);
const bridged = describeApi({ previousApi: { until: Date.parse('2027-03-31T23:59:59Z') / 1000 } });

function operationsOf({ paths }: OpenApi) {
  return Object.entries(paths).map(([path, { get }]) => ({ path, get }));
}
const isPrevious = ({ get }: { get: Operation }) => get.tags.includes('previous');

describe('createOpenApi', () => {
  test('default: the committed file is up to date (vitest -u writes it)', async () => {
    const file = new URL('openapi.json', root).pathname;
    await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot(file);
  });

  test('behavior: every operation has a name of its own', () => {
    const ids = operations.map(({ get }) => get.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(20);
  });

  test.each([...operations, ...operationsOf(bridged).filter(isPrevious)])(
    'behavior: $path is described in full',
    ({ path, get }) => {
      const places = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const named = get.parameters.filter((one) => one.in === 'path').map(({ name }) => name);
      expect(named).toEqual(places);
      for (const parameter of get.parameters) {
        expect(parameter.description).not.toBe('');
        expect(violations(parameter.schema, parameter.example), parameter.name).toEqual([]);
      }
      const success = get.responses[200];
      if (success === undefined || '$ref' in success) return expect(get.tags).toEqual(['previous']);
      const [content] = Object.values(success.content!);
      expect(undescribed(content!.schema)).toEqual([]);
      expect(violations(closed(content!.schema), content!.example)).toEqual([]);
    },
  );

  test('behavior: a server that answers the previous API says so, and until when', () => {
    const told = (one: OpenApi) => one.tags.find(({ name }) => name === 'previous')!.description;
    expect(told(document)).toContain('Every route answers 410');
    expect(told(bridged)).toContain('This server still answers');
    const previous = operationsOf(bridged).filter(isPrevious);
    const answered = previous.filter(({ get }) => get.responses[200] !== undefined);
    expect(previous).toHaveLength(8);
    expect(answered).toHaveLength(7);
    for (const { get } of answered) {
      expect(get.deprecated).toBe(true);
      expect(get.description).toContain('up to 2027-03-31 (UTC); then 410');
      expect(Object.keys(get.responses)).toEqual(expect.arrayContaining(['404', '410', '503']));
      const { headers } = get.responses[200] as ApiResponse;
      expect(Object.keys(headers!)).toEqual(
        expect.arrayContaining(['Link', 'Sunset', 'Deprecation']),
      );
    }
    const others = (one: OpenApi) =>
      operationsOf(one).filter((operation) => !isPrevious(operation));
    expect(others(bridged)).toEqual(others(document));
    for (const { get } of operations.filter(isPrevious))
      expect(get.responses).not.toHaveProperty('200');
  });

  test('behavior: answers may get new fields: no schema is closed', () => {
    const closings = JSON.stringify(document).match(/"additionalProperties":false/g);
    expect(closings ?? []).toHaveLength(0);
  });

  test('behavior: examples of problems are problems', () => {
    for (const response of Object.values(document.components.responses)) {
      const { example } = response.content!['application/problem+json']!;
      expect(violations(closed(document.components.schemas.Problem!), example)).toEqual([]);
    }
  });
});

/** Paths of the fields that have no words. */
function undescribed(schema: JsonSchema, path = ''): string[] {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const branches = (schema.anyOf ?? []) as JsonSchema[];
  const items = schema.items as JsonSchema | undefined;
  return [
    ...properties.filter(([, field]) => !field.description).map(([name]) => `${path}.${name}`),
    ...properties.flatMap(([name, field]) => undescribed(field, `${path}.${name}`)),
    ...branches.flatMap((branch) => undescribed(branch, path)),
    ...(items ? undescribed(items, `${path}[]`) : []),
  ];
}
