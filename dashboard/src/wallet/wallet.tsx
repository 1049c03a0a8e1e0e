import { useEffect, useState } from 'preact/hooks';
import { Card } from '../components/card.tsx';
import { FamilyChainNotice } from '../components/chainNotice.tsx';
import { CopyButton } from '../components/download.tsx';
import { Address } from '../components/values.tsx';
import { useVaults } from '../state/api.ts';
import { forgetWallets, recentWallets, rememberWallet } from '../state/recentWallets.ts';
import { useStore } from '../state/store.ts';
import { go } from '../state/url.ts';
import { History } from './history.tsx';
import { Pending } from './pending.tsx';
import { PerformanceCard } from './performance.tsx';
import { WalletValue } from './valueCard.tsx';

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

export function Wallet({ address }: { readonly address: string }) {
  const isAddress = ADDRESS.test(address);
  useEffect(() => {
    if (isAddress) rememberWallet(address);
  }, [address]);
  const slugs = (useVaults().data ?? []).map(({ slug }) => slug);
  return (
    <>
      <div class="head">
        <h1 tabIndex={-1}>Wallet</h1>
        {isAddress && (
          <p class="sub">
            <Address value={address} />
            <CopyButton text={() => address} label="Copy" />
          </p>
        )}
      </div>
      <WalletForm address={address} />
      {address === '' && <RecentWallets />}
      {isAddress && (
        <>
          <FamilyChainNotice slugs={slugs} />
          <PerformanceCard wallet={address} />
          <WalletValue wallet={address} />
          <Pending wallet={address} />
          <History wallet={address} />
        </>
      )}
    </>
  );
}

/** Wallets that were looked up in this browser. */
function RecentWallets() {
  const wallets = useStore(recentWallets);
  if (wallets.length === 0) return null;
  return (
    <Card
      id="recent"
      title="Recent wallets"
      aside={
        <button type="button" class="quiet" onClick={forgetWallets}>
          Clear
        </button>
      }
    >
      <ul class="recent">
        {wallets.map((wallet) => (
          <li key={wallet}>
            <a data-own href={`/wallet/${wallet}`}>
              <code>{wallet}</code>
            </a>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function WalletForm({ address }: { readonly address: string }) {
  const [text, setText] = useState(address);
  const isWrong = text.trim() !== '' && !ADDRESS.test(text.trim());
  const [isTold, setIsTold] = useState(address !== '' && isWrong);
  return (
    <form
      class="ask"
      onSubmit={(event) => {
        event.preventDefault();
        setIsTold(isWrong);
        if (!isWrong && text.trim() !== '') go(`/wallet/${text.trim()}`);
      }}
    >
      <label>
        <span class="sr">Wallet address</span>
        <input
          type="text"
          spellcheck={false}
          autocomplete="off"
          placeholder="0x… wallet address"
          value={text}
          aria-invalid={isTold && isWrong}
          aria-describedby={isTold && isWrong ? 'wrong' : undefined}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <button type="submit">Look up</button>
      {isTold && isWrong && (
        <p id="wrong" class="wrong" role="alert">
          Enter 0x followed by 40 hexadecimal digits.
        </p>
      )}
    </form>
  );
}
