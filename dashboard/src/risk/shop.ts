import {
  type Bought,
  createIndexedDbStore,
  createPayer,
  isAssayError,
  type Payer,
  type Payment,
  type Signer,
} from '@assay/client';
import { createStore } from '../state/store.ts';
import type { Offer, Settings } from './settings.ts';

/** Who pays; undefined until somebody may. */
export const signer = createStore<Signer | undefined>(undefined);

/** Of this browser, in base units: what it may spend in a day, and ever. */
export const DAILY = 10_000_000n;
const TOTAL = 100_000_000n;

const store = createIndexedDbStore('assay-dashboard');

/** Pays at most `price`, within what this browser may spend. */
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
      // The demo's chain looks like a real one: its own wallet alone may sign for it.
      ...(isDemo ? { demoWallets: [by.address] } : { realLoopback: true }),
    },
  });
}

/** The newest payment that this browser made for a URL; undefined: none. */
export async function findPayment(payer: Payer, url: string): Promise<Payment | undefined> {
  const { payments } = await payer.report();
  return payments.findLast((payment) => payment.url === url && payment.outcome === 'paid');
}

/** An answer that was paid for before, while the server keeps it; undefined where it does not any more. */
export async function fetchAgain(
  payer: Payer,
  payment: Payment,
  signal: AbortSignal,
): Promise<Bought | undefined> {
  try {
    return { answer: await payer.again(payment.id, { signal }), payment };
  } catch (error) {
    if (isAssayError(error, 'aborted')) throw error;
    return undefined;
  }
}
