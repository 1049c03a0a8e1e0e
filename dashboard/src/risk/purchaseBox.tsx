import { isAssayError } from '@assay/client';
import type { ComponentChildren } from 'preact';
import { exactAmount } from '../format/amount.ts';
import { cleanText, shortAddress } from '../format/text.ts';
import { CopyButton } from '../parts/download.tsx';
import { troubleText } from '../parts/states.tsx';
import { useStore } from '../state/store.ts';
import { walletTrouble } from './injectedWallets.ts';
import { DECIMALS, type Settings } from './settings.ts';
import { signer } from './shop.ts';
import { type Purchase, usePurchase } from './usePurchase.ts';

export interface PurchaseBoxProps<T> {
  readonly settings: Settings;
  readonly route: 'search' | 'node' | 'dependencies';
  readonly url: string;
  /** What the button does: Search, Buy the grade. */
  readonly words: string;
  readonly children: (answer: T) => ComponentChildren;
}

/** With all digits, and at least cents. */
export function price(units: bigint): string {
  return `$${exactAmount(units, DECIMALS, 2)}`;
}

/** The price, a button to pay it, and then what it bought. */
export function PurchaseBox<T>({ settings, route, url, words, children }: PurchaseBoxProps<T>) {
  const [purchase, buy] = usePurchase<T>(settings, route, url);
  const payer = useStore(signer);
  if (purchase.state === 'bought') {
    return (
      <>
        {children(purchase.bought.answer)}
        <Receipt bought={purchase.bought} isDemo={settings.isDemo} />
      </>
    );
  }
  const error = purchase.state === 'priced' ? purchase.error : undefined;
  return (
    <div class="purchase">
      <button
        type="button"
        class="main"
        disabled={payer === undefined || purchase.state !== 'priced'}
        onClick={buy}
      >
        {purchase.state === 'paying' ? 'Paying…' : `${words} for ${price(purchase.price)}`}
      </button>
      <p class="soft" role="status">
        {stateText(purchase, route, payer !== undefined)}
      </p>
      {error !== undefined && (
        <p class="wrong" role="alert">
          {cleanText(purchaseText(error), 400)}
        </p>
      )}
    </div>
  );
}

function stateText({ state }: Purchase<unknown>, route: string, canPay: boolean): string {
  if (!canPay) return 'Choose a wallet to pay with.';
  if (state === 'paying') return 'When it is signed, the payment is settled on chain first.';
  if (state === 'looking') return 'Looking whether this was bought before.';
  if (route === 'search') return 'A search is charged also when it finds nothing.';
  return 'Charged only when there is an answer.';
}

function purchaseText(error: unknown): string {
  if (isAssayError(error, 'over_cap')) {
    if (error.cap === 'call') return `The price for this wallet is now ${price(error.asked)}.`;
    return `This browser may not spend more: ${price(error.used)} of ${price(error.limit)} are spent or reserved.`;
  }
  if (isAssayError(error, 'unresolved') || isAssayError(error, 'undelivered')) {
    return 'It is not known yet whether this was charged. Press again: the same payment is sent, never a new one.';
  }
  if (isAssayError(error, 'signer')) {
    return `${walletTrouble(error.cause)} Nothing was signed, and nothing is charged.`;
  }
  if (isAssayError(error, 'refused')) return `The server does not take the payment: ${error.code}.`;
  return troubleText(error);
}

/** Where a transaction can be looked at, for chains that people know. */
const EXPLORERS: Readonly<Record<string, string>> = {
  'eip155:1': 'https://etherscan.io',
  'eip155:10': 'https://optimistic.etherscan.io',
  'eip155:8453': 'https://basescan.org',
  'eip155:42161': 'https://arbiscan.io',
};

function Receipt({
  bought: { payment },
  isDemo,
}: {
  readonly bought: {
    readonly payment: {
      readonly amount: bigint;
      readonly network: string;
      readonly receipt: { readonly transaction: string } | null;
    } | null;
  };
  readonly isDemo: boolean;
}) {
  if (payment === null) return null;
  const transaction = payment.receipt?.transaction;
  const explorer = isDemo ? undefined : EXPLORERS[payment.network];
  return (
    <p class="receipt soft">
      Paid {price(payment.amount)}
      {transaction !== undefined && (
        <>
          {' in transaction '}
          {explorer === undefined ? (
            <code title={transaction}>{shortAddress(transaction)}</code>
          ) : (
            <a href={`${explorer}/tx/${transaction}`} target="_blank" rel="noreferrer noopener">
              {shortAddress(transaction)}
            </a>
          )}
          <CopyButton text={() => transaction} label="Copy" />
          {isDemo && <small> on the demo's own chain, which has no explorer</small>}
        </>
      )}
    </p>
  );
}
