import type { SharesByChain } from '../../domain/wallet/position.ts';

/** Shares by chain as the column holds them: JSON of decimal texts, since its numbers are not exact. */
export function showShares(shares: SharesByChain): string {
  const parts = Object.entries(shares)
    .filter(([, amount]) => amount !== 0n)
    .map(([chainId, amount]) => `"${chainId}":"${amount}"`);
  return `{${parts.join(',')}}`;
}

export function parseShares(text: string): SharesByChain {
  const parts = Object.entries(JSON.parse(text) as Record<string, string>);
  return Object.fromEntries(parts.map(([chainId, amount]) => [chainId, BigInt(amount)]));
}
