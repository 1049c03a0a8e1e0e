import { useEffect, useState } from 'preact/hooks';
import { Notice } from '../components/states.tsx';
import { Address } from '../components/values.tsx';
import { cleanText } from '../format/text.ts';
import type { Settings } from '../state/settings.ts';
import { useStore } from '../state/store.ts';
import {
  connect,
  type InjectedWallet,
  walletErrorMessage,
  watchWallets,
} from './injectedWallets.ts';
import { signer } from './payer.ts';

/** Selects the payer: the demo wallet in the demo, otherwise an injected wallet. */
export function WalletChoice({ settings }: { readonly settings: Settings }) {
  return settings.isDemo ? <DemoWallet walletKey={settings.walletKey} /> : <Injected />;
}

/** As wide as an address. */
const NO_ADDRESS = `0x${'\u00a0'.repeat(9)}`;

function DemoWallet({ walletKey }: { readonly walletKey: string | null }) {
  const payer = useStore(signer);
  useEffect(() => {
    if (walletKey === null || signer.get() !== undefined) return;
    void import('./demoSigner.ts').then(({ demoSigner }) => signer.set(demoSigner(walletKey)));
  }, [walletKey]);
  return (
    <Notice tone="plain">
      <p>
        {/* Shown before the wallet is loaded, so that nothing shifts then. */}
        {walletKey !== null && (
          <>
            Paying with the demo wallet <Address value={payer?.address ?? NO_ADDRESS} />.{' '}
          </>
        )}
        {walletKey === null &&
          'The demo wallet works only on the machine that runs the demo. Open this page there to pay. '}
        Browser wallets are disabled: the demo chain has the chain ID and the stablecoin of a real
        chain, so a payment that you sign here could be charged there.
      </p>
    </Notice>
  );
}

function Injected() {
  const payer = useStore(signer);
  const [wallets, setWallets] = useState<readonly InjectedWallet[]>([]);
  const [message, setMessage] = useState('');
  useEffect(() => watchWallets(setWallets), []);
  if (payer !== undefined) {
    return (
      <Notice tone="plain">
        <p>
          Paying with <Address value={payer.address} />. Limit: $10 per day in this browser.
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
          ? 'No wallet found in this browser. To pay, install a browser wallet (EIP-1193).'
          : 'Pay per request in a stablecoin, without gas. Connect a wallet to pay.'}
      </p>
      {message !== '' && (
        <p class="wrong" role="alert">
          {message}
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
      setMessage('');
    } catch (error) {
      setMessage(cleanText(walletErrorMessage(error), 200));
    }
  }
}
