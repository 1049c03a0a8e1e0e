import { expect, test } from 'vitest';
import type { ChainConfig } from '../config/config.ts';
import { examineCalls } from './examineCalls.ts';
import { readMetrics } from './runningServer.ts';

const METRICS = `# TYPE process_start_time_seconds gauge
process_start_time_seconds 1000
assay_info{version="0.1.0"} 1
assay_store_up 1
assay_rpc_calls_total{chain_id="1",purpose="index"} 500
assay_rpc_calls_total{chain_id="1",purpose="live"} 100
assay_rpc_calls_total{chain_id="10",purpose="index"} 7
`;
const chain = { chainId: 1, name: 'ethereum', rpcUrls: ['http://node'], pollSeconds: 2 };
const chains = [chain, { ...chain, chainId: 5, rpcUrls: [] }] as unknown as ChainConfig[];

test('default: what a running server has sent, as a day', () => {
  const running = readMetrics(METRICS);
  expect(running).toMatchObject({ version: '0.1.0', storeUp: true, startedAt: 1000 });
  expect(examineCalls({ chains }, running, 1000 + 3600).map(({ text }) => text)).toEqual([
    'calls: chain 1 (ethereum): 600 in 3600 s, so 14400 a day',
  ]);
});

test('behavior: without one, or shortly after its start, the least that it takes', () => {
  const least = [
    'calls: chain 1 (ethereum): at least 43200 a day, as the head is asked for every 2 s',
  ];
  for (const running of [undefined, readMetrics(METRICS)]) {
    expect(examineCalls({ chains }, running, 1060).map(({ text }) => text)).toEqual(least);
  }
});

test('behavior: metrics of something else', () => {
  expect(readMetrics('up 1\n')).toBeUndefined();
});
