import { Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { addHistogram } from './histogram.ts';
import { createRequestTimes, REQUEST_BOUNDS, statusClass } from './requestTimes.ts';

describe('createRequestTimes', () => {
  test('default: counts by bucket; a bound belongs to its bucket', () => {
    const times = createRequestTimes();
    for (const seconds of [0, 0.001, 0.0011, 2.5, 60]) times.add('/v1/vaults', '2xx', seconds);
    expect(times.read()).toEqual([
      {
        labels: { route: '/v1/vaults', status: '2xx' },
        counts: [2, 1, 0, 0, 0, 1, 1],
        sum: expect.closeTo(62.5021),
      },
    ]);
  });

  test('behavior: requests without a route share one label', () => {
    const times = createRequestTimes();
    for (let i = 0; i < 3; i++) times.add(undefined, '4xx', 0);
    expect(times.read().map(({ labels }) => labels)).toEqual([
      { route: 'unmatched', status: '4xx' },
    ]);
  });

  test('behavior: responses by class, without probes and aborted requests', () => {
    const times = createRequestTimes();
    times.add('/a', '2xx', 0);
    times.add('/b', '2xx', 9);
    times.add('/b', '5xx', 0);
    times.add('/b', 'aborted', 0);
    times.add('/health/ready', '5xx', 0);
    expect(times.responses()).toEqual([
      { status: '2xx', value: 2 },
      { status: '3xx', value: 0 },
      { status: '4xx', value: 0 },
      { status: '5xx', value: 1 },
    ]);
  });

  test('behavior: a status of no class is counted with the nearest', () => {
    expect([101, 200, 304, 402, 599, 777].map(statusClass)).toEqual([
      ...['2xx', '2xx', '3xx', '4xx', '5xx', '5xx'],
    ]);
  });
});

describe('addHistogram', () => {
  test('default: cumulative buckets in the Prometheus text format', async () => {
    const times = createRequestTimes();
    times.add('/a', '2xx', 0.003);
    times.add('/a', '2xx', 3);
    const register = new Registry();
    const source = { name: 'x_seconds', help: 'Time.', labels: ['route', 'status'] };
    addHistogram({ ...source, bounds: REQUEST_BOUNDS, read: times.read }, register);
    expect(await register.metrics()).toMatchInlineSnapshot(`
      "# HELP x_seconds Time.
      # TYPE x_seconds histogram
      x_seconds_bucket{le="0.001",route="/a",status="2xx"} 0
      x_seconds_bucket{le="0.005",route="/a",status="2xx"} 1
      x_seconds_bucket{le="0.025",route="/a",status="2xx"} 1
      x_seconds_bucket{le="0.1",route="/a",status="2xx"} 1
      x_seconds_bucket{le="0.5",route="/a",status="2xx"} 1
      x_seconds_bucket{le="2.5",route="/a",status="2xx"} 1
      x_seconds_bucket{le="+Inf",route="/a",status="2xx"} 2
      x_seconds_sum{route="/a",status="2xx"} 3.003
      x_seconds_count{route="/a",status="2xx"} 2
      "
    `);
  });
});
