import {
  extractDiscoveryInfo,
  sanitizeResourceServiceMetadata,
  validateDiscoveryExtension,
  validateDiscoveryExtensionSpec,
} from '@x402/extensions/bazaar';
import { describe, expect, test } from 'vitest';
import { invoice } from '../../payments/authorization/invoice.ts';
import { createQuotes } from '../../payments/gate/quotes.ts';
import { METHOD_VERSION } from '../../risk/grade/method.ts';
import { agentRoutes } from '../risk/agentRoutes.ts';
import type { LiveGraph } from '../risk/liveGraph.ts';
import { createBazaar } from './bazaar.ts';
import type { PaidRoute } from './paidRoute.ts';

const TERMS = {
  chainId: 8453,
  asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
  assetName: 'USD Coin',
  assetVersion: '2',
  payTo: `0x${'ab'.repeat(20)}`,
  maxTimeoutSeconds: 60,
} as const;
const NODE = { nodeId: 'pool:base:0x1111111111111111111111111111111111111111' };
/** The routes are only described here; no store is read. */
const routes = agentRoutes({ graph: {} as LiveGraph, methodVersion: METHOD_VERSION });

function priced(route: PaidRoute) {
  const path = route.path.replace('{nodeId}', NODE.nodeId);
  const bazaar = createBazaar(route)(route.path.includes('{') ? NODE : {});
  const url = `https://risk.example${path}`;
  return { url, description: route.summary, price: 1_000n, bazaar };
}

describe.each(routes)('bazaar of $operationId', (route) => {
  const one = priced(route);
  const asked = invoice(TERMS, one, 'payment_required');

  test("default: the protocol's own validators accept it", () => {
    const bazaar = one.bazaar as never;
    expect(validateDiscoveryExtension(bazaar)).toEqual({ valid: true });
    expect(validateDiscoveryExtensionSpec(bazaar)).toEqual({ valid: true });
    expect(sanitizeResourceServiceMetadata(asked.resource)).toEqual({
      serviceName: asked.resource.serviceName,
      tags: asked.resource.tags,
    });
  });

  test('behavior: a service finds the route, its method and both schemas', () => {
    const payload = { ...asked, accepted: asked.accepts[0], payload: {} } as never;
    const found = extractDiscoveryInfo(payload, asked.accepts[0] as never);
    const place = route.path.replace('{nodeId}', ':nodeId');
    expect(found).toMatchObject({ resourceUrl: `https://risk.example${place}`, method: 'GET' });
    const { schema } = one.bazaar as { schema: { properties: Record<string, unknown> } };
    expect(Object.keys(schema.properties)).toEqual(['input', 'output']);
    for (const { name, in: place } of route.parameters) {
      const kind = place === 'path' ? 'pathParams' : 'queryParams';
      expect(schema).toHaveProperty([
        'properties',
        'input',
        'properties',
        kind,
        'properties',
        name,
      ]);
    }
    expect(schema).toHaveProperty('properties.output.properties.example.type');
  });

  test("behavior: an invoice's header contains the part that describes the request", () => {
    const { header } = createQuotes(TERMS)(one, 'payment_required');
    const { extensions } = JSON.parse(Buffer.from(header, 'base64').toString());
    const { bazaar } = extensions;
    expect(validateDiscoveryExtension(bazaar)).toEqual({ valid: true });
    expect(validateDiscoveryExtensionSpec(bazaar)).toEqual({ valid: true });
    expect(bazaar.info).toEqual({ input: one.bazaar.info.input });
    expect(bazaar.schema.properties).toEqual({ input: one.bazaar.schema.properties.input });
    expect(bazaar.routeTemplate).toBe(one.bazaar.routeTemplate);
  });
});
