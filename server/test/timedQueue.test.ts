import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyStore } from '../src/commands/verify.ts';
import type { Address } from '../src/domain/hex.ts';
import { describeAnyEngine } from './database.ts';
import { type RunningApp, startTestApp, statusLiveAt } from './runningApp.ts';
import {
  ALICE,
  BOB,
  CAROL,
  createTimedVaults,
  type TimedVaults,
  UNIT,
} from './shapes/timedVaults.ts';

let vaults: TimedVaults;
beforeAll(async () => {
  vaults = await createTimedVaults();
});
afterAll(() => vaults?.close());

describeAnyEngine('requests settled by time', (open, database) => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await startTestApp(vaults.config(), database().config);
    await app.until(statusLiveAt(vaults.heads()));
  });
  afterAll(() => app?.stop());
  const get = async <T>(path: string): Promise<T> =>
    (await (await fetch(`${app.url}${path}`)).json()) as T;

  /** Returns shares, cost, value, and realized result in whole assets. */
  async function standing(wallet: Address): Promise<bigint[]> {
    const { families } = await get<{
      families: Record<'sharesBalance' | 'costBasis' | 'currentValue' | 'realized', string>[];
    }>(`/v1/performance/${wallet}?family=timed`);
    const { sharesBalance, costBasis, currentValue, realized } = families[0]!;
    return [sharesBalance, costBasis, currentValue, realized].map((one) => BigInt(one) / UNIT);
  }

  test('default: a deposit settled and claimed at once is paid for once', async () => {
    expect(await standing(ALICE)).toEqual([100n, 100n, 100n, 0n]);
  });

  test('behavior: settled shares have an owner without any event', async () => {
    expect(await standing(BOB)).toEqual([50n, 50n, 50n, 0n]);
  });

  test('behavior: an immediate exit and a cancelled request', async () => {
    expect(await standing(CAROL)).toEqual([10n, 10n, 10n, -1n]);
    const { items } = await get<{ items: { type: string; assets: string; shares: string }[] }>(
      `/v1/history?user=${CAROL}`,
    );
    expect(
      items.map(({ type, assets, shares }) => [type, BigInt(assets) / UNIT, BigInt(shares) / UNIT]),
    ).toEqual([
      ['cancel', 4n, 4n],
      ['redeem', 4n, 4n],
      ['withdraw', 9n, 10n],
      ['deposit', 20n, 20n],
    ]);
  });

  test('behavior: claimable assets are idle if the vault still counts them', async () => {
    const { stats } = await get<{
      stats: Record<'tvl' | 'idle' | 'invested' | 'totalShares', string>;
    }>('/v1/vaults/timed');
    const { tvl, idle, invested, totalShares } = stats;
    const whole = `${350n * UNIT}`;
    expect({ tvl, idle, invested, totalShares }).toEqual({
      ...{ tvl: whole, idle: whole, invested: '0', totalShares: whole },
    });
  });

  test('behavior: verify handles burned shares that are still counted, and gains that are not counted yet', async () => {
    const { stats } = await get<{ stats: { invested: string; pools: { value: string }[] } }>(
      '/v1/vaults/late',
    );
    expect([stats.invested, ...stats.pools.map(({ value }) => value)]).toEqual([
      `${80n * UNIT}`,
      `${87n * UNIT}`,
    ]);
    await app.stop();
    const lines: string[] = [];
    const args = { family: null, wallets: 10, seed: 'timed' };
    const store = await open();
    const code = await verifyStore.runOn({ config: vaults.config(), store }, args, (line) =>
      lines.push(line),
    );
    expect([code, lines.filter((line) => /^(DIFFERENT|NOT CHECKED)/.test(line))]).toEqual([0, []]);
  });
});
