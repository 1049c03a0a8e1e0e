import type { ListedVault } from '@assay/client';
import { useContext } from 'preact/hooks';
import { ChainMark } from '../components/marks.tsx';
import { ChainsContext, useChainName } from '../state/chains.ts';

/** Lists a family's chains and marks those with a problem. */
export function ChainList({
  slug,
  chains,
}: {
  readonly slug: string;
  readonly chains: ListedVault['chains'];
}) {
  const nameOf = useChainName();
  const status = useContext(ChainsContext);
  return (
    <span class="tags">
      {chains.map(({ chainId, role }) => {
        const found = status?.chains.find((chain) => chain.chainId === chainId);
        const state = found?.families.find(({ family }) => family === slug)?.state;
        const isBad = state !== undefined && state !== 'current' && state !== 'syncing';
        return (
          <span
            key={chainId}
            class={isBad ? 'tag bad' : 'tag'}
            title={`${role}${state === undefined ? '' : `, ${state}`}`}
          >
            <ChainMark chainId={chainId} />
            {nameOf(chainId)}
            {isBad && <span class="sr"> ({state})</span>}
          </span>
        );
      })}
    </span>
  );
}
