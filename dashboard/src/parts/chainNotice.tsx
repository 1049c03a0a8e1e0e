import type { StatusChain } from '@assay/client';
import { useContext } from 'preact/hooks';
import { cleanText } from '../format/text.ts';
import { ChainsContext } from '../state/chains.ts';
import { Notice } from './states.tsx';

const STATE_WORDS: Readonly<Record<string, string>> = {
  syncing: 'is being read: its past is not complete yet',
  unreachable: 'cannot be read now: what was read before is shown, with its block',
  unconfigured: 'has no RPC URL: nothing is read from it',
  stale: 'was not looked at for minutes: no indexer runs',
};

/** Says which chains are not read as they should be. */
export function ChainNotice({ chains }: { readonly chains: readonly StatusChain[] }) {
  const troubled = chains.filter(({ state }) => state !== 'live');
  // Stays in place, so that what comes to stand in it is read out.
  return (
    <div class="chainnotice" role="status">
      {troubled.length > 0 && (
        <Notice>
          <p>
            {troubled
              .map(({ name, state }) => `${cleanText(name, 32)} ${STATE_WORDS[state] ?? state}`)
              .join('; ')}
            .
          </p>
        </Notice>
      )}
    </div>
  );
}

/** The same for the chains of these families; of one whose chains are not known yet, nothing. */
export function FamilyChainNotice({ slugs }: { readonly slugs: readonly string[] }) {
  const status = useContext(ChainsContext);
  const chains = status?.chains.filter(({ families }) =>
    families.some(({ family }) => slugs.includes(family)),
  );
  return <ChainNotice chains={chains ?? []} />;
}
