import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom, mineBlocks } from '../../../test/activity.ts';
import { describeAnyEngine } from '../../../test/database.ts';
import { type ExportServer, readCsv, startExportServer } from '../../../test/exportServer.ts';
import { liveAt, startIndexing } from '../../../test/indexing.ts';
import { type ServedWorld, serveWorld } from '../../../test/world.ts';
import { COST_METHODS } from '../../domain/wallet/accounting/costMethod.ts';
import { PUBLIC_TABLES } from '../../export/tables.ts';
import type { Store } from '../../store/store.ts';

let served: ServedWorld;
beforeAll(async () => {
  served = await serveWorld({ seed: 'export' });
  const random = createRandom(7);
  for (const { chainId } of served.world.chains)
    await mineBlocks(served.world, chainId, 30, random);
});
afterAll(() => served?.close());

describeAnyEngine('GET /v1/export/{table}', (open) => {
  let store: Store;
  let server: ExportServer;
  beforeAll(async () => {
    store = await open();
    const config = served.config({ ticks: { liveSeconds: 60, backfillSeconds: 3600 } });
    const indexing = startIndexing(store, config);
    await indexing.until(liveAt(served.heads()));
    await indexing.stop();
    server = await startExportServer(config, store);
  });
  afterAll(() => server?.close());

  test('default: history is that of the API', async () => {
    const rows = readCsv(await server.getText('/v1/export/history'));
    const { items } = await server.getJson<{ items: Item[] }>('/v1/history?limit=500');
    expect(items.length).toBeGreaterThan(20);
    const byId = new Map(items.map((item) => [item.id, item]));
    expect(rows).toHaveLength(items.length);
    for (const row of rows) {
      const { user, vaultAddress, ...item } = byId.get(
        `${row.chain_id}-${row.block_number}-${row.log_index}`,
      )!;
      expect(row).toMatchObject({
        type: item.type,
        wallet: user.toLowerCase(),
        vault: vaultAddress.toLowerCase(),
        assets: item.assets ?? '',
        shares: item.shares,
        transaction_hash: item.transactionHash,
        block_time: `${item.blockTimestamp}`,
      });
    }
  });

  test.each(COST_METHODS)('default: the ledger is that of the API, at %s cost', async (method) => {
    const rows = readCsv(await server.getText(`/v1/export/ledger?method=${method}`));
    const wallets = [...new Set(rows.map(({ wallet }) => wallet!))];
    expect(wallets.length).toBeGreaterThan(2);
    for (const wallet of wallets) {
      const entries = await server.getJson<LedgerItem[]>(
        `/v1/users/${wallet}/ledger?method=${method}`,
      );
      const own = rows.filter((row) => row.wallet === wallet);
      const shown = (row: LedgerItem) => JSON.stringify(row);
      const exported = own.map((row) => ({
        at: new Date(Number(row.block_time) * 1000).toISOString(),
        ...{ family: row.family!, chainId: Number(row.chain_id), type: row.type! },
        ...{ shares: row.shares!, assets: row.assets!, cost: row.cost! },
        result: row.result || null,
        transactionHash: row.transaction_hash || null,
      }));
      const wanted = entries.map(
        ({ at, family, chainId, type, shares, assets, cost, result, transactionHash }) => ({
          ...{ at, family, chainId, type, shares, assets, cost, result, transactionHash },
        }),
      );
      expect(exported.map(shown).sort()).toEqual(wanted.map(shown).sort());
    }
  });

  test('behavior: positions by a cost method add up the ledger', async () => {
    const stored = await server.getText('/v1/export/positions');
    expect(await server.getText('/v1/export/positions?method=average')).toBe(stored);
    const ledger = await server.getText('/v1/export/ledger');
    expect(await server.getText('/v1/export/ledger?method=average')).toBe(ledger);
    const texts = new Set<string>();
    // At average cost, positions are stored; movements of the newest second are added to them later.
    for (const method of COST_METHODS.slice(1)) {
      const text = await server.getText(`/v1/export/positions?method=${method}`);
      texts.add(text);
      const rows = readCsv(await server.getText(`/v1/export/ledger?method=${method}`));
      for (const { family, wallet, shares, cost, realized } of readCsv(text)) {
        const own = rows.filter((row) => row.family === family && row.wallet === wallet);
        const sum = (cell: 'cost' | 'result') =>
          own.reduce((total, row) => total + BigInt(row[cell] || 0), 0n);
        const balance = own.reduce(
          (total, { type, shares: some }) =>
            total + BigInt(some!) * (type === 'exit' || type === 'sent' ? -1n : 1n),
          0n,
        );
        expect([balance, sum('cost'), sum('result')].map(String)).toEqual([shares, cost, realized]);
      }
      const wallets = new Set(rows.map(({ family, wallet }) => `${family},${wallet}`));
      expect(readCsv(text)).toHaveLength(wallets.size);
    }
    expect(texts.size).toBeGreaterThan(1);
  });

  test('default: ticks are those of the series', async () => {
    const rows = readCsv(await server.getText('/v1/export/ticks?family=svcusd'));
    const series = await server.getJson<{ at: string; value: string; usd: number | null }[]>(
      '/v1/vaults/svcusd/timeseries/tvl?interval=raw&limit=5000',
    );
    expect(series.length).toBeGreaterThan(0);
    expect(rows.filter(({ tvl }) => tvl !== '').map(({ at, tvl, usd }) => [at, tvl, usd])).toEqual(
      series.map(({ at, value, usd }) => [`${Date.parse(at) / 1000}`, value, `${usd ?? ''}`]),
    );
  });

  test('behavior: a table continues after any of its lines', async () => {
    const byMethod = PUBLIC_TABLES.filter(({ hasCosts }) => hasCosts);
    const all = [
      ...PUBLIC_TABLES.map((table) => ({ ...table, method: '' })),
      ...byMethod.map((table) => ({ ...table, method: 'method=hifo' })),
    ];
    for (const { name, keyLength, method } of all) {
      const path = `/v1/export/${name}?${method}`;
      const whole = await server.getText(path, { 'accept-encoding': 'identity' });
      const lines = whole.trimEnd().split('\n');
      expect(lines.length, name).toBeGreaterThan(2);
      for (const at of [1, Math.floor(lines.length / 2), lines.length - 1]) {
        const cursor = lines[at]!.split(',', keyLength).join(',');
        const rest = await server.getText(`${path}&cursor=${cursor}`);
        expect(rest.trimEnd().split('\n').filter(Boolean), name).toEqual(lines.slice(at + 1));
      }
    }
  });

  test('behavior: a range of blocks', async () => {
    for (const name of ['history', 'ledger', 'share_prices']) {
      const rows = readCsv(await server.getText(`/v1/export/${name}`));
      const chainId = rows[0]!.chain_id!;
      const numbers = rows
        .filter((row) => row.chain_id === chainId)
        .map((row) => Number(row.block_number))
        .sort((a, b) => a - b);
      const [from, to] = [numbers[1]!, numbers.at(-2)!];
      const query = `chainId=${chainId}&from=${from}&to=${to}`;
      const some = readCsv(await server.getText(`/v1/export/${name}?${query}`));
      const isIn = (row: Record<string, string>) =>
        row.chain_id === chainId &&
        Number(row.block_number) >= from &&
        Number(row.block_number) <= to;
      expect(some.length).toBeGreaterThan(0);
      expect(some, name).toEqual(rows.filter(isIn));
    }
  });

  test('error: invalid requests', async () => {
    const refused = async (path: string) => {
      const response = await fetch(`${server.url}/v1/export/${path}`);
      const { detail } = (await response.json()) as { detail: string };
      return `${response.status} ${detail}`;
    };
    expect(await refused('payments')).toMatch(/^404 there is no such table/);
    expect(await refused('history?family=none')).toMatch(/^404 there is no such vault family/);
    expect(await refused('history?from=1')).toMatch(/^400 from needs chainId/);
    expect(await refused('ticks?chainId=1')).toMatch(/^400 chainId cannot be used/);
    expect(await refused('positions?to=1&chainId=1')).toMatch(/to cannot be used/);
    expect(await refused('history?cursor=svcusd,1,2,3')).toMatch(/^400 cursor must be the first/);
    expect(await refused('history?cursor=none,1,2,3,4')).toMatch(/^400 cursor is of another/);
    expect(await refused('events?cursor=abc')).toMatch(/^400 cursor must be the first/);
    expect(await refused('ledger?method=best')).toMatch(
      /^400 method must be one of average, fifo, lifo, hifo/,
    );
    expect(await refused('history?method=fifo')).toMatch(
      /^400 method cannot be used: rows of history have no cost/,
    );
    expect(await refused('history?format=parquet')).toMatch(/^400 format must be one of csv/);
  });
});

interface Item {
  readonly id: string;
  readonly type: string;
  readonly vaultAddress: string;
  readonly user: string;
  readonly assets: string | null;
  readonly shares: string;
  readonly transactionHash: string;
  readonly blockTimestamp: number;
}

interface LedgerItem {
  readonly at: string;
  readonly family: string;
  readonly chainId: number;
  readonly type: string;
  readonly shares: string;
  readonly assets: string;
  readonly cost: string;
  readonly result: string | null;
  readonly transactionHash: string | null;
}
