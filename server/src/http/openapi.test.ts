import { readFileSync } from 'node:fs';
import { getAddress } from 'viem';
import { describe, expect, test } from 'vitest';
import { closed, violations } from '../../test/answers.ts';
import type { Config } from '../config/config.ts';
import { DEFAULTS } from '../config/schema.ts';
import { toPayments } from '../config/toPayments.ts';
import type { EventFeed } from '../domain/events/event.ts';
import type { EventSource } from '../export/eventPages.ts';
import type { Gate } from '../payments/gate/gate.ts';
import { REFUSAL_CODES, REMEDIES } from '../payments/gate/refusalCodes.ts';
import { METHOD_VERSION } from '../risk/grade/method.ts';
import type { Store } from '../store/store.ts';
import { apiRoutes } from './apiRoutes.ts';
import { eventRoutes } from './events/eventRoutes.ts';
import type { EventStreams } from './events/eventStreams.ts';
import { exportRoute } from './export/exportRoute.ts';
import type { ExportStreams } from './export/exportStreams.ts';
import { createOpenApi } from './openapi.ts';
import type { ApiResponse, JsonSchema, OpenApi, Operation } from './openapiDocument.ts';
import { agentRoutes } from './risk/agentRoutes.ts';
import type { LiveGraph } from './risk/liveGraph.ts';
import { serverRoutes } from './server.ts';

const root = new URL('../../../', import.meta.url);
const { version } = JSON.parse(readFileSync(new URL('server/package.json', root), 'utf8'));

/** The routes are only described here; no store is read. */
/** The committed document names the defaults. */
const {
  facilitator: _,
  blocked: __,
  ...offer
} = toPayments({
  chain: 8453,
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  payTo: '0x1111111111111111111111111111111111111111',
  facilitator: { url: 'https://facilitator.example.com' },
});
const rateLimit = {
  perSecond: DEFAULTS.requestsPerSecond,
  burst: DEFAULTS.requestBurst,
  loopback: false,
  trustedProxies: [],
};
function optionsWith(more: Partial<Config> = {}) {
  const config = { chains: [], families: [], http: {}, ticks: { liveSeconds: 300 }, ...more };
  const routes = serverRoutes({
    version,
    getChainStatuses: async () => [],
    paid: { gate: {} as Gate, offer },
    routes: [
      ...apiRoutes({
        config: config as unknown as Config,
        store: {} as Store,
        cursorKey: '0x00',
        chains: { read: async () => undefined, close() {} },
      }),
      ...eventRoutes({
        config: config as unknown as Config,
        feed: {} as EventFeed,
        streams: {} as EventStreams,
        cursorKey: '0x00',
      }),
      exportRoute({
        config: config as unknown as Config,
        store: {} as Store,
        events: {} as EventSource,
        streams: {} as ExportStreams,
      }),
      ...agentRoutes({ graph: {} as LiveGraph, methodVersion: METHOD_VERSION }),
    ],
  });
  return { routes, version, publicUrl: undefined, rateLimit, offer };
}
const options = optionsWith();
const document = createOpenApi(options);
const operations = operationsOf(document);
const bridged = createOpenApi(
  optionsWith({ legacyApi: { until: Date.parse('2027-03-31T23:59:59Z') / 1000 } }),
);

function operationsOf({ paths }: OpenApi) {
  return Object.entries(paths).map(([path, { get }]) => ({ path, get }));
}
const isLegacy = ({ get }: { get: Operation }) => get.tags.includes('previous');

describe('createOpenApi', () => {
  test('default: the committed file is up to date (vitest -u writes it)', async () => {
    const file = new URL('openapi.json', root).pathname;
    await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot(file);
  });

  test('behavior: prices, limits, hours and escalation are those of the server', () => {
    const own = createOpenApi({
      ...options,
      publicUrl: 'https://vaults.example.com',
      rateLimit: { ...rateLimit, perSecond: 7, burst: 70 },
      offer: {
        ...offer,
        publicUrl: 'https://risk.example.com',
        prices: { ...offer.prices, node: 1_234_500n, schema: 1n },
        rateLimit: { perSecond: 3, burst: 33 },
        escalation: { firstStepCalls: 500, factor: 3, maxFactor: 20 },
        keepAnswersSeconds: 7_200,
        maxTimeoutSeconds: 77,
        payTo: '0x2222222222222222222222222222222222222222',
      },
    });
    expect(own.info.description).toContain(
      '7 requests per second to the vault data API, in bursts of up to 70',
    );
    const { description } = own.tags.find(({ name }) => name === 'risk')!;
    expect(description).toContain(
      '3 requests per second per payer (the signer), in bursts of up to 33',
    );
    expect(description).toContain(
      '3× after 500 settled calls and 9× after 5,000 settled calls and 20× after 50,000 settled calls',
    );
    expect(description).toContain('the same response for 2 hours');
    expect(description).toContain('authorization validity 77 seconds');
    const node = own.paths['/api/v1/agent/node/{nodeId}']!.get;
    expect(node.description).toContain('Price: 1.2345 USD (1234500 base units)');
    const invoice = (node.responses[402] as ApiResponse).content!['application/json']!.example;
    expect(invoice).toMatchObject({
      resource: { url: 'https://risk.example.com/api/v1/agent/node/{nodeId}' },
      accepts: [{ amount: '1234500', payTo: getAddress(`0x${'22'.repeat(20)}`) }],
    });
    const schema = own.paths['/api/v1/agent/schema']!.get;
    expect(schema.description).toContain('Price: 0.000001 USD (1 base units)');
    const plain = createOpenApi({
      ...options,
      rateLimit: { ...rateLimit, perSecond: 0 },
      offer: { ...offer, rateLimit: { perSecond: 0, burst: 1 }, escalation: null },
    });
    const words = JSON.stringify([plain.info, plain.tags]);
    expect(words).toContain('The vault data API has no rate limit.');
    expect(words).toContain('Rate limit: none.');
    expect(words).toContain('the price does not depend on use');
  });

  test('behavior: every error of a 402 is listed with what to do', () => {
    const { description } = document.tags.find(({ name }) => name === 'risk')!;
    for (const { code, meaning, remedy } of REFUSAL_CODES) {
      expect(description).toContain(`| \`${code}\` | ${meaning} | ${REMEDIES[remedy]} |`);
    }
  });

  test('behavior: operation names are unique', () => {
    const ids = operations.map(({ get }) => get.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(20);
  });

  test.each([...operations, ...operationsOf(bridged).filter(isLegacy)])(
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

  test('behavior: a server with the legacy bridge documents its end date', () => {
    const descriptionOf = (one: OpenApi) =>
      one.tags.find(({ name }) => name === 'previous')!.description;
    expect(descriptionOf(document)).toContain('Every route returns 410');
    expect(descriptionOf(bridged)).toContain('This server still serves');
    const legacy = operationsOf(bridged).filter(isLegacy);
    const answered = legacy.filter(({ get }) => get.responses[200] !== undefined);
    expect(legacy).toHaveLength(8);
    expect(answered).toHaveLength(7);
    for (const { get } of answered) {
      expect(get.deprecated).toBe(true);
      expect(get.description).toContain('until 2027-03-31 (UTC); then 410');
      expect(Object.keys(get.responses)).toEqual(expect.arrayContaining(['404', '410', '503']));
      const { headers } = get.responses[200] as ApiResponse;
      expect(Object.keys(headers!)).toEqual(
        expect.arrayContaining(['Link', 'Sunset', 'Deprecation']),
      );
    }
    const others = (one: OpenApi) => operationsOf(one).filter((operation) => !isLegacy(operation));
    expect(others(bridged)).toEqual(others(document));
    for (const { get } of operations.filter(isLegacy))
      expect(get.responses).not.toHaveProperty('200');
  });

  test('behavior: the routes of the legacy API are deprecated, and those that have a successor', () => {
    const isReplaced = ({ path }: { path: string }) => path.endsWith('/ledger');
    for (const one of [document, bridged]) {
      const deprecated = operationsOf(one).filter(({ get }) => get.deprecated === true);
      const wanted = operationsOf(one).filter((it) => isLegacy(it) || isReplaced(it));
      expect(deprecated).toEqual(wanted);
      expect(deprecated.length).toBeGreaterThanOrEqual(7);
    }
  });

  test('behavior: responses may get new fields: no schema is closed', () => {
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

/** Returns the paths of fields without a description. */
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
