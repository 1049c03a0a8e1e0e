import { type Bought, isAssayError } from '@assay/client';
import { useEffect, useState } from 'preact/hooks';
import { useStore } from '../state/store.ts';
import type { Settings } from './settings.ts';
import { fetchAgain, findPayment, payerFor, signer } from './shop.ts';

export type Purchase<T> =
  | { readonly state: 'priced'; readonly price: bigint; readonly error?: unknown }
  | { readonly state: 'looking' | 'paying'; readonly price: bigint }
  | { readonly state: 'bought'; readonly price: bigint; readonly bought: Bought<T> };

/** One thing that is sold: its price first, then, when it is paid for, the thing. */
export function usePurchase<T>(
  settings: Settings,
  route: 'search' | 'node' | 'dependencies',
  url: string,
): [Purchase<T>, () => void] {
  const by = useStore(signer);
  const base = BigInt(settings.payments?.prices[route] ?? 0);
  const [purchase, setPurchase] = useState<Purchase<T>>({ state: 'looking', price: base });

  // Another address is another thing. What was bought in this browser before is fetched for nothing.
  useEffect(() => {
    const gone = new AbortController();
    setPurchase({ state: 'looking', price: base });
    void look().then((found) => {
      if (!gone.signal.aborted) setPurchase(found);
    });
    return () => gone.abort();

    async function look(): Promise<Purchase<T>> {
      const priced = { state: 'priced', price: base } as const;
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
    } catch (error) {
      // Heavy use costs more: the new price is shown, and asked for again.
      const dearer = isAssayError(error, 'over_cap') && error.cap === 'call';
      setPurchase({ state: 'priced', price: dearer ? error.asked : price, error });
    }
  }
}
