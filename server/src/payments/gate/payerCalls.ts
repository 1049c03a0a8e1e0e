import { BoundedMap } from '../../domain/boundedMap.ts';
import type { Address } from '../../domain/hex.ts';
import type { Ledger } from '../ledger/ledger.ts';

/** How many calls each payer has settled: what its next price depends on. */
export interface PayerCalls {
  get(payer: Address): Promise<number>;
  /** This process settled one more. */
  add(payer: Address): void;
}

/** Other processes on the store settle calls too: so long they may go unseen here. */
const FRESH_MS = 5_000;
const MOST_PAYERS = 20_000;

export function createPayerCalls(
  ledger: Pick<Ledger, 'findCalls'>,
  clock: () => number = () => performance.now(),
): PayerCalls {
  const known = new BoundedMap<Address, { calls: number; readonly at: number }>(MOST_PAYERS);

  return {
    async get(payer) {
      const found = known.get(payer);
      if (found !== undefined && clock() - found.at < FRESH_MS) return found.calls;
      const at = clock();
      const calls = await ledger.findCalls(payer);
      known.set(payer, { calls, at });
      return calls;
    },
    add(payer) {
      const found = known.get(payer);
      if (found !== undefined) found.calls++;
    },
  };
}
