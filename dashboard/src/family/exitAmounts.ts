import type { ExitTerms, ExitTermsChain } from '@assay/client';

/** How an exit of an amount would go on the chain where it is fastest. */
export interface FastestExit {
  readonly chain: ExitTermsChain<bigint>;
  /** 0: at once; null: it waits for an unknown time. */
  readonly seconds: number | null;
}

/** Returns the chains from the fastest exit to the slowest; those that reject the amount are left out. */
export function exitsBySpeed({ chains }: ExitTerms<bigint>): FastestExit[] {
  return chains
    .flatMap((chain): FastestExit[] => {
      if (chain.outcome === null || chain.outcome === 'unavailable') return [];
      if (chain.outcome === 'instant') return [{ chain, seconds: 0 }];
      return [{ chain, seconds: waitOf(chain) }];
    })
    .sort((a, b) => (a.seconds ?? Infinity) - (b.seconds ?? Infinity));
}

/** A request waits as long as earlier ones did, and at least for the declared cooldown. */
function waitOf({ measuredWait, periods }: ExitTermsChain<bigint>): number | null {
  const declared = periods
    .filter(({ name }) => name === 'cooldown' || name === 'claim-delay')
    .map(({ seconds }) => seconds);
  const known = [measuredWait.medianSeconds, ...declared].filter((one) => one !== null);
  return known.length === 0 ? null : Math.max(...known);
}

/** Parts of the TVL that show how an exit depends on its size. */
const PARTS = [1_000n, 100n, 20n];

/** Returns round amounts of about 0.1%, 1%, and 5% of the TVL, in base units. */
export function usualAmounts(tvl: bigint): bigint[] {
  return [...new Set(PARTS.map((part) => roundDown(tvl / part)))].filter((units) => units > 0n);
}

/** Rounds down to 1, 2, or 5 times a power of ten. */
function roundDown(units: bigint): bigint {
  if (units <= 0n) return 0n;
  const power = 10n ** BigInt(units.toString().length - 1);
  const first = units / power;
  return (first >= 5n ? 5n : first >= 2n ? 2n : 1n) * power;
}

/** Reads an amount such as 10,000.5 as base units; undefined if it is none. */
export function readAmount(text: string, decimals: number): bigint | undefined {
  const found = /^(\d{1,30})(?:\.(\d+))?$/.exec(text.replaceAll(/[\s,_']/g, ''));
  if (found === null) return undefined;
  const [, integer = '', rest = ''] = found;
  if (rest.length > decimals) return undefined;
  const units = BigInt(integer + rest.padEnd(decimals, '0'));
  return units > 0n ? units : undefined;
}
