import type { Status, StatusChain } from '@assay/client';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { cleanText } from '../format/text.ts';

/** What the server says of its chains; undefined until it has. */
export const ChainsContext = createContext<Status | undefined>(undefined);

/** The names of chains, as the server calls them. */
export function useChainName(): (chainId: number) => string {
  const status = useContext(ChainsContext);
  return (chainId) => {
    const name = status?.chains.find((chain) => chain.chainId === chainId)?.name;
    return name === undefined ? `chain ${chainId}` : cleanText(name, 32);
  };
}

export function useChain(chainId: number): StatusChain | undefined {
  return useContext(ChainsContext)?.chains.find((chain) => chain.chainId === chainId);
}
