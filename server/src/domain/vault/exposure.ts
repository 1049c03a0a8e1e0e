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
  readonly unclassifiedUsd: number | null;
  readonly unclassifiedPct: number;
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

/** Tenths do not add up exactly in binary: what is nearer to the whole than this is the whole. */
const WHOLE = 1 - 1e-9;
const PARTS = 1e15;

/**
 * What the invested value consists of, and what stands behind it. USD figures are parts of the tvl's own, so all of
 * them rest on one price; percentages need none. A pool is uncollateralised when it is known what it holds and that
 * nothing backs it. What nobody describes is neither: pools without a composition, the part of a pool that its
 * composition leaves out, and what is invested in no pool at all.
 */
export function exposureOf(input: ExposureInput): Exposure {
  const { pools, invested } = input;
  const pooled = pools.reduce((sum, { value }) => sum + value, 0n);
  let uncollateralized = 0n;
  let unclassified = invested > pooled ? invested - pooled : 0n;
  for (const { value, composition } of pools) {
    const held = shareOf(composition, 'underlying');
    const backed = shareOf(composition, 'collateral');
    if (backed === 0) uncollateralized += cut(value, held);
    unclassified += value - cut(value, Math.max(held, backed));
  }
  const partOfInvested = (value: bigint) => (invested === 0n ? 0 : ratio(value, invested));
  return {
    allocatedUsd: usdOf(invested, input),
    uncollateralizedUsd: usdOf(uncollateralized, input),
    uncollateralizedPct: 100 * partOfInvested(uncollateralized),
    unclassifiedUsd: usdOf(unclassified, input),
    unclassifiedPct: 100 * partOfInvested(unclassified),
    underlying: entriesOf('underlying'),
    collateral: entriesOf('collateral'),
  };

  function entriesOf(kind: CompositionPart['kind']): ExposureEntry[] {
    const entries = new Map<string, ExposureEntry>();
    for (const { value, composition } of pools) {
      for (const part of composition) {
        if (part.kind !== kind || value === 0n) continue;
        const key = `${part.chainId} ${part.address}`;
        const held = entries.get(key);
        const usd = usdOf(value, input);
        entries.set(key, {
          chainId: part.chainId,
          address: part.address,
          symbol: held?.symbol ?? part.symbol,
          exposureUsd: usd === null ? null : (held?.exposureUsd ?? 0) + usd * part.share,
          exposurePct: (held?.exposurePct ?? 0) + 100 * partOfInvested(value) * part.share,
        });
      }
    }
    return [...entries.values()].sort(biggestFirst);
  }
}

function shareOf(composition: readonly CompositionPart[], kind: CompositionPart['kind']): number {
  const total = composition.reduce((sum, part) => (part.kind === kind ? sum + part.share : sum), 0);
  return total >= WHOLE ? 1 : total;
}

/** A share of a value, rounded down to a base unit; the whole of it is exact. */
function cut(value: bigint, share: number): bigint {
  return (value * BigInt(Math.round(share * PARTS))) / BigInt(PARTS);
}

function usdOf(amount: bigint, { tvl, tvlUsd }: ExposureInput): number | null {
  if (tvlUsd === null) return null;
  return tvl === 0n ? 0 : tvlUsd * ratio(amount, tvl);
}

function biggestFirst(a: ExposureEntry, b: ExposureEntry): number {
  return b.exposurePct - a.exposurePct || a.chainId - b.chainId || (a.address < b.address ? -1 : 1);
}
