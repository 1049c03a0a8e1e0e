import { ratio } from '../amount.ts';
import type { Address } from '../hex.ts';
import { apportion } from './apportion.ts';

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
const NEAR_WHOLE = 10n ** 6n;
const WHOLE = 10n ** 15n;

/**
 * Splits the invested value over the assets that the pools hold, and over what backs them. Each base unit of it is
 * in exactly one of three figures: collateral, uncollateralized (held, but not backed) and unclassified (pools without
 * a composition, the part of a pool that its composition leaves out, and what is invested in no pool). USD figures
 * are parts of the tvl's own, so all of them use one price; percentages need none.
 */
export function exposureOf(input: ExposureInput): Exposure {
  const { invested } = input;
  const underlying = createEntries();
  const collateral = createEntries();
  let uncollateralized = 0n;
  let unclassified = invested;
  for (const { value, composition } of fitTo(invested, input.pools)) {
    const held = partsOf(composition, 'underlying');
    const backing = partsOf(composition, 'collateral');
    const known = held.share > backing.share ? held.share : backing.share;
    const [bare = 0n, unknown = 0n, ...backed] = apportion(value, [
      known - backing.share,
      WHOLE - known,
      ...backing.weights,
    ]);
    uncollateralized += bare;
    unclassified -= value - unknown;
    collateral.add(backing.parts, backed);
    underlying.add(held.parts, apportion(value, [...held.weights, WHOLE - held.share]));
  }
  const pctOf = (value: bigint) => (invested === 0n ? 0 : 100 * ratio(value, invested));
  const present = ({ amount, ...asset }: EntryAmount): ExposureEntry => ({
    ...asset,
    exposureUsd: usdOf(amount, input),
    exposurePct: pctOf(amount),
  });
  return {
    allocatedUsd: usdOf(invested, input),
    uncollateralizedUsd: usdOf(uncollateralized, input),
    uncollateralizedPct: pctOf(uncollateralized),
    unclassifiedUsd: usdOf(unclassified, input),
    unclassifiedPct: pctOf(unclassified),
    underlying: underlying.biggestFirst().map(present),
    collateral: collateral.biggestFirst().map(present),
  };
}

/** Pools may hold more than a vault counts that takes gains late; they are then cut to what it counts. */
function fitTo(invested: bigint, pools: readonly ExposedPool[]): readonly ExposedPool[] {
  const values = pools.map(({ value }) => value);
  if (values.reduce((sum, value) => sum + value, 0n) <= invested) return pools;
  const fitting = apportion(invested, values);
  return pools.map((pool, i) => ({ ...pool, value: fitting[i]! }));
}

/** The parts of one kind, with their weights and the share of the pool that they are together. */
function partsOf(composition: readonly CompositionPart[], kind: CompositionPart['kind']) {
  const parts = composition.filter((part) => part.kind === kind);
  const weights = parts.map(({ share }) => BigInt(Math.round(share * Number(WHOLE))));
  const sum = weights.reduce((total, weight) => total + weight, 0n);
  return { parts, weights, share: sum >= WHOLE - NEAR_WHOLE ? WHOLE : sum };
}

type EntryAmount = Pick<CompositionPart, 'chainId' | 'address' | 'symbol'> & {
  readonly amount: bigint;
};

/** Adds up amounts by asset and chain. */
function createEntries() {
  const entries = new Map<string, EntryAmount>();
  return {
    add(parts: readonly CompositionPart[], amounts: readonly bigint[]): void {
      for (const [i, { chainId, address, symbol }] of parts.entries()) {
        if (amounts[i] === 0n) continue;
        const key = `${chainId} ${address}`;
        const before = entries.get(key) ?? { chainId, address, symbol, amount: 0n };
        entries.set(key, { ...before, amount: before.amount + amounts[i]! });
      }
    },
    biggestFirst: () => [...entries.values()].sort(biggestFirst),
  };
}

function usdOf(amount: bigint, { tvl, tvlUsd }: ExposureInput): number | null {
  if (tvlUsd === null) return null;
  return tvl === 0n ? 0 : tvlUsd * ratio(amount, tvl);
}

function biggestFirst(a: EntryAmount, b: EntryAmount): number {
  if (a.amount !== b.amount) return a.amount > b.amount ? -1 : 1;
  return a.chainId - b.chainId || (a.address < b.address ? -1 : 1);
}
