import { expect, test } from 'vitest';
import { describeAnyEngine } from '../../../test/database.ts';
import { serveMarketData } from '../../../test/marketDataServer.ts';
import type { Config } from '../../config/config.ts';
import { exportState } from '../../store/exports/exportState.ts';
import { families } from '../../store/families/families.ts';
import { sources } from '../../store/sources/sources.ts';
import { runMarketData } from './marketDataLoop.ts';

const KEY = { header: 'x-provider-key', value: 'sesame-open' };
const START = 1_700_000_000;
const NOW = START + 86_400;
const MAX_AGE = 3_600;

describeAnyEngine('runMarketData', (open) => {
  test('behavior: a price that arrives after its ticks is recorded as a change to past data', async () => {
    const store = await open();
    const provider = await serveMarketData({ id: 'usd-coin', key: KEY, priceAt: () => 1 });
    const stopping = new AbortController();
    const [family] = await families.register(store, ['f']);
    const familyId = family!.familyId;
    const source = { key: 'family:f', familyId, feed: null, fingerprint: '', startBlock: 1 };
    await sources.insert(store, [{ ...source, chainId: 1 }]);
    await sources.setStartTime(store, 1, [source], START);
    await families.setTickUntil(store, familyId, NOW);
    const config = {
      families: [{ slug: 'f', priceFeed: 'usdc' }],
      prices: {
        maxAgeSeconds: MAX_AGE,
        feeds: [{ name: 'usdc', kind: 'market-data', marketDataId: 'usd-coin' }],
        marketData: { url: provider.url, apiKey: KEY, pollSeconds: 0.05 },
      },
    } as unknown as Config;
    const log = { info() {}, warn() {}, error() {} } as never;
    const running = runMarketData({
      ...{ config, store, log, now: () => NOW, signal: stopping.signal },
    });
    try {
      await expect
        .poll(() => exportState.getPastChanges(store, 0), { timeout: 60_000 })
        .toEqual([{ chainId: 0, families: [familyId], fromTime: START - MAX_AGE }]);
      const [row] = await families.getAll(store);
      expect(row!.tickUntil).toBe(START - MAX_AGE - 1);
    } finally {
      stopping.abort();
      await running;
      await provider.close();
    }
  });
});
