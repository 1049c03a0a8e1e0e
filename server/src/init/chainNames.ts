/** Well-known networks, with the names of the legacy API. */
const NAMES: Readonly<Record<number, string>> = {
  1: 'ethereum',
  10: 'optimism',
  56: 'bnb',
  100: 'gnosis',
  130: 'unichain',
  137: 'polygon',
  146: 'sonic',
  324: 'zksync',
  480: 'worldchain',
  5000: 'mantle',
  8453: 'base',
  34443: 'mode',
  42161: 'arbitrum',
  42220: 'celo',
  43114: 'avalanche',
  59144: 'linea',
  80094: 'berachain',
  81457: 'blast',
  534352: 'scroll',
  11155111: 'sepolia',
  84532: 'base-sepolia',
};

export function chainNameOf(chainId: number): string {
  return NAMES[chainId] ?? `chain-${chainId}`;
}
