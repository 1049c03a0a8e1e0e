import { useEffect, useState } from 'preact/hooks';
import { cleanText } from '../format/text.ts';
import { Notice } from '../parts/states.tsx';
import { Address } from '../parts/values.tsx';
import { useStore } from '../state/store.ts';
import { connect, type InjectedWallet, walletTrouble, watchWallets } from './injectedWallets.ts';
import type { Settings } from './settings.ts';
import { signer } from './shop.ts';

/** Who pays: the demo's own wallet in the demo, an injected one anywhere else. */
export function WalletChoice({ settings }: { readonly settings: Settings }) {
  return settings.isDemo ? <DemoWallet walletKey={settings.walletKey} /> : <Injected />;
}

function DemoWallet({ walletKey }: { readonly walletKey: string | null }) {
  const payer = useStore(signer);
  useEffect(() => {
    if (walletKey === null || signer.get() !== undefined) return;
    void import('./demoSigner.ts').then(({ demoSigner }) => signer.set(demoSigner(walletKey)));
  }, [walletKey]);
  return (
    <Notice tone="plain">
      <p>
        {payer !== undefined && (
          <>
            The demo's own wallet <Address value={payer.address} /> pays here.{' '}
          </>
        )}
        {walletKey === null &&
          'This is a demo, and its wallet is handed out on its own machine only: open it there to pay. '}
        Wallets of this browser are refused: the demo's chain has the id and the stablecoin of a
        real one, and what you sign for it could be spent there.
      </p>
    </Notice>
  );
}

function Injected() {
  const payer = useStore(signer);
  const [wallets, setWallets] = useState<readonly InjectedWallet[]>([]);
  const [trouble, setTrouble] = useState('');
  useEffect(() => watchWallets(setWallets), []);
  if (payer !== undefined) {
    return (
      <Notice tone="plain">
        <p>
          <Address value={payer.address} /> pays here, at most $10 a day from this browser.
        </p>
        <button type="button" onClick={() => signer.set(undefined)}>
          Disconnect
        </button>
      </Notice>
    );
  }
  return (
    <Notice tone="plain">
      <p>
        {wallets.length === 0
          ? 'No wallet was found in this browser. Prices are shown; to pay, install one (EIP-1193).'
          : 'Paid per query in a stablecoin, without gas. Connect a wallet to pay.'}
      </p>
      {trouble !== '' && (
        <p class="wrong" role="alert">
          {trouble}
        </p>
      )}
      {wallets.map((wallet) => (
        <button key={wallet.id} type="button" onClick={() => void use(wallet)}>
          {cleanText(wallet.name, 32) || 'Wallet'}
        </button>
      ))}
    </Notice>
  );

  async function use(wallet: InjectedWallet): Promise<void> {
    try {
      signer.set(await connect(wallet, () => signer.set(undefined)));
      setTrouble('');
    } catch (error) {
      setTrouble(cleanText(walletTrouble(error), 200));
    }
  }
}
