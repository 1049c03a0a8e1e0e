import { expect, test } from 'vitest';
import { describeAnyEngine } from '../../../test/database.ts';
import type { AlertKind } from '../../domain/alerts/rule.ts';
import { DAY } from '../../domain/time.ts';
import { alerts } from '../../store/alerts/alerts.ts';
import { alertLists } from '../../store/alerts/readAlerts.ts';
import { type FamilyRow, families } from '../../store/families/families.ts';
import { ticks } from '../../store/ticks/ticks.ts';
import { evaluateSeries } from './evaluateFamily.ts';
import type { FamilyToWatch } from './watchedRules.ts';

const START = 1_000 * DAY;
const bound = (value: bigint) => ({ value, decimals: 0 });
const rule = (name: string, kind: AlertKind) => ({
  ...{ name, kind, families: ['one'], targets: [], within: 3_600, silence: 0 },
  ...{ fire: bound(100n), clear: bound(50n) },
});

function tick(at: number, queue: bigint) {
  const amounts = { idle: 0n, invested: 0n, pendingExits: 0n, totalShares: 1n };
  const unknown = { assetsPerShare: null, ratio: null, usd: null, apy1d: null };
  const rest = { apy7d: null, apy30d: null, rewardApr: 0 };
  return { at, tvl: 1n, pendingRedemptionAssets: queue, ...amounts, ...unknown, ...rest };
}

describeAnyEngine('series of an interruption of weeks', (_, database) => {
  test('behavior: an alert that cleared in its first days does not stay firing', async () => {
    const store = await database().open();
    const [{ familyId }] = (await families.register(store, ['one'])) as [FamilyRow];
    const rules = [rule('queue', 'queue-above'), rule('price', 'share-price-falls')];
    const family = {
      ...{ familyId, chainId: 1, nodeId: 'pool', rules },
      family: { slug: 'one', adapter: 'erc4626', chains: [{ chainId: 1 }] },
    } as unknown as FamilyToWatch;

    await ticks.upsert(store, familyId, [tick(START, 100n)]);
    expect(await evaluateUntil(START)).toBe(1);
    expect(await recent()).toEqual([[1, START]]);

    // The values never exceed the bound that fires the alert, and at the end are not below the bound that clears it.
    const away = Array.from({ length: 30 }, (_, day) =>
      tick(START + (day + 1) * DAY, day === 1 ? 40n : 60n),
    );
    await ticks.upsert(store, familyId, away);
    // Evaluates in parts, none of which covers the entire period.
    expect(await evaluateUntil(START + 30 * DAY)).toBe(5);
    expect(await recent()).toEqual([
      [2, START + 2 * DAY],
      [1, START],
    ]);
    const [listed] = await alertLists.getAll(store, ['queue'], null);
    expect(listed).toMatchObject({ active: false, value: 60n, evaluatedUntil: START + 30 * DAY });

    /** Returns the number of parts. */
    async function evaluateUntil(tickUntil: number): Promise<number> {
      const row = { familyId, tickUntil, newestTick: tickUntil, assetDecimals: 0, isLive: true };
      for (let parts = 1; ; parts++) {
        const known = await alerts.getOfFamilies(store, [familyId]);
        const found = await evaluateSeries(store, family, row, known);
        await alerts.save(store, found, START);
        if (found.every(({ evaluatedUntil }) => evaluatedUntil === tickUntil)) return parts;
      }
    }

    async function recent() {
      const rows = await alertLists.getRecent(store, ['queue', 'price'], null, 10);
      return rows.map(({ status, at }) => [status, at]);
    }
  });
});
