import { afterAll, beforeAll, expect, test } from 'vitest';
import { traceStore } from '../src/assembly/tracedStore.ts';
import { startTracing, type Tracing } from '../src/assembly/tracing.ts';
import type { RateLimitConfig } from '../src/config/config.ts';
import { describeAnyEngine } from './database.ts';
import { createOtlpReceiver, type OtlpReceiver } from './otlpReceiver.ts';
import {
  ask,
  expectPaid,
  header,
  NODE,
  openPaidTestServer,
  type PaidTestServer,
} from './paidTestServer.ts';
import { useTokenChain } from './paidTests.ts';
import { PRICE } from './tokenChain.ts';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const TRACEPARENT = `00-${TRACE_ID}-b7ad6b7169203331-01`;
const LIMIT: RateLimitConfig = { perSecond: 0, burst: 0, trustedProxies: [], loopback: true };

const chain = useTokenChain({ payers: 1 });
let receiver: OtlpReceiver;
let tracing: Tracing;
let failures = 0;
/** The exporter reads the environment variables of its process. */
const before = { ...process.env };

beforeAll(async () => {
  receiver = await createOtlpReceiver();
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = receiver.url;
  process.env.OTEL_EXPORTER_OTLP_HEADERS = 'authorization=secret-token';
  tracing = await startTracing({
    version: 'test',
    env: process.env,
    onError: () => {
      failures++;
    },
  });
});
afterAll(async () => {
  await tracing?.stop();
  for (const name of Object.keys(process.env)) {
    if (name.startsWith('OTEL_') && before[name] === undefined) delete process.env[name];
  }
  await receiver?.close();
});

describeAnyEngine('traces', (open) => {
  let shop: PaidTestServer;
  let proxied: PaidTestServer;
  beforeAll(async () => {
    const store = traceStore(await open());
    shop = await openPaidTestServer({ store, chain, rateLimit: LIMIT });
    const trusted = { ...LIMIT, trustedProxies: ['127.0.0.1'] };
    proxied = await openPaidTestServer({ store, chain, rateLimit: trusted });
  });
  afterAll(async () => {
    await shop?.close();
    await proxied?.close();
  });

  test('default: a purchase is one trace, from the request to the chain', async () => {
    const payment = chain.pay({ value: PRICE });
    const text = header(chain, payment);
    const headers = { 'x-request-id': 'purchase', traceparent: TRACEPARENT };
    expectPaid(await shop.buy(text, { headers }), payment);
    const path = `${NODE}?key=secret-value`;
    await ask(proxied.url, {
      path,
      headers: { 'x-request-id': 'quote', traceparent: TRACEPARENT },
    });
    await ask(shop.url, { path: '/nothing/here', headers: { 'x-request-id': 'unknown' } });
    await tracing.stop();

    const spanOf = (id: string) =>
      receiver.spans.find(({ attributes }) => attributes['assay.request_id'] === id)!;
    const request = spanOf('purchase');
    expect(request).toMatchObject({
      name: 'GET /api/v1/agent/node/{nodeId}',
      kind: 2,
      failed: false,
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/api/v1/agent/node/{nodeId}',
        'url.path': NODE,
        'http.response.status_code': 200,
      },
    });
    // Any client can send a traceparent, so only a trusted proxy's counts.
    expect(request.parentSpanId).toBeUndefined();
    expect(request.traceId).not.toBe(TRACE_ID);
    expect(spanOf('quote')).toMatchObject({ traceId: TRACE_ID, parentSpanId: 'b7ad6b7169203331' });
    expect(spanOf('unknown')).toMatchObject({
      name: 'GET',
      attributes: { 'http.response.status_code': 404 },
    });

    const own = receiver.spans.filter(({ traceId }) => traceId === request.traceId);
    const settlement = own.find(({ name }) => name === 'settle payment')!;
    expect(settlement).toMatchObject({
      parentSpanId: request.spanId,
      attributes: { 'assay.facilitator': 'embedded', 'assay.settlement': 'settled' },
    });
    const calls = own.filter(({ attributes }) => attributes['rpc.system.name'] === 'jsonrpc');
    expect(calls.map(({ parentSpanId }) => parentSpanId)).toContain(settlement.spanId);
    for (const { name, kind, attributes } of calls) {
      expect(name).toMatch(/^(eth_\w+|batch)$/);
      expect({ kind, ...attributes }).toMatchObject({ kind: 3, 'assay.chain_id': 8453 });
    }
    const statements = own.flatMap(({ attributes }) => attributes['db.query.summary'] ?? []);
    expect(statements).toEqual(
      expect.arrayContaining([expect.stringMatching(/^payments\.insert/)]),
    );
    expect([...receiver.services]).toEqual(['assay']);
    expect(receiver.headers[0]).toMatchObject({ authorization: 'secret-token' });
    expect(failures).toBe(0);

    const sent = receiver.text();
    for (const secret of [
      ...['secret-', text, payment.signature, payment.authorization.nonce],
      ...[new URL(chain.url).host, ...chain.keys],
    ]) {
      expect(sent).not.toContain(secret);
    }
    expect(sent).not.toMatch(/select |insert into|update /i);
  });
});
