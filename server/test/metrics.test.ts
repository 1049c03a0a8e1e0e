import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { namedMetrics } from '../../scripts/deployMetrics.ts';
import { startApp } from '../src/assembly/app.ts';
import { createLog } from '../src/cli/log.ts';
import { parseConfig } from '../src/config/load.ts';
import { type Engine, withDatabase } from './database.ts';
import { HAS_PACKAGES } from './debianPackages.ts';
import { freePort } from './freePort.ts';
import { useTokenChain } from './paidTests.ts';
import { runPromtool } from './promtool.ts';

const chain = useTokenChain({ payers: 1 });

/** Returns the metrics of a server that indexes, serves, and sells. */
async function scrape(engine: Engine, meanwhile?: (url: string) => Promise<void>): Promise<string> {
  return withDatabase(engine, async ({ config: store }) => {
    const { chainId, asset, payTo } = chain.terms;
    const adminPort = await freePort();
    const file = {
      http: { host: '127.0.0.1', port: 0, adminPort },
      chains: [{ id: chainId, name: 'base', rpc: [chain.url], pollSeconds: 0.1 }],
      families: [],
      payments: { chain: chainId, asset, payTo, facilitator: { keys: chain.keys } },
    };
    const config = parseConfig({ file: 'metrics.yaml', text: stringify(file), env: {} });
    const { databaseUrl } = store;
    const app = await startApp({
      config: { ...config, store: { ...store, ...(databaseUrl && { replicaUrl: databaseUrl }) } },
      log: createLog({ level: 'silent', stream: { write: () => {} } }),
      version: 'test',
      serve: true,
      index: true,
      commands: [],
    });
    try {
      const read = async () => (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
      await expect.poll(read, { timeout: 60_000 }).toMatch(/^assay_leader\{.*\} 1$/m);
      await meanwhile?.(app.url!);
      return await read();
    } finally {
      await app.stop();
    }
  });
}

function namesIn(text: string): string[] {
  return [...text.matchAll(/^# TYPE (assay_\w+) /gm)].map(([, name]) => name!);
}

/** Returns the names in the first column of the metric tables in docs/operate.md. */
function documentedMetrics(): string[] {
  const text = readFileSync(new URL('../../docs/operate.md', import.meta.url), 'utf8');
  const [, section] = /^## Metrics\n([\s\S]*?)^## /m.exec(text)!;
  return [...section!.matchAll(/^\| `(assay_\w+)/gm)].map(([, name]) => name!);
}

describe('/metrics', () => {
  test('default: docs/operate.md lists each metric once; alerts and dashboards use no others', async () => {
    const texts = await Promise.all([scrape('pglite'), scrape('postgres')]);
    const printed = [...new Set(texts.flatMap(namesIn))].sort();
    expect(documentedMetrics().sort()).toEqual(printed);
    const named = namedMetrics().filter((name) => name.startsWith('assay_'));
    expect(printed).toEqual(expect.arrayContaining(named));
    if (!HAS_PACKAGES) return;
    for (const text of texts) {
      const { code, output } = await runPromtool(['check', 'metrics'], text);
      // Three names from the metrics library violate the conventions; promtool then exits with 3.
      const others = output
        .split('\n')
        .filter((line) => !/^nodejs_active_\w+_total |^$/.test(line));
      expect({ code, others }).toEqual({ code: 3, others: [] });
    }
  }, 300_000);

  test('behavior: samples of a running server', async () => {
    const text = await scrape('postgres', async (url) => {
      for (const path of ['/v1/vaults', '/v1/vaults', '/v1/vaults/none', '/wp-login.php']) {
        await (await fetch(url + path)).text();
      }
    });
    expect(text).toMatch(/^assay_leader\{chain_id="8453",chain="base"\} 1$/m);
    const count = (route: string, status: string) =>
      `assay_http_request_seconds_count{route="${route}",status="${status}"}`;
    expect(text).toContain(`${count('/v1/vaults', '2xx')} 2\n`);
    expect(text).toContain(`${count('/v1/vaults/{slug}', '4xx')} 1\n`);
    expect(text).toContain(`${count('unmatched', '4xx')} 1\n`);
    expect(text).not.toContain('wp-login');
    expect(text).toMatch(/^assay_store_table_bytes\{table="payment"\} [1-9]/m);
    expect(text).toMatch(/^assay_store_connections\{pool="replica",state="idle"\} \d/m);
    expect(text).toMatch(/^assay_store_replica_lag_seconds \d/m);
  }, 300_000);
});
