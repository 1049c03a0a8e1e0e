import { BoundedMap } from '../../domain/boundedMap.ts';
import type { Address } from '../../domain/hex.ts';
import type { Ledger } from '../ledger/ledger.ts';

/** How many calls each payer has settled, which determines its next price. */
export interface PayerCalls {
  get(payer: Address): Promise<number>;
  /** Adds calls that this process settled. */
  add(payer: Address, calls: number): void;
}

/** How long calls that other processes settle may be missing here. */
const FRESH_MS = 5_000;
const MAX_PAYERS = 20_000;

export function createPayerCalls(
  ledger: Pick<Ledger, 'findCalls'>,
  clock: () => number = () => performance.now(),
): PayerCalls {
  const known = new BoundedMap<Address, { calls: number; readonly at: number }>(MAX_PAYERS);

  return {
    async get(payer) {
      const found = known.get(payer);
      if (found !== undefined && clock() - found.at < FRESH_MS) return found.calls;
      const at = clock();
      const calls = await ledger.findCalls(payer);
      known.set(payer, { calls, at });
      return calls;
    },
    add(payer, calls) {
      const found = known.get(payer);
      if (found !== undefined) found.calls += calls;
    },
  };
}
