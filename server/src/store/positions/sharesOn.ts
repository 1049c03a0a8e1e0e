import type { SharesByChain } from '../../domain/wallet/position.ts';

/** Shares by chain as stored in the column: JSON of decimal texts, because JSON numbers are not exact. */
export function showShares(shares: SharesByChain): string {
  const parts = [...shares]
    .filter(([, amount]) => amount !== 0n)
    .sort(([a], [b]) => a - b)
    .map(([chainId, amount]) => `"${chainId}":"${amount}"`);
  return `{${parts.join(',')}}`;
}

export function parseShares(text: string): SharesByChain {
  const parts = Object.entries(JSON.parse(text) as Record<string, string>);
  return new Map(parts.map(([chainId, amount]) => [Number(chainId), BigInt(amount)]));
}
