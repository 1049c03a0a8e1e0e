import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { step } from '../../devnet/src/index.ts';
import { HISTORY_TYPE } from '../src/store/history/history.ts';
import { withDatabase } from './database.ts';
import { FINE_CHAIN, indexUndisturbed, type Reference } from './faultRun.ts';
import { type MarketDataServer, serveMarketData } from './marketDataServer.ts';
import { startTestApp, statusLiveAt } from './runningApp.ts';
import { readRows } from './tableRows.ts';
import { type ServedWorld, serveWorld } from './world.ts';

const KEY = { header: 'x-provider-key', value: 'sesame-open' };
const HOUR = 3600;
/** A different price every hour, so that the test can detect which one was used. */
const priceAt = (at: number) => 0.9 + (Math.floor(at / HOUR) % 1000) / 10_000;

interface TickRow {
  readonly at: number;
  readonly tvl: string;
  readonly usd: number | null;
}

interface HistoryRow {
  readonly block_time: number;
  readonly type: number;
  readonly usd: number | null;
}

let served: ServedWorld;
let undisturbed: Reference;
let provider: MarketDataServer;
beforeAll(async () => {
  served = await serveWorld({ seed: 'market data' });
  undisturbed = await indexUndisturbed(served);
  provider = await serveMarketData({ id: 'usd-coin', key: KEY, priceAt });
});
afterAll(async () => {
  await provider?.close();
  await undisturbed?.drop();
  await served?.close();
});

describe('a market-data provider', () => {
  test('behavior: USD values are missing while it is down, and filled later', async () => {
    await provider.fall();
    const config = served.config({
      chain: FINE_CHAIN,
      edit(file) {
        Object.assign(file.prices, {
          feeds: { 'usdc-usd': { marketDataId: 'usd-coin' } },
          marketData: { url: provider.url, apiKey: KEY, pollSeconds: 0.2 },
        });
      },
    });
    await withDatabase('postgres', async (database) => {
      const app = await startTestApp(config, database.config);
      const store = await database.open();
      const ticks = async () =>
        (await readRows(store, { tables: ['tick'] })).tick!.map(
          (text) => JSON.parse(text) as TickRow,
        );
      const deposits = async () =>
        (await readRows(store, { tables: ['history'] }))
          .history!.map((text) => JSON.parse(text) as HistoryRow)
          .filter(({ type }) => type === HISTORY_TYPE.deposit);
      try {
        await app.until(statusLiveAt(served.heads()));
        // Everything that needs no price is complete.
        const rest = { tables: ['history', 'movement', 'position', 'tick'], without: ['usd'] };
        expect(await readRows(store, rest)).toEqual(await undisturbed.rows(rest));
        expect((await ticks()).map(({ usd }) => usd)).not.toContainEqual(expect.any(Number));
        expect((await deposits()).map(({ usd }) => usd)).not.toContainEqual(expect.any(Number));

        await provider.rise();
        await until(async () => (await readRows(store, { tables: ['price'] })).price!.length > 1);
        for (const { chainId, chain } of served.world.chains) {
          await step(served.world, chainId, chain.tip.time + 400);
        }
        await app.until(statusLiveAt(served.heads()));
        const made = await ticks();
        expect(made.length).toBeGreaterThan(50);
        for (const { at, tvl, usd } of made) {
          expect(usd, String(at)).toBeCloseTo((Number(tvl) / 1e6) * priceAt(at), 3);
        }
        // The first deposits are older than the first price of their hour.
        const firstHour = Math.ceil(served.world.startTime / HOUR) * HOUR;
        expect((await deposits()).some((row) => row.block_time < firstHour)).toBe(true);
        // The newest block's second may not be complete yet.
        const unpriced = (await deposits()).filter(({ usd }) => usd === null);
        const tip = Math.min(...served.world.chains.map(({ chain }) => chain.tip.time));
        expect(unpriced.filter((row) => row.block_time < tip)).toEqual([]);

        await provider.fall();
        for (const { chainId, chain } of served.world.chains) {
          await step(served.world, chainId, chain.tip.time + 400);
        }
        await app.until(statusLiveAt(served.heads()));
        expect((await ticks()).length).toBeGreaterThan(made.length);
        // The error is logged once the retries are used up.
        await until(async () => app.logs().includes('market data cannot be read'));
      } finally {
        await app.stop();
      }
      const said = app.logs() + app.bodies();
      expect(said).not.toMatch(/https?:|127\.0\.0\.1|localhost/);
      expect(said).not.toContain(KEY.value);
    });
  });
});

async function until(done: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 30_000;
  while (!(await done())) {
    if (performance.now() > end) throw new Error('still not there');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
