import { type Bought, isAssayError, type OpenPayment, type Signer } from '@assay/client';
import { useEffect, useState } from 'preact/hooks';
import type { Settings } from '../state/settings.ts';
import { useStore } from '../state/store.ts';
import {
  fetchAgain,
  findOpenPayment,
  findPayment,
  payerFor,
  purchaseCount,
  signer,
} from './payer.ts';

export type Purchase<T> =
  | {
      readonly state: 'priced';
      readonly price: bigint;
      readonly error?: unknown;
      /** An unconfirmed payment. The next attempt sends it again. */
      readonly open?: OpenPayment | undefined;
    }
  | { readonly state: 'looking' | 'paying'; readonly price: bigint }
  | { readonly state: 'bought'; readonly price: bigint; readonly bought: Bought<T> };

/** A purchase with the request and the payer that it belongs to. */
interface Held<T> {
  readonly url: string;
  readonly by: Signer | undefined;
  readonly purchase: Purchase<T>;
}

/** Tracks a purchase: its price first and, once paid, its response. */
export function usePurchase<T>(
  settings: Settings,
  route: 'search' | 'node' | 'dependencies',
  url: string,
): [Purchase<T>, () => void] {
  const by = useStore(signer);
  const base = BigInt(settings.payments?.prices[route] ?? 0);
  const looking: Purchase<T> = { state: 'looking', price: base };
  const [held, setHeld] = useState<Held<T>>({ url, by, purchase: looking });
  // Before the effect below has run, the purchase held is of an earlier payer. A button that was enabled for it would be
  // disabled between the press and the release of a click, and the click would be lost.
  const purchase = held.url === url && held.by === by ? held.purchase : looking;
  /** A late result of an earlier request must not replace the newer one. */
  const setPurchase = (next: Purchase<T>) =>
    setHeld((now) => (now.url === url && now.by === by ? { url, by, purchase: next } : now));

  // Each URL is a separate purchase. A response bought in this browser before is fetched for free.
  useEffect(() => {
    const gone = new AbortController();
    setHeld({ url, by, purchase: looking });
    void look().then((found) => {
      if (!gone.signal.aborted) setPurchase(found);
    });
    return () => gone.abort();

    async function look(): Promise<Purchase<T>> {
      const open = await findOpenPayment(url).catch(() => undefined);
      const priced = { state: 'priced', price: base, open } as const;
      if (by === undefined) return priced;
      try {
        const payer = payerFor(settings, base, by);
        const payment = await findPayment(payer, url);
        const bought = payment && (await fetchAgain(payer, payment, gone.signal));
        return bought ? { state: 'bought', price: base, bought: bought as Bought<T> } : priced;
      } catch {
        return priced;
      }
    }
  }, [url, by]);

  return [purchase, () => void buy()];

  async function buy(): Promise<void> {
    const { price } = purchase;
    if (by === undefined) return;
    setPurchase({ state: 'paying', price });
    try {
      const bought = (await payerFor(settings, price, by).buy(url)) as Bought<T>;
      setPurchase({ state: 'bought', price, bought });
      purchaseCount.set(purchaseCount.get() + 1);
    } catch (error) {
      // Volume pricing raised the price: show the new price and let the user confirm it.
      const isRaised = isAssayError(error, 'over_cap') && error.cap === 'call';
      const open = await findOpenPayment(url).catch(() => undefined);
      setPurchase({ state: 'priced', price: isRaised ? error.asked : price, error, open });
    }
  }
}
