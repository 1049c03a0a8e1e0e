import { ratio } from '../amount.ts';
import type { Address } from '../hex.ts';

/** A share of a pool's value: an asset that it holds, or one that backs what it lends. */
export interface CompositionPart {
  readonly kind: 'underlying' | 'collateral';
  readonly chainId: number;
  readonly address: Address;
  readonly symbol: string;
  readonly share: number;
}

export interface ExposedPool {
  readonly value: bigint;
  readonly composition: readonly CompositionPart[];
}

export interface ExposureEntry {
  readonly chainId: number;
  readonly address: Address;
  readonly symbol: string;
  readonly exposureUsd: number | null;
  /** Percent of what is invested. */
  readonly exposurePct: number;
}

export interface Exposure {
  readonly allocatedUsd: number | null;
  readonly uncollateralizedUsd: number | null;
  readonly uncollateralizedPct: number;
  readonly underlying: readonly ExposureEntry[];
  readonly collateral: readonly ExposureEntry[];
}

export interface ExposureInput {
  readonly pools: readonly ExposedPool[];
  readonly invested: bigint;
  readonly tvl: bigint;
  /** What the tvl is worth; null when no price was held. */
  readonly tvlUsd: number | null;
}

/**
 * What the invested value consists of, and what stands behind it. USD figures are parts of the tvl's own, so all of
 * them rest on one price; percentages need none. A pool of unknown composition has nothing known behind it,
 * and neither has what a vault invests without declaring pools.
 */
export function exposureOf(input: ExposureInput): Exposure {
  const { pools, invested } = input;
  const collateralized = pools
    .filter(({ composition }) => composition.some(({ kind }) => kind === 'collateral'))
    .reduce((sum, { value }) => sum + value, 0n);
  const uncollateralized = invested > collateralized ? invested - collateralized : 0n;
  const partOfInvested = (value: bigint) => (invested === 0n ? 0 : ratio(value, invested));
  return {
    allocatedUsd: usdOf(invested, input),
    uncollateralizedUsd: usdOf(uncollateralized, input),
    uncollateralizedPct: 100 * partOfInvested(uncollateralized),
    underlying: entriesOf('underlying'),
    collateral: entriesOf('collateral'),
  };

  function entriesOf(kind: CompositionPart['kind']): ExposureEntry[] {
    const found = new Map<string, ExposureEntry>();
    for (const { value, composition } of pools) {
      for (const part of composition) {
        if (part.kind !== kind || value === 0n) continue;
        const key = `${part.chainId} ${part.address}`;
        const held = found.get(key);
        const usd = usdOf(value, input);
        found.set(key, {
          chainId: part.chainId,
          address: part.address,
          symbol: held?.symbol ?? part.symbol,
          exposureUsd: usd === null ? null : (held?.exposureUsd ?? 0) + usd * part.share,
          exposurePct: (held?.exposurePct ?? 0) + 100 * partOfInvested(value) * part.share,
        });
      }
    }
    return [...found.values()].sort(biggestFirst);
  }
}

function usdOf(amount: bigint, { tvl, tvlUsd }: ExposureInput): number | null {
  if (tvlUsd === null) return null;
  return tvl === 0n ? 0 : tvlUsd * ratio(amount, tvl);
}

function biggestFirst(a: ExposureEntry, b: ExposureEntry): number {
  return b.exposurePct - a.exposurePct || a.chainId - b.chainId || (a.address < b.address ? -1 : 1);
}
