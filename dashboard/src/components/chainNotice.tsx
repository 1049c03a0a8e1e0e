import type { StatusChain } from '@assay/client';
import { useContext, useEffect, useState } from 'preact/hooks';
import { cleanText } from '../format/text.ts';
import { ChainsContext } from '../state/chains.ts';
import { chainStateText } from './chainStates.ts';
import { Notice } from './states.tsx';

/** How long content below the notice waits for it, so that the page does not shift. */
const LATE_MS = 1_000;

/** Lists the chains that are not live. */
export function ChainNotice({ chains }: { readonly chains: readonly StatusChain[] }) {
  const affected = chains.filter(({ state }) => state !== 'live');
  // Always rendered, so that screen readers announce new text.
  return (
    <div class="chainnotice" role="status">
      {affected.length > 0 && (
        <Notice>
          <p>
            {affected
              .map(({ name, state }) => chainStateText(cleanText(name, 32), state))
              .join('; ')}
            . Showing the last data received.
          </p>
        </Notice>
      )}
    </div>
  );
}

/** Lists the chains of these families that are not live; empty until the chain status is loaded. */
export function FamilyChainNotice({ slugs }: { readonly slugs: readonly string[] }) {
  const status = useContext(ChainsContext);
  const chains = status?.chains.filter(({ families }) =>
    families.some(({ family }) => slugs.includes(family)),
  );
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE_MS);
    return () => clearTimeout(timer);
  }, []);
  if (status === undefined && !isLate) return <div class="chainnotice waiting" role="status" />;
  return <ChainNotice chains={chains ?? []} />;
}
