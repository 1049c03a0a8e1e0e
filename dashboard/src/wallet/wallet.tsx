import { useEffect, useState } from 'preact/hooks';
import { Card } from '../components/card.tsx';
import { FamilyChainNotice } from '../components/chainNotice.tsx';
import { CopyButton } from '../components/download.tsx';
import { Notice } from '../components/states.tsx';
import { Address } from '../components/values.tsx';
import { cleanText, shortAddress } from '../format/text.ts';
import { useVaults } from '../state/api.ts';
import { forgetWallets, recentWallets, rememberWallet } from '../state/recentWallets.ts';
import { useStore } from '../state/store.ts';
import { go, usePlace } from '../state/url.ts';
import { History } from './history.tsx';
import { Pending } from './pending.tsx';
import { PerformanceCard } from './performance.tsx';
import { Together } from './together.tsx';
import { WalletValue } from './valueCard.tsx';
import { hrefOf, MAX_WALLETS, walletsIn } from './wallets.ts';

/** One wallet, or several of one owner: the further ones are in the query `with`. */
export function Wallet({ address }: { readonly address: string }) {
  const text = [address, usePlace().query.get('with') ?? ''].filter(Boolean).join(', ');
  const { wallets, wrong } = walletsIn(text);
  const shown = wallets.slice(0, MAX_WALLETS);
  const [first] = shown;
  useEffect(() => {
    for (const wallet of shown.toReversed()) rememberWallet(wallet);
  }, [text]);
  return (
    <>
      <div class="head">
        <h1 tabIndex={-1}>{shown.length > 1 ? `${shown.length} wallets` : 'Wallet'}</h1>
        {shown.length > 0 && (
          <p class="sub">
            {shown.length === 1 && <Address value={first!} />}
            <CopyButton
              text={() => shown.join(',')}
              label={shown.length === 1 ? 'Copy' : 'Copy addresses'}
            />
          </p>
        )}
      </div>
      <WalletForm key={text} address={text} />
      {first !== undefined && wrong.length > 0 && (
        <Notice tone="bad">
          <p>Not included, because they are not addresses: {cleanText(wrong.join(', '), 200)}.</p>
        </Notice>
      )}
      {wallets.length > MAX_WALLETS && (
        <Notice tone="bad">
          <p>
            Not included, because a page has at most {MAX_WALLETS} wallets:{' '}
            {wallets.slice(MAX_WALLETS).map(shortAddress).join(', ')}.
          </p>
        </Notice>
      )}
      {text === '' && <RecentWallets />}
      {shown.length > 1 && <Together key={`${shown}`} wallets={shown} />}
      {shown.length === 1 && <OneWallet key={first} wallet={first!} />}
    </>
  );
}

function OneWallet({ wallet }: { readonly wallet: string }) {
  const slugs = (useVaults().data ?? []).map(({ slug }) => slug);
  return (
    <>
      <FamilyChainNotice slugs={slugs} />
      <PerformanceCard wallet={wallet} />
      <WalletValue wallets={[wallet]} />
      <Pending wallets={[wallet]} />
      <History wallet={wallet} />
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
      {wallets.length > 1 && (
        <p>
          <a data-own href={hrefOf(wallets)}>
            All of them together
          </a>
        </p>
      )}
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
  const { wallets, wrong } = walletsIn(text);
  const isWrong = wrong.length > 0;
  const [isTold, setIsTold] = useState(address !== '' && isWrong);
  return (
    <form
      class="ask"
      onSubmit={(event) => {
        event.preventDefault();
        setIsTold(isWrong);
        if (!isWrong && wallets.length > 0) go(hrefOf(wallets));
      }}
    >
      <label>
        <span class="sr">Wallet address</span>
        <input
          type="text"
          spellcheck={false}
          autocomplete="off"
          placeholder="0x… wallet address, or several"
          value={text}
          aria-invalid={isTold && isWrong}
          aria-describedby={isTold && isWrong ? 'wrong' : undefined}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <button type="submit">Look up</button>
      {isTold && isWrong && (
        <p id="wrong" class="wrong" role="alert">
          Enter 0x followed by 40 hexadecimal digits, or several such addresses with commas.
        </p>
      )}
    </form>
  );
}
