import {
  type Bought,
  createPayer,
  isAssayError,
  listPurchases,
  type OpenPayment,
  type Payer,
  type Payment,
  type Purchase,
  type Signer,
} from '@assay/client';
import { createIndexedDbStore } from '@assay/client/browser';
import type { Offer, Settings } from '../state/settings.ts';
import { createStore } from '../state/store.ts';

/** The connected payer; undefined until a wallet is connected. */
export const signer = createStore<Signer | undefined>(undefined);

/** Spending limits of this browser in base units: per day, and in total. */
export const DAILY = 10_000_000n;
export const TOTAL = 100_000_000n;

const store = createIndexedDbStore('assay-dashboard');

/** Increases with each purchase of this page. */
export const purchaseCount = createStore(0);

/** Returns all payments of this browser, oldest first. */
export function listOwnPurchases(): Promise<readonly Purchase[]> {
  return listPurchases(store);
}

/** Returns a payer that pays at most `price`, within the limits of this browser. */
export function payerFor({ payments, isDemo }: Settings, price: bigint, by: Signer): Payer {
  const { network, asset, payTo } = payments as Offer;
  return createPayer({
    signer: by,
    store,
    budget: { perCall: price, perPeriod: { amount: DAILY, seconds: 86_400 }, total: TOTAL },
    allow: {
      networks: [network],
      assets: [asset],
      recipients: [payTo],
      hosts: [location.host],
      // The demo chain has the id of a real chain, so only the demo wallet may sign for it.
      ...(isDemo ? { demoWallets: [by.address] } : { allowLoopback: true }),
    },
  });
}

/** Returns this browser's latest payment for a URL, if any. */
export async function findPayment(payer: Payer, url: string): Promise<Payment | undefined> {
  const { payments } = await payer.report();
  return payments.findLast((payment) => payment.url === url && payment.outcome === 'paid');
}

/**
 * Returns a payment for a URL that may have been charged but got no response. Finding it needs no wallet, but only the
 * wallet that signed it can send it again.
 */
export function findOpenPayment(url: string): Promise<OpenPayment | undefined> {
  const { href } = new URL(url);
  return store.transact((book) => ({
    result: [...(book?.unanswered ?? []), ...(book?.open ?? [])].findLast(
      (payment) => payment.url === href && payment.state !== 'reserved' && !payment.replaced,
    ),
  }));
}

/** Fetches a response that was paid for earlier; undefined if the server no longer stores it. */
export async function fetchAgain(
  payer: Payer,
  payment: Payment,
  signal: AbortSignal,
): Promise<Bought | undefined> {
  try {
    const data = await payer.refetch(payment.id, { signal });
    return { data, answer: data, payment };
  } catch (error) {
    if (isAssayError(error, 'aborted')) throw error;
    return undefined;
  }
}
