import type { PaymentKey } from '../../store/payments/paymentKey.ts';
import { LEASE_SECONDS, type Ledger } from '../ledger/ledger.ts';
import { nameOf } from '../ledger/paymentName.ts';
import type { GateAnswer } from './gateTypes.ts';

/** Requests between claim and response, by payment: their leases are renewed, and duplicates wait for them. */
export interface RequestsInFlight {
  track(key: PaymentKey, work: Promise<GateAnswer>): Promise<GateAnswer>;
  find(key: PaymentKey): Promise<GateAnswer> | undefined;
  /** Resolves when all work is done. */
  close(): Promise<void>;
}

const RENEW_MS = (LEASE_SECONDS * 1000) / 3;

export function createRequestsInFlight(deps: {
  readonly ledger: Pick<Ledger, 'renewLeases'>;
  /** Unix seconds. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}): RequestsInFlight {
  const { ledger, now, onError } = deps;
  const all = new Map<string, { readonly key: PaymentKey; readonly work: Promise<GateAnswer> }>();
  const renewing = setInterval(() => {
    const keys = [...all.values()].map(({ key }) => key);
    if (keys.length > 0) ledger.renewLeases(keys, now()).catch(onError);
  }, RENEW_MS).unref();

  return { track, find: (key) => all.get(nameOf(key))?.work, close };

  function track(key: PaymentKey, work: Promise<GateAnswer>): Promise<GateAnswer> {
    const name = nameOf(key);
    const mine = { key, work };
    all.set(name, mine);
    const forget = () => {
      if (all.get(name) === mine) all.delete(name);
    };
    work.then(forget, forget);
    return work;
  }

  async function close(): Promise<void> {
    await Promise.allSettled([...all.values()].map(({ work }) => work));
    clearInterval(renewing);
  }
}
