import type { Status, StatusChain } from '@assay/client';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { cleanText } from '../format/text.ts';

/** Chain status; undefined until loaded, null while the server is offline. */
export const ChainsContext = createContext<Status | null | undefined>(undefined);

/** Returns a function that finds a chain's configured name. */
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
