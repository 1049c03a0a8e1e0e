import { isAssayError, type OpenPayment } from '@assay/client';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { CopyButton } from '../components/download.tsx';
import { errorMessage } from '../components/states.tsx';
import { cleanText, shortAddress } from '../format/text.ts';
import { priceText, type Settings } from '../state/settings.ts';
import { useStore } from '../state/store.ts';
import { walletErrorMessage } from './injectedWallets.ts';
import { signer } from './payer.ts';
import { type Purchase, usePurchase } from './usePurchase.ts';

export interface PurchaseBoxProps<T> {
  readonly settings: Settings;
  readonly route: 'search' | 'node' | 'dependencies';
  readonly url: string;
  /** Button label without the price: Search, Buy the grade. */
  readonly words: string;
  /** Next to other purchases: without a text that is the same for all of them. */
  readonly isBrief?: boolean;
  /** Receives what is bought now, or was bought earlier. */
  readonly onBought?: (answer: T) => void;
  readonly children?: (answer: T) => ComponentChildren;
}

/** Shows a button with the price and, once paid, the response. */
export function PurchaseBox<T>(props: PurchaseBoxProps<T>) {
  const { settings, route, url, words, isBrief = false, onBought, children } = props;
  const [purchase, buy] = usePurchase<T>(settings, route, url);
  const payer = useStore(signer);
  const bought = purchase.state === 'bought' ? purchase.bought.answer : undefined;
  useEffect(() => {
    if (bought !== undefined) onBought?.(bought);
  }, [bought]);
  if (purchase.state === 'bought') {
    return (
      <>
        {children?.(purchase.bought.answer)}
        <Receipt bought={purchase.bought} isDemo={settings.isDemo} />
      </>
    );
  }
  const { error, open } = purchase.state === 'priced' ? purchase : NO_ERROR;
  const warning = warningText(error, open, payer?.address);
  return (
    <div class={isBrief ? 'purchase brief' : 'purchase'}>
      <button
        type="button"
        class={isBrief ? undefined : 'main'}
        disabled={payer === undefined || purchase.state !== 'priced'}
        onClick={buy}
      >
        {purchase.state === 'paying' ? 'Paying…' : `${words} for ${priceText(purchase.price)}`}
      </button>
      <p class={isBrief && purchase.state !== 'paying' ? 'sr' : 'soft'} role="status">
        {open === undefined && stateText(purchase, route, payer !== undefined)}
      </p>
      {warning !== '' && (
        <p class="wrong" role="alert">
          {cleanText(warning, 400)}
        </p>
      )}
    </div>
  );
}

function stateText({ state }: Purchase<unknown>, route: string, canPay: boolean): string {
  if (!canPay) return 'Connect a wallet to pay.';
  if (state === 'paying') return 'Waiting for your signature and for settlement on chain…';
  if (state === 'looking') return 'Checking for an earlier purchase…';
  if (route === 'search') return "You're charged even if there are no results.";
  return "You're charged only if the request succeeds.";
}

const NO_ERROR = { error: undefined, open: undefined };

/** Describes the error and the open payment. Says that nothing was charged only if no payment was sent. */
export function warningText(
  error: unknown,
  open: OpenPayment | undefined,
  payer: string | undefined,
): string {
  if (open === undefined) return error === undefined ? '' : purchaseText(error, UNCONFIRMED);
  return [error === undefined ? '' : purchaseText(error, ''), openText(open, payer)]
    .filter(Boolean)
    .join(' ');
}

/** Describes an open payment. Only the wallet that signed it can send it again. */
function openText({ amount, payer, state }: OpenPayment, by: string | undefined): string {
  const paid = priceText(BigInt(amount));
  const what =
    state === 'charged'
      ? `${paid} was charged to ${shortAddress(payer)}, but the response did not arrive.`
      : `A charge of ${paid} to ${shortAddress(payer)} is not confirmed yet.`;
  if (by === undefined) return `${what} Connect that wallet and try again; you won't pay twice.`;
  if (by.toLowerCase() === payer.toLowerCase()) return `${what} Try again; you won't pay twice.`;
  return `${what} Connect that wallet to try again. With another wallet, you pay a second time.`;
}

function purchaseText(error: unknown, unconfirmed: string): string {
  if (isAssayError(error, 'over_cap')) {
    if (error.cap === 'call') return `The price for this wallet is now ${priceText(error.asked)}.`;
    return `The spending limit of this browser is reached: ${priceText(error.used)} of ${priceText(error.limit)} is spent or reserved.`;
  }
  if (isAssayError(error, 'unresolved') || isAssayError(error, 'undelivered')) return unconfirmed;
  const text = isAssayError(error, 'signer')
    ? walletErrorMessage(error.cause)
    : isAssayError(error, 'refused')
      ? `The server rejected the payment: ${error.code}.`
      : errorMessage(error);
  if (isAssayError(error) && error.payment) return `${text} ${unconfirmed}`.trim();
  return isAssayError(error, 'signer') ? `${text} Nothing was signed or charged.` : text;
}

/** Shown after a payment was sent. A retry sends the same payment, or signs again with the same nonce. */
const UNCONFIRMED = "The charge is not confirmed yet. Try again; you won't pay twice.";

/** Block explorers of well-known chains. */
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
      Paid {priceText(payment.amount)}
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
          {isDemo && <small> on the demo chain, which has no explorer</small>}
        </>
      )}
    </p>
  );
}
