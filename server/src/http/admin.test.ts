import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FamilyGap } from '../store/gaps/familyGaps.ts';
import { ADMIN_HOST, createAdminServer, createMetricsServer } from './admin.ts';
import { listen } from './listen.ts';
import { createMetrics } from './metrics.ts';
import type { ChainStatus } from './status.ts';

const gap: FamilyGap = {
  ...{ familyId: 1, family: 'good', chainId: 8453, reason: 'state', initial: false },
  ...{ fromBlock: 11, toBlock: 20, fromTime: 100, toTime: 200, foundAt: 300, requestedAt: null },
};

const base: ChainStatus = {
  sources: [
    {
      ...{ kind: 'family', name: 'good', state: 'current', error: null },
      ...{ families: ['good'], gaps: [gap, { ...gap, fromBlock: 31, toBlock: 35 }] },
    },
    {
      ...{ kind: 'family', name: 'bad', state: 'halted', error: { message: 'x', since: 1 } },
      ...{ families: ['bad'], gaps: [] },
    },
  ],
  chainId: 8453,
  name: 'base',
  state: 'syncing',
  backfilled: false,
  head: 120,
  finalized: null,
  indexedBlock: 118,
  lagSeconds: 4,
  lastError: null,
  updatedAt: 1_700_000_011,
};

let statuses: () => Promise<ChainStatus[]>;
let events: number;
let app: ReturnType<typeof createAdminServer>;
let port: number;

beforeEach(async () => {
  statuses = async () => [base];
  events = 3;
  const metrics = createMetrics({
    version: '0.1.0',
    getChainStatuses: () => statuses(),
    counters: [
      {
        name: 'assay_events_total',
        help: 'Events indexed.',
        labels: ['chain'],
        read: () => [{ labels: { chain: 'base' }, value: events }],
      },
    ],
  });
  app = createAdminServer({ metrics, onError: () => {} });
  port = await listen(app, { host: ADMIN_HOST, port: 0, setting: 'ADMIN_PORT' });
});
afterEach(() => app.close());

function get(path: string, host?: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = host === undefined ? {} : { host };
    const sent = request({ host: ADMIN_HOST, port, path, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe('GET /metrics', () => {
  test('default', async () => {
    const { status, text } = await get('/metrics');
    expect(status).toBe(200);
    expect(text).toContain('assay_chain_head_block{chain_id="8453",chain="base"} 120\n');
    expect(text).toContain('assay_chain_indexed_block{chain_id="8453",chain="base"} 118\n');
    expect(text).toContain('assay_chain_lag_seconds{chain_id="8453",chain="base"} 4\n');
    expect(text).toContain('assay_chain_halted{chain_id="8453",chain="base"} 1\n');
    expect(text).toContain('assay_chain_held_back{chain_id="8453",chain="base"} 1\n');
    const ofGaps = '{chain_id="8453",chain="base",family="good",reason="state"}';
    expect(text).toContain(`assay_gap_blocks${ofGaps} 15\n`);
    expect(text).toContain(`assay_gap_seconds${ofGaps} 200\n`);
    expect(text).toContain('assay_chain_state{chain_id="8453",chain="base",state="syncing"} 1\n');
    expect(text).toContain('assay_chain_state{chain_id="8453",chain="base",state="live"} 0\n');
    expect(text).toContain('assay_events_total{chain="base"} 3\n');
    expect(text).toContain('process_resident_memory_bytes');
  });

  test('behavior: an unknown value has no sample', async () => {
    expect((await get('/metrics')).text).not.toMatch(/^assay_chain_finalized_block\{/m);
  });

  test('behavior: counters and gauges have their current values', async () => {
    await get('/metrics');
    events = 7;
    statuses = async () => [{ ...base, head: null, state: 'live' }];
    const { text } = await get('/metrics');
    expect(text).toContain('assay_events_total{chain="base"} 7\n');
    expect(text).not.toMatch(/^assay_chain_head_block\{/m);
    expect(text).toContain('assay_chain_state{chain_id="8453",chain="base",state="live"} 1\n');
  });

  test('behavior: without the database, the other metrics are served', async () => {
    statuses = () => Promise.reject(new Error('away'));
    const { status, text } = await get('/metrics');
    expect(status).toBe(200);
    expect(text).toContain('assay_store_up 0\n');
    expect(text).not.toMatch(/^assay_chain_state\{/m);
  });

  test('behavior: a gauge that cannot be read has no sample, not a zero', async () => {
    await app.close();
    const gauge = (name: string, read: () => Promise<number[]>) => ({
      ...{ name, help: 'A value.', labels: [] },
      read: async () => (await read()).map((value) => ({ labels: {}, value })),
    });
    const metrics = createMetrics({
      ...{ version: '0.1.0', getChainStatuses: () => statuses() },
      gauges: [
        gauge('assay_known', async () => [0]),
        gauge('assay_unknown', async () => []),
        gauge('assay_failing', () => Promise.reject(new Error('away'))),
      ],
    });
    const text = await metrics.read();
    expect(text).toMatch(/^assay_known 0$/m);
    expect(text).not.toMatch(/^assay_(unknown|failing) /m);
    expect(text).toContain('# TYPE assay_unknown gauge');
  });

  test('behavior: a metrics port serves only metrics, and accepts any Host header', async () => {
    await app.close();
    const metrics = createMetrics({ version: '0.1.0', getChainStatuses: () => statuses() });
    app = createMetricsServer({ metrics, onError: () => {} });
    port = await listen(app, { host: ADMIN_HOST, port: 0, setting: 'METRICS_PORT' });
    expect((await get('/metrics', 'assay-1:9465')).text).toContain('assay_store_up 1\n');
    expect((await get('/commands/verify', 'assay-1:9465')).status).toBe(404);
    expect(await get('/health/live', 'assay-1:9465')).toMatchObject({ status: 200 });
  });

  test('behavior: names of the loopback', async () => {
    for (const host of ['localhost', `localhost:${port}`, '127.0.0.1', '[::1]:9464']) {
      expect((await get('/metrics', host)).status).toBe(200);
    }
  });

  test('error: any other name, as a rebound web page would send', async () => {
    for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:80']) {
      expect((await get('/metrics', host)).status).toBe(403);
    }
    expect((await get('/nothing', 'evil.example')).status).toBe(403);
  });
});
