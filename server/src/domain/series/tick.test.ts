import { describe, expect, test } from 'vitest';
import { DAY, YEAR } from '../time.ts';
import type { PricePoint } from './apy.ts';
import { type ChainTick, familyTick, type TickInput } from './tick.ts';

const AT = 1_790_000_000;

/** The price of one share (10^decimals), for a vault without a more exact ratio. */
const priced = (sharePrice: bigint) => ({ sharePrice, ratio: ratioOf(sharePrice) });
const ratioOf = (price: bigint) => ({ assets: price, shares: 10n ** 6n });

function chain(chainId: number, change: Partial<ChainTick> = {}): ChainTick {
  return {
    chainId,
    idle: 10n,
    invested: 80n,
    pendingExits: 10n,
    pendingRedemptionAssets: 3n,
    shareSupply: 50n,
    ...priced(2_000_000n),
    rewardPerYear: 5n,
    ...change,
  };
}

function tick(change: Partial<TickInput> = {}) {
  return familyTick({
    at: AT,
    chains: [chain(1), chain(2, { idle: 100n, ...priced(3_000_000n) })],
    priceChainId: 1,
    assetDecimals: 2,
    usdPrice: { value: 150_000_000n, decimals: 8 },
    priceAt: () => undefined,
    ...change,
  });
}

describe('familyTick', () => {
  test('default', () => {
    expect(tick()).toEqual({
      at: AT,
      tvl: 290n,
      idle: 110n,
      invested: 160n,
      pendingExits: 20n,
      pendingRedemptionAssets: 6n,
      totalShares: 100n,
      assetsPerShare: 2_000_000n,
      ratio: { assets: 2_000_000n, shares: 1_000_000n },
      usd: 4.35,
      apy1d: null,
      apy7d: null,
      apy30d: null,
      rewardApr: 10 / 290,
    });
  });

  test('behavior: the price is that of the first settlement chain, or unknown', () => {
    expect(tick({ priceChainId: 2 }).assetsPerShare).toBe(3_000_000n);
    expect(tick({ priceChainId: 9 }).assetsPerShare).toBeNull();
    expect(tick({ chains: [chain(1, { sharePrice: null })] }).assetsPerShare).toBeNull();
  });

  test('behavior: without a stored price, there is no USD value', () => {
    expect(tick({ usdPrice: null }).usd).toBeNull();
  });

  test('behavior: an empty family earns no rewards', () => {
    const empty = chain(1, { idle: 0n, invested: 0n, pendingExits: 0n });
    expect(tick({ chains: [empty] })).toMatchObject({ tvl: 0n, usd: 0, rewardApr: 0 });
  });

  test('behavior: rates reach back to the price of 1, 7 and 30 days before', () => {
    const asked: number[] = [];
    const priceAt = (instant: number): PricePoint => {
      asked.push(AT - instant);
      return { at: instant, ...ratioOf(1_990_000n) };
    };
    const made = tick({ priceAt });
    expect(asked).toEqual([DAY, 7 * DAY, 30 * DAY]);
    expect(made.apy7d).toBeCloseTo((200 / 199) ** (365 / 7) - 1, 9);
    expect(made.apy1d).toBeGreaterThan(made.apy7d!);
    expect(made.apy30d).toBeLessThan(made.apy7d!);
  });

  test('behavior: a window longer than the family’s life covers its entire life', () => {
    const first = { at: AT - 2 * DAY, ...ratioOf(1_990_000n) };
    const made = tick({
      priceAt: (instant) => (instant >= first.at ? { ...first, at: instant } : first),
    });
    expect(made.apy30d).toBe(made.apy7d);
    expect(made.apy7d).toBeCloseTo((200 / 199) ** (365 / 2) - 1, 9);
  });

  test('behavior: no price now, no rate', () => {
    const priceAt = () => ({ at: AT - DAY, ...ratioOf(1n) });
    expect(tick({ priceChainId: 9, priceAt }).apy7d).toBeNull();
  });

  describe('behavior: a vault whose asset is a vault', () => {
    /** A vault's own state: integer assets and shares; the price of one share is rounded down. */
    interface Vault {
      readonly assets: bigint;
      readonly shares: bigint;
      readonly shareDecimals: number;
    }
    const priceOf = ({ assets, shares, shareDecimals }: Vault) =>
      (assets * 10n ** BigInt(shareDecimals)) / shares;
    /** Grows by `rate` per year; the curve is exact to 15 digits. */
    const grown = (vault: Vault, rate: number, seconds: number): Vault => ({
      ...vault,
      assets:
        (vault.assets * BigInt(Math.round((1 + rate) ** (seconds / YEAR) * 1e15))) / 10n ** 15n,
    });
    const apyOf = (vault: Vault, rate: number, days: 1 | 7 | 30): number => {
      const made = tick({
        chains: [chain(1, priced(priceOf(vault)))],
        priceAt: (at) => ({ at, ...ratioOf(priceOf(grown(vault, rate, at - AT))) }),
      });
      return made[`apy${days}d`]!;
    };

    // 24-decimal shares over an 18-decimal asset, and an outer vault of those shares with 18-decimal shares.
    const inner: Vault = {
      assets: 123_456n * 10n ** 18n,
      shares: 100_000n * 10n ** 24n,
      shareDecimals: 24,
    };
    const outer: Vault = {
      assets: 77_777n * 10n ** 24n,
      shares: 77_000n * 10n ** 18n,
      shareDecimals: 18,
    };

    test.each([1, 7, 30] as const)('each to 1e-9 over %i days', (days) => {
      for (const rate of [0, 0.0001, 0.045, 0.3, -0.02]) {
        // The curve itself is exact to 1e-15, which the power of a day multiplies.
        const exactness = 1e-9 + (1e-15 * 365 * (1 + rate)) / days;
        expect(Math.abs(apyOf(inner, rate, days) - rate)).toBeLessThan(exactness);
        expect(Math.abs(apyOf(outer, rate, days) - rate)).toBeLessThan(exactness);
      }
    });

    test('its yield is measured in its own asset; in the asset below, both compound', () => {
      const [earnedBelow, earnedAbove] = [0.05, -0.01];
      const through = (seconds: number) => {
        const [below, above] = [
          grown(inner, earnedBelow, seconds),
          grown(outer, earnedAbove, seconds),
        ];
        return (priceOf(above) * priceOf(below)) / 10n ** 24n;
      };
      const made = tick({
        chains: [chain(1, priced(through(0)))],
        priceAt: (at) => ({ at, ...ratioOf(through(at - AT)) }),
      });
      const both = (1 + apyOf(inner, earnedBelow, 7)) * (1 + apyOf(outer, earnedAbove, 7)) - 1;
      expect(Math.abs(made.apy7d! - both)).toBeLessThan(1e-9);
      expect(Math.abs(both - (1.05 * 0.99 - 1))).toBeLessThan(1e-9);
    });
  });
});
